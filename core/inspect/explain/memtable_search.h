// SPDX-License-Identifier: Apache-2.0
// What looking up a batch of keys in a memtable costs, in nodes: of the B+-tree that memtables are
// unless options say otherwise, and of the skip list that they can be, each key from the top, or
// from where the one before was found (finger search).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inspect/wal/log_entries.h"

namespace varve {

// Nodes visited. In the skip list each visit compares a key with the one that is looked for.
struct MemtableSearch {
  uint64_t entries = 0;
  uint64_t visited_tree = 0;  // Key by key.
  uint64_t visited_per_key = 0;
  uint64_t visited_finger = 0;
};

// `entries` are what the memtable holds, each once; `keys` in ascending order.
MemtableSearch CountMemtableSearch(const Comparator& comparator,
                                   const std::vector<LogEntry>& entries,
                                   const std::vector<std::string>& keys);

}  // namespace varve
