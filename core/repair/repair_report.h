// SPDX-License-Identifier: Apache-2.0
// The result of a repair, for each part of the database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/inspect/salvage/salvage.h"
#include "varve/types.h"

namespace varve {

struct RepairTable {
  enum class Fate : uint8_t {
    kKept,      // As it is.
    kSalvaged,  // A new table with its sound entries; `bill` has the losses.
    kMerged,    // Merged with others into a new table.
    kLost,      // The MANIFEST names it, but it is missing or nothing in it is readable.
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
  // The logs may have what was lost, and also what tables have, or older versions of that.
  bool brings_flushed_logs() const { return !manifest_whole && !complete() && !logs.empty(); }
};

}  // namespace varve
