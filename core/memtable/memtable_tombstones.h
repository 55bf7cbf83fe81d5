// SPDX-License-Identifier: Apache-2.0
// MemTableTombstones stores the range tombstones of a memtable. Few families have any, so readers
// check for "none" with one atomic load. Lists of tombstones are immutable, so there are several,
// each more than twice as long as the next:
//
//   lists     [ 16 ] [ 5 ] [ 2 ]    added since: 3      the next reader makes [ 16 ] [ 10 ] of it
//
// Each tombstone is built into O(log n) lists over time, and a reader searches O(log n) lists,
// however writes and reads alternate (the logarithmic method of Bentley and Saxe, "Decomposable
// searching problems I", 1980). Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.h"
#include "core/iterator/range_tombstones.h"
#include "varve/comparator.h"

namespace varve {

class MemTableTombstones {
 public:
  explicit MemTableTombstones(const Comparator& comparator) : comparator_(&comparator) {}

  void Add(std::string_view begin, std::string_view end, Sequence sequence) EXCLUDES(mu_);

  // Pairs with the release store in Add: a reader that sees a tombstone's sequence published sees
  // it.
  bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
  // Null if there are none.
  std::shared_ptr<const TombstoneLists> Snapshot() const EXCLUDES(mu_);
  uint64_t MemoryUsage() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  void BuildLists() const REQUIRES(mu_);

  const Comparator* const comparator_;
  std::atomic<uint64_t> count_{0};
  std::atomic<uint64_t> bytes_{0};
  mutable Mutex mu_;
  // Added since lists_ were built.
  mutable std::vector<RangeTombstone> added_ GUARDED_BY(mu_);
  mutable std::shared_ptr<const TombstoneLists> lists_ GUARDED_BY(mu_);
};

}  // namespace varve
