// SPDX-License-Identifier: Apache-2.0
// Where is a key? Every file of its family, and the logs, with a verdict and its reason. Unlike a
// Get, the search does not end at the first answer and does not believe a filter: a file that holds
// the key is never left out, and a filter that denies a key its table holds is a finding.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inspect/explain/key_probe.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct LocatedFile {
  FileNumber number = 0;
  int level = 0;
  // "out_of_range", "holds", "filter_negative" (and the table agrees), "filter_wrong" (it denies a
  // key that is there), "not_here", "range_deleted" (only a range deletion), "unreadable".
  std::string verdict = {};
  std::string reason = {};  // For people.
  TableLook look = {};      // Empty when out of range.
};

struct LocateReport {
  std::string family = {};
  std::string key = {};
  Sequence at = kMaxSequence;
  std::vector<KeyVersion> logged = {};  // In the live logs, newest first; `block` means nothing.
  Sequence log_covered_by = 0;          // By a range deletion there.
  std::vector<LocatedFile> files = {};  // Level by level, level 0 newest first.

  // Why the first unreadable one is: whether it holds the key, nobody can say.
  Status problem() const;
};

struct KeyQuestion {
  std::string family = "default";
  std::string key = {};
  Sequence at = kMaxSequence;       // The moment asked about.
  Clock* clock = nullptr;           // Null: times are not taken.
  uint64_t cache_bytes = 64 << 20;  // For blocks; 0: each look at one reads it.
};

// NotSupported if the family's order is not known.
Result<LocateReport> LocateKey(FileSystem& fs, const std::string& path,
                               const KeyQuestion& question);

}  // namespace varve
