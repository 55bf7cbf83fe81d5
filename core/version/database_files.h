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
// before it (`hold`): what is open stays readable, and of the next MANIFEST only what is new is left
// to be opened.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/table/cache/table_cache.h"
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

// WALs that are needed and that the MANIFEST says more of than there is: missing, or cut.
std::vector<RecoveryLoss> LostWals(const DatabaseFiles& files);

// Where somebody holds the lock: takes out of `report` what he has not finished writing. A log that
// ends within a record is no loss then, for nobody was told of that record yet. A whole record with a
// wrong checksum is one, whoever writes.
void LeaveOutUnfinished(RecoveryReport* report);

}  // namespace varve
