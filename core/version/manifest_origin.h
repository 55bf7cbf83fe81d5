// SPDX-License-Identifier: Apache-2.0
// Determines whether LevelDB or RocksDB wrote a MANIFEST. Both use the same record format, so
// either can open the other's database, but once RocksDB or this engine has written to it, LevelDB
// cannot read it any more. CURRENT, logs and even tables look alike; the records of a MANIFEST
// differ:
//
//   tables   tag 7 is LevelDB's (any release, any port); RocksDB's tags are from 100 on
//   tags     LevelDB has none from 10 on: families, epochs, the log number to keep, an id
//   edits    with neither, it is how LevelDB groups its counters: every edit but the first has all
//            of log, previous log, next file and last sequence. RocksDB's snapshot has the log
//            number without the next file number, then the counters without a log number
//   first    LevelDB's snapshot, comparator and no counter; or what starts a new database,
//            comparator with counters of which log and last sequence are 0: Chromium, which goes on
//            with its first log and MANIFEST, stays at that as long as there is no table, and so
//            does Go's port (goleveldb). RocksDB's names no comparator
//
// If there is only a snapshot and complete counters, the MANIFEST may also be that of RocksDB 2.x
// (2013), which wrote the same bytes. The result is then kEither, and IDENTITY decides, which
// LevelDB never writes. The snapshot of Go's port has comparator and counters in one edit. The
// result is then kRocksDbUnlessOfGo, and CURRENT.bak decides, which only Go's port writes.
#pragma once

#include <cstdint>
#include <string>

#include "core/format/manifest/version_edit.h"
#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

enum class ManifestOrigin : uint8_t { kRocksDb, kLevelDb, kEither, kRocksDbUnlessOfGo };

// Takes the edits of one MANIFEST in order. One thread.
class ManifestOriginTest {
 public:
  void Take(const VersionEdit& edit);
  // Judging by the edits so far; kRocksDb if there were none.
  ManifestOrigin origin() const;

 private:
  bool has_tag_of_rocksdb_ = false;
  bool has_tables_ = false;
  bool grouped_as_leveldb_ = true;
  bool begins_with_snapshot_ = false;
  bool begins_with_all_ = false;  // Comparator and counters; of a new database:
  bool starts_new_ = false;
  uint64_t edits_ = 0;
};

// Whether the database in `directory`, with a MANIFEST of that origin, is LevelDB's.
bool IsLevelDb(FileSystem& fs, const std::string& directory, ManifestOrigin origin);
// The same for a MANIFEST that is not read otherwise. A damaged one is judged by the edits before
// the damage; false if CURRENT cannot be read.
bool HoldsLevelDb(FileSystem& fs, const std::string& directory);

// kNotSupported, saying how to convert it.
Status RefuseToWriteLevelDb(const std::string& directory);

}  // namespace varve
