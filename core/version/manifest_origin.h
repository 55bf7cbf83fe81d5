// SPDX-License-Identifier: Apache-2.0
// Determines whether LevelDB or RocksDB wrote a MANIFEST. Both use the same record format, so
// either can open the other's database, but once RocksDB or this engine has written to it, LevelDB
// cannot read it any more. CURRENT, logs and even tables look alike; the edits of a MANIFEST
// differ. The first rule that applies decides:
//
//   what the MANIFEST has                                   written by
//   1. a tag from 10 on: families, epochs, an id, ...       RocksDB
//   2. a table added by tag 7                               LevelDB, in any release and port
//   3. a first edit with comparator, log number 0, next     LevelDB: a new database; Chromium and
//      file and last sequence 0                             Go's port (goleveldb) keep this
//                                                           MANIFEST until there is a table
//   4. the same with other numbers (a snapshot)             Go's port, if there is CURRENT.bak,
//                                                           which only it writes; else RocksDB
//   5. a first edit with a comparator and no counter (a     LevelDB, or RocksDB 2.x (2013), which
//      snapshot), and each later edit with log, previous    wrote the same bytes: RocksDB, if
//      log, next file and last sequence                     there is IDENTITY, which LevelDB never
//                                                           writes
//   6. anything else                                        RocksDB
//
// RocksDB adds tables by tags from 100 on. The first edit of its new databases has no comparator;
// its snapshots have the log number without the next file number, then the counters without a log
// number.
#pragma once

#include <cstdint>
#include <string>

#include "core/format/manifest/version_edit.h"
#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

enum class ManifestOrigin : uint8_t {
  kRocksDb,            // Rules 1 and 6.
  kLevelDb,            // Rules 2 and 3.
  kEither,             // Rule 5.
  kRocksDbUnlessOfGo,  // Rule 4.
};

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
  bool begins_with_all_ = false;  // The first edit has comparator and counters.
  bool starts_new_ = false;       // These are the counters of a new database.
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
