// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/memtable_search.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/memtable/btree.h"
#include "core/memtable/entry.h"
#include "core/memtable/node_arena.h"
#include "core/memtable/skiplist.h"

namespace varve {
namespace {

class CountingComparator : public Comparator {
 public:
  explicit CountingComparator(const Comparator& of) : of_(of) {}
  int Compare(std::string_view a, std::string_view b) const override {
    ++count;
    return of_.Compare(a, b);
  }
  std::string_view name() const override { return of_.name(); }

  mutable uint64_t count = 0;

 private:
  const Comparator& of_;
};

// Random heights of nodes from a fixed seed, so that the same request gives the same result.
uint64_t NextHeightBits(uint64_t* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

// Height of a tree of the entries; 0 if there are none.
uint64_t HeightOfTree(const Comparator& comparator, const std::vector<LogEntry>& entries) {
  if (entries.empty()) return 0;
  return WithKeyOrder(comparator, [&](auto order) -> uint64_t {
    NodeArena arena;
    BTree<decltype(order)> tree(order, &arena);
    BTreeHint hint;
    for (const LogEntry& entry : entries) {
      tree.Insert(MemTableEntry::Make(entry.internal(), entry.value, &arena), &hint);
    }
    return tree.height();
  });
}

}  // namespace

MemtableSearch CountMemtableSearch(const Comparator& comparator,
                                   const std::vector<LogEntry>& entries,
                                   const std::vector<std::string>& keys) {
  DCHECK(std::is_sorted(keys.begin(), keys.end(), [&](const std::string& a, const std::string& b) {
    return comparator.Compare(a, b) < 0;
  }));
  const CountingComparator counting(comparator);
  NodeArena arena;
  SkipList list(VirtualOrder{&counting}, &arena);
  uint64_t random = 0x9e3779b97f4a7c15;
  SkipListHint hint;
  for (const LogEntry& entry : entries) {
    list.Insert(entry.internal(), entry.value, NextHeightBits(&random), &hint);
  }
  MemtableSearch search{.entries = entries.size(),
                        .visited_tree = HeightOfTree(comparator, entries) * keys.size()};
  const auto visits = [&](auto look) {
    counting.count = 0;
    for (const std::string& key : keys) {
      look(list.MakeTarget({key, kMaxSequence, ValueType::kMaxForSeek}));
    }
    return counting.count;
  };
  SkipListFinger finger;
  search.visited_per_key = visits([&](const auto& target) { list.FirstNotBefore(target); });
  search.visited_finger = visits([&](const auto& target) { list.FirstNotBefore(target, &finger); });
  return search;
}

}  // namespace varve
