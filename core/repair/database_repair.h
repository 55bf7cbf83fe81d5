// SPDX-License-Identifier: Apache-2.0
// Repair makes a new database out of what is left of one: of its MANIFEST if that can be read, else
// of the tables alone. Nothing of the old directory is changed.
//
//   MANIFEST whole          its tables on their levels; damaged ones salvaged, lost ones left out
//   MANIFEST cut or broken  the tables that its readable part has not deleted, placed anew
//   no MANIFEST             all tables, placed anew (repair/placement.h); families from properties
//
// Logs are copied, not applied: whoever opens the new database replays them (cli/commands/maintain/repair.cc
// does, skipping what is damaged in them).
#pragma once

#include <string>
#include <vector>

#include "core/inspect/salvage/salvage.h"
#include "varve/environment.h"
#include "varve/result.h"

namespace varve {

struct RepairTable {
  enum class Fate : uint8_t {
    kKept,      // As it is.
    kSalvaged,  // A new table of what was sound in it: `bill`.
    kMerged,    // With others, into a new table.
    kLost,      // The MANIFEST names it, but it is missing, or nothing of it could be saved.
    kObsolete,  // The MANIFEST says that it is not needed any more.
  };
  std::string name;
  std::string family;
  Fate fate = Fate::kKept;
  int level = 0;  // In the new database; kLost, kObsolete: meaningless.
  std::string why = {};
  std::optional<SalvageReport> bill = {};
  uint64_t entries = 0;  // In the new database.
};

struct RepairReport {
  bool manifest_whole = false;
  std::string manifest;  // What could be read of it, for people.
  std::vector<std::string> families;
  std::vector<RepairTable> tables;
  std::vector<std::string> logs;   // Copied, to be replayed.
  std::vector<std::string> blobs;  // Copied.
  uint64_t entries = 0;            // In the tables of the new database.
  Sequence last_sequence = 0;      // Of the tables.

  // Nothing of the tables was lost.
  bool complete() const;
};

struct RepairOptions {
  bool dry_run = false;  // Reads all, writes nothing.
  VerifyProgressFn progress = nullptr;
};

// `destination` must not exist, or be an empty directory: kBusy otherwise. NotSupported: LevelDB's
// directories, several paths, unknown comparators. After a failure the destination is incomplete.
Result<RepairReport> RepairDatabase(const Environment& env, const std::string& source,
                                    const std::string& destination, const RepairOptions& options);

// Puts the finished directory `repaired` in the place of `path`, whose old contents stay at `aside`,
// which must not exist.
Status ReplaceDirectory(FileSystem& fs, const std::string& repaired, const std::string& path,
                        const std::string& aside);

}  // namespace varve
