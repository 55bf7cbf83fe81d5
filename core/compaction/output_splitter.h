// SPDX-License-Identifier: Apache-2.0
// OutputSplitter decides where a compaction ends one output table and begins the next:
//
//   - never between two versions of a user key, which must be in one table of a level, the
//     only one that a read searches;
//   - when the table has reached its target size;
//   - when it overlaps so many bytes of the grandparents (the level below the output's) that
//     compacting it further would be expensive;
//   - a little early where a grandparent ends, so that boundaries line up and later compactions
//     rewrite fewer neighbours.
//
// Pure except for its position, which only moves forward. One thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/version/version.h"
#include "varve/comparator.h"

namespace varve {

class OutputSplitter {
 public:
  struct Limits {
    uint64_t target_file_size = 0;
    uint64_t max_grandparent_bytes = 0;  // 0: no limit.
  };

  // Requires that `grandparents` are ascending and disjoint.
  OutputSplitter(const Comparator& comparator, const Limits& limits,
                 std::vector<FilePtr> grandparents);

  // Whether the entries of `user_key`, which come next, must begin a new table. Call it once for
  // each user key, in order; `file_size` is the current size of the table, 0 if there is none.
  bool ShouldSplitBefore(std::string_view user_key, uint64_t file_size);

 private:
  // Skips the grandparents that end before `user_key`; true if there were any.
  bool PassGrandparents(std::string_view user_key);

  const Comparator* comparator_;
  const Limits limits_;
  const std::vector<FilePtr> grandparents_;
  size_t next_grandparent_ = 0;    // First that does not end before the last key.
  uint64_t overlapped_bytes_ = 0;  // Of grandparents the current table has passed.
};

}  // namespace varve
