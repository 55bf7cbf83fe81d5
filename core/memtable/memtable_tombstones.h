// SPDX-License-Identifier: Apache-2.0
// MemTableTombstones keeps the range tombstones of a memtable. Few families have any, so that
// "none" costs readers one atomic load; the others share a fragmented snapshot that is rebuilt by
// the first reader after a change. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/mutex.h"
#include "core/iterator/range_tombstones.h"
#include "varve/comparator.h"

namespace varve {

class MemTableTombstones {
 public:
  explicit MemTableTombstones(const Comparator& comparator) : comparator_(&comparator) {}

  void Add(std::string_view begin, std::string_view end, Sequence sequence) EXCLUDES(mu_);

  // Pairs with the release store in Add: who sees a tombstone's sequence published sees it here.
  bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
  // Null if there are none.
  std::shared_ptr<const FragmentedTombstones> Snapshot() const EXCLUDES(mu_);
  uint64_t MemoryUsage() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  const Comparator* const comparator_;
  std::atomic<uint64_t> count_{0};
  std::atomic<uint64_t> bytes_{0};
  mutable Mutex mu_;
  std::vector<RangeTombstone> all_ GUARDED_BY(mu_);
  // Of all_, or null after a change.
  mutable std::shared_ptr<const FragmentedTombstones> snapshot_ GUARDED_BY(mu_);
};

}  // namespace varve
