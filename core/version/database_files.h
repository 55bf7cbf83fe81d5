// SPDX-License-Identifier: Apache-2.0
// Reads a consistent state of a database: MANIFEST replayed, directory listed, WALs open.
//
// Another process may be writing to it. MANIFEST, directory and WALs are then read one after the
// other while they change, and may not fit together: a flush between the first and the second
// deletes a WAL whose table the MANIFEST did not name yet; an ingestion between the first and the
// third is missing although it precedes the last records of the WAL. So everything is read again
// until the MANIFEST, checked once more at the end, is byte for byte the one that was read. Then no
// file that it needs was deleted (the edit is logged first), the open WALs are all that it needs,
// and no record in them follows an edit that is missing.
//
// The tables may be deleted right after that check. A caller that will read them opens them before
// it (`hold`, HeldFiles): open files stay readable, and after a retry only the new ones must be
// opened.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/table/cache/table_cache.h"
#include "core/version/blob_reader.h"
#include "core/version/manifest_reader.h"
#include "core/version/table_place.h"
#include "core/wal/wal_walk.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

struct DatabaseFiles {
  RecoveredManifest manifest;
  std::vector<DirectoryEntry> entries;
  // WALs to be replayed, ascending. With a concurrent writer they are open, with their sizes at
  // that time.
  std::vector<WalFile> wals;
  // Set by ReadAndHoldFiles(): tables that differ from the MANIFEST in the directory, with the
  // TablePlace::status of each.
  std::map<FileNumber, Status> unreadable_tables = {};

  Status CheckTable(FileNumber number) const {
    const auto found = unreadable_tables.find(number);
    return found == unreadable_tables.end() ? Status::Ok() : found->second;
  }
  // For readers that fail when the engine would not open the database, whichever tables they need.
  Status CheckTables() const {
    return unreadable_tables.empty() ? Status::Ok() : unreadable_tables.begin()->second;
  }
};

enum class OtherWriters : uint8_t {
  kNone,      // The caller holds the database's lock.
  kPossible,  // kBusy if the MANIFEST keeps changing.
};

// Opens or copies the files of a state that was read, of which `wals` are open. An error is
// returned if the MANIFEST has not changed meanwhile.
using HoldFiles = std::function<Status(const DatabaseFiles& files)>;

Result<DatabaseFiles> ReadDatabaseFiles(FileSystem& fs, const std::string& directory,
                                        const Options& options, TableCache* tables,
                                        OtherWriters others, const HoldFiles& hold = nullptr);

// While another process holds the database's lock, keeps open the files of a state: tables in
// `tables`, blob files in `blobs`, ignoring their limits. One thread.
class HeldFiles {
 public:
  // `blobs` may be null: blob files are not read.
  HeldFiles(FileSystem& fs, std::string directory, TableCache* tables, BlobReader* blobs)
      : fs_(fs), directory_(std::move(directory)), tables_(tables), blobs_(blobs) {}

  // MissingFile() for the first missing file, after opening all others. Damaged and unsupported
  // files are left to their readers.
  Status Hold(const DatabaseState& state);
  // Closes files of earlier states that this one does not name.
  void LetGoOfOthers(const DatabaseState& state);

 private:
  FileSystem& fs_;
  const std::string directory_;
  TableCache* const tables_;
  BlobReader* const blobs_;
  std::set<FileNumber> held_tables_;
  std::set<FileNumber> held_blobs_;
};

// For reports that read tables, possibly concurrent with a writer: holds the files open. Missing
// files are left to their readers as well, which call CheckTable() first: no writer has deleted
// them.
Result<DatabaseFiles> ReadAndHoldFiles(FileSystem& fs, const std::string& directory,
                                       TableCache* tables, BlobReader* blobs = nullptr);

// For a walk through the WALs. The names live as long as `families` are not changed.
std::vector<FamilyLogState> LogStatesOf(const ColumnFamilies& families);

// WALs that are needed but missing, or shorter than the MANIFEST says.
std::vector<RecoveryLoss> LostWals(const DatabaseFiles& files);

// For a database whose lock is held: removes unfinished writes from `report`. A log that ends
// within a record is not a loss then, since the record was not acknowledged yet. A complete record
// with a wrong checksum is a loss in any case.
void LeaveOutUnfinished(RecoveryReport* report);

}  // namespace varve
