// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/memtable_tombstones.h"

#include <string>

namespace varve {

void MemTableTombstones::Add(std::string_view begin, std::string_view end, Sequence sequence) {
  MutexLock lock(mu_);
  all_.push_back({std::string(begin), std::string(end), sequence});
  snapshot_.reset();
  // Twice: the list and its fragments.
  bytes_.fetch_add(2 * (sizeof(RangeTombstone) + begin.size() + end.size()),
                   std::memory_order_relaxed);
  count_.store(all_.size(), std::memory_order_release);
}

std::shared_ptr<const FragmentedTombstones> MemTableTombstones::Snapshot() const {
  if (empty()) return nullptr;
  MutexLock lock(mu_);
  if (snapshot_ == nullptr) {
    snapshot_ = std::make_shared<const FragmentedTombstones>(*comparator_, all_);
  }
  return snapshot_;
}

}  // namespace varve
