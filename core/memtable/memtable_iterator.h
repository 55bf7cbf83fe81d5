// SPDX-License-Identifier: Apache-2.0
// MemTableIterator walks the entries of a memtable. What writers add ahead of it meanwhile is seen.
// Next() follows a link; Prev() is a search, for nodes know only their successors.
#pragma once

#include <memory>
#include <utility>

#include "core/base/check.h"
#include "core/iterator/internal_iterator.h"
#include "core/memtable/skiplist.h"

namespace varve {

template <typename Order>
class MemTableIterator final : public InternalIterator {
 public:
  // `owner` keeps the list alive.
  MemTableIterator(const SkipList<Order>* list, std::shared_ptr<const void> owner)
      : list_(list), owner_(std::move(owner)) {}

  void SeekToFirst() override { Show(list_->First()); }
  void SeekToLast() override { Show(list_->Last()); }
  void Seek(const InternalKey& target) override {
    Show(list_->FirstNotBefore(list_->MakeTarget(target)));
  }
  void SeekForPrev(const InternalKey& target) override {
    // Versions of a key sort by descending `packed`: the last entry at or before the target is the
    // last one before its successor. (key, 0, 0) has no successor among the versions of its key,
    // but being the only node that could equal the target it is found by looking.
    const auto sought = list_->MakeTarget(target);
    const SkipListNode* at = list_->FirstNotBefore(sought);
    if (at != nullptr && at->packed == sought.packed &&
        list_->order()(at->user_key(), target.user_key) == 0) {
      return Show(at);
    }
    Show(list_->LastBefore(sought));
  }
  void Next() override {
    VARVE_CHECK(Valid());
    Show(node_->next(0));
  }
  void Prev() override {
    VARVE_CHECK(Valid());
    Show(list_->LastBefore({node_->head, node_->user_key(), node_->packed}));
  }

 private:
  void Show(const SkipListNode* node) {
    node_ = node;
    if (node == nullptr) return Exhaust();
    if (const SkipListNode* next = node->next(0); next != nullptr) __builtin_prefetch(next);
    Expose(node->key(), node->value());
  }

  const SkipList<Order>* const list_;
  const std::shared_ptr<const void> owner_;
  const SkipListNode* node_ = nullptr;
};

}  // namespace varve
