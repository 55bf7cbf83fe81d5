// SPDX-License-Identifier: Apache-2.0
// Reads MANIFESTs, in three steps that are also useful alone:
//
//   CURRENT --ReadCurrent--> MANIFEST-n --ManifestScanner--> edits with their offsets
//                                            --ManifestReplay--> DatabaseState
//
// ReadManifest performs all three. Inspection steps through the edits itself, and stops a replay at
// any edit to show the database as it was then.
//
// An incomplete record at the end is not an error (a crash interrupted an append that was not
// acknowledged); any other damage is Corruption, with the offset (db-format 2.5).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/table/cache/table_cache.h"
#include "core/version/column_families.h"
#include "core/version/manifest_replay.h"
#include "core/wal/log_reader.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// Why a directory without CURRENT cannot be opened. Corruption if it has files of a database;
// kNotFound: there is no database.
Status MissingCurrent(FileSystem& fs, const std::string& directory);

// The number of the MANIFEST that CURRENT names. MissingCurrent() if there is none; Corruption if
// it is not exactly "MANIFEST-<n>\n" or names a missing file.
Result<FileNumber> ReadCurrent(FileSystem& fs, const std::string& directory);

struct ManifestRecord {
  uint64_t index = 0;   // Of the edit, from 0.
  uint64_t offset = 0;  // Of its first byte in the file.
  uint64_t end_offset = 0;
  VersionEdit edit;
};

// The edits of one MANIFEST in file order. One thread.
class ManifestScanner {
 public:
  static Result<std::unique_ptr<ManifestScanner>> Open(FileSystem& fs, const std::string& path);

  // nullopt at the end. After an error the scan is over.
  Result<std::optional<ManifestRecord>> Next();

  uint64_t file_size() const { return file_size_; }
  // After the end: skipped bytes of an unfinished record, 0 if there was none.
  uint64_t torn_bytes() const { return torn_bytes_; }
  const std::string& path() const { return file_->path(); }

 private:
  ManifestScanner(std::unique_ptr<RandomAccessFile> file, uint64_t file_size);

  std::unique_ptr<RandomAccessFile> file_;
  const uint64_t file_size_;
  LogReader log_;
  uint64_t next_index_ = 0;
  uint64_t torn_bytes_ = 0;
};

struct RecoveredManifest {
  FileNumber number = 0;
  DatabaseState state;
  uint64_t edits = 0;
  uint64_t file_size = 0;
  uint64_t torn_bytes = 0;            // Of an unfinished record at the end.
  size_t unfinished_group_edits = 0;  // Dropped with the torn end.
  // A database of LevelDB, which must not be written to.
  bool leveldb = false;
  std::map<uint64_t, uint64_t> synced_wals = {};  // See ManifestReplay::synced_wals().
};

// RocksDB 11 does not compare its counter with its files; we continue above them, and above the
// MANIFEST's own number.
void RaiseNextFileNumber(DatabaseState* state, FileNumber manifest);

// For readers that have no options of their own: tables may be on any level.
Options InspectionOptions();

// Reads the state, starting at CURRENT. A family whose comparator is neither in `options` nor built
// in has a null comparator; the caller decides whether that is acceptable.
Result<RecoveredManifest> ReadManifest(FileSystem& fs, const std::string& directory,
                                       const Options& options, TableCache* tables);

}  // namespace varve
