// SPDX-License-Identifier: Apache-2.0
// What a database consists of at one moment: its MANIFEST replayed, its directory, its WALs open.
//
// Somebody may be writing to it. Then MANIFEST, directory and WALs are read one after the other while
// they change, and together may show what never was: a flush between the first and the second
// deletes a WAL whose table the MANIFEST did not name yet, an ingestion between the first and the
// third leaves out what is earlier than the WAL's last records. So everything is read again until
// the MANIFEST, looked at once more in the end, is the one that was read, byte for byte. By then no
// file that it needs was deleted (edits come first), the WALs that are open are all that it needs,
// and no record in them is later than an edit that is missing.
//
// Tables that are needed may be deleted as soon as that look is over. Who will read them opens them
// before it (`hold`, HeldFiles): what is open stays readable, and of the next MANIFEST only what is
// new is left to be opened.
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
#include "core/wal/wal_walk.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

struct DatabaseFiles {
  RecoveredManifest manifest;
  std::vector<DirectoryEntry> entries;
  // To be replayed, ascending. With other writers: open, and with their sizes of that moment.
  std::vector<WalFile> wals;
  // Of ReadAndHoldFiles(): the tables that cannot be opened, and are not in the directory as the
  // MANIFEST has them. Why: as MissingFile(), or what stands in their place.
  std::map<FileNumber, Status> unreadable_tables = {};

  Status CheckTable(FileNumber number) const {
    const auto found = unreadable_tables.find(number);
    return found == unreadable_tables.end() ? Status::Ok() : found->second;
  }
};

enum class OtherWriters : uint8_t {
  kNone,      // The caller has the lock.
  kPossible,  // kBusy if the MANIFEST changes each time it is read.
};

// Opens what a state names. An error is the caller's if the MANIFEST is still the same then.
using HoldFiles = std::function<Status(const DatabaseState& state)>;

Result<DatabaseFiles> ReadDatabaseFiles(FileSystem& fs, const std::string& directory,
                                        const Options& options, TableCache* tables,
                                        OtherWriters others, const HoldFiles& hold = nullptr);

// Corruption: the file is named, and is not there.
Status MissingFile(const std::string& directory, const std::string& name);

// While somebody holds the database's lock, keeps open what a state names: tables in `tables`, blob
// files in `blobs`, however few these were to keep open. One thread.
class HeldFiles {
 public:
  // `blobs` may be null: they are not read.
  HeldFiles(FileSystem& fs, std::string directory, TableCache* tables, BlobReader* blobs)
      : fs_(fs), directory_(std::move(directory)), tables_(tables), blobs_(blobs) {}

  // As MissingFile() of the first one that is missing, when all others are held. Damage, and what is
  // not supported, is left to whoever reads the file.
  Status Hold(const DatabaseState& state);
  // Closes of the files of all states that were held those that this one does not name.
  void LetGoOfOthers(const DatabaseState& state);

 private:
  FileSystem& fs_;
  const std::string directory_;
  TableCache* const tables_;
  BlobReader* const blobs_;
  std::set<FileNumber> held_tables_;
  std::set<FileNumber> held_blobs_;
};

// For a report that reads tables, and may be made beside a writer: what it needs is held. A missing
// file, too, is left to whoever reads it, and asks CheckTable() first: nobody has deleted it since.
Result<DatabaseFiles> ReadAndHoldFiles(FileSystem& fs, const std::string& directory,
                                       TableCache* tables, BlobReader* blobs = nullptr);

// WALs that are needed and that the MANIFEST says more of than there is: missing, or cut.
std::vector<RecoveryLoss> LostWals(const DatabaseFiles& files);

// Where somebody holds the lock: takes out of `report` what he has not finished writing. A log that
// ends within a record is no loss then, for nobody was told of that record yet. A whole record with a
// wrong checksum is one, whoever writes.
void LeaveOutUnfinished(RecoveryReport* report);

}  // namespace varve
