// SPDX-License-Identifier: Apache-2.0
// Finds a key in every file of its family and in the logs, with a verdict and its reason. Unlike a
// Get, the search does not end at the first result and does not trust filters: a file that has the
// key is never left out, and a filter that denies a key of its table is a finding.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inspect/explain/table_look.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct LocatedFile {
  FileNumber number = 0;
  int level = 0;
  // "out_of_range", "holds", "filter_negative" (correctly), "filter_wrong" (the key exists),
  // "not_here", "range_deleted" (only a range deletion), "unreadable".
  std::string verdict = {};
  std::string reason = {};  // For people.
  TableLook look = {};      // Empty when out of range.
};

struct LocateReport {
  std::string family = {};
  std::string key = {};
  Sequence at = 0;                      // The sequence number that was read at.
  std::vector<KeyVersion> logged = {};  // In the live logs, newest first; `block` is unused.
  Sequence log_covered_by = 0;          // By a range deletion there.
  std::vector<LocatedFile> files = {};  // Level by level, level 0 newest first.

  // The error of every Get, whatever the key: a table of this or another family is missing.
  Status refused = {};

  // The error of the first unreadable table, which may or may not have the key; else `refused`.
  Status problem() const;
};

struct KeyQuestion {
  std::string family = "default";
  std::string key = {};
  std::optional<Sequence> at = {};  // The sequence number to read at; nullopt: the newest.
  Clock* clock = nullptr;           // Null: no times are measured.
  uint64_t cache_bytes = 64 << 20;  // For blocks; 0: every access reads the block.
};

// NotSupported for an unknown comparator, InvalidArgument for a sequence number that has not been
// used yet.
Result<LocateReport> LocateKey(FileSystem& fs, const std::string& path,
                               const KeyQuestion& question);

}  // namespace varve
