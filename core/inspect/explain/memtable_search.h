// SPDX-License-Identifier: Apache-2.0
// The cost of looking up a batch of keys in a memtable, in visited nodes: of the default B+-tree,
// and of the optional skip list, with each key searched from the top or from the position of the
// previous one (finger search).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inspect/wal/log_entries.h"

namespace varve {

// Nodes visited. In the skip list each visit is one key comparison.
struct MemtableSearch {
  uint64_t entries = 0;
  uint64_t visited_tree = 0;  // Each key separately.
  uint64_t visited_per_key = 0;
  uint64_t visited_finger = 0;
};

// `entries`: the memtable's, without duplicates; `keys` in ascending order.
MemtableSearch CountMemtableSearch(const Comparator& comparator,
                                   const std::vector<LogEntry>& entries,
                                   const std::vector<std::string>& keys);

}  // namespace varve
