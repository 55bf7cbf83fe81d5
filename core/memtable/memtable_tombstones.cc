// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/memtable_tombstones.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/check.h"

namespace varve {

void MemTableTombstones::Add(std::string_view begin, std::string_view end, Sequence sequence) {
  MutexLock lock(mu_);
  added_.push_back({std::string(begin), std::string(end), sequence});
  // Twice: each end is also a cut of its list.
  bytes_.fetch_add(2 * (sizeof(RangeTombstone) + begin.size() + end.size()),
                   std::memory_order_relaxed);
  count_.fetch_add(1, std::memory_order_release);
}

std::shared_ptr<const TombstoneLists> MemTableTombstones::Snapshot() const {
  if (empty()) return nullptr;
  MutexLock lock(mu_);
  if (!added_.empty()) BuildLists();
  return lists_;
}

void MemTableTombstones::BuildLists() const {
  TombstoneLists lists = lists_ == nullptr ? TombstoneLists() : *lists_;
  std::vector<RangeTombstone> tombstones = std::move(added_);
  added_.clear();
  while (!lists.empty() && lists.back()->size() <= 2 * tombstones.size()) {
    const FragmentedTombstones& list = *lists.back();
    for (size_t i = 0; i < list.size(); ++i) {
      const FragmentedTombstones::Tombstone t = list.tombstone(i);
      tombstones.push_back({std::string(t.begin), std::string(t.end), t.sequence});
    }
    lists.pop_back();
  }
  lists.push_back(
      std::make_shared<const FragmentedTombstones>(*comparator_, std::move(tombstones)));
  DCHECK(std::adjacent_find(lists.begin(), lists.end(), [](const auto& list, const auto& after) {
           return list->size() <= 2 * after->size();
         }) == lists.end());
  lists_ = std::make_shared<const TombstoneLists>(std::move(lists));
}

}  // namespace varve
