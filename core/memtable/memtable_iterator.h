// SPDX-License-Identifier: Apache-2.0
// MemTableIterator walks the entries of a memtable, with any index. It sees entries that writers
// insert ahead of its position.
#pragma once

#include <memory>
#include <utility>

#include "core/base/check.h"
#include "core/iterator/internal_iterator.h"

namespace varve {

// Index: SkipList or BTree.
template <typename Index>
class MemTableIterator final : public InternalIterator {
 public:
  // `owner` keeps the index alive.
  MemTableIterator(const Index* index, std::shared_ptr<const void> owner)
      : index_(index), owner_(std::move(owner)) {}

  void SeekToFirst() override { Show(index_->First()); }
  void SeekToLast() override { Show(index_->Last()); }
  void Seek(const InternalKey& target) override {
    Show(index_->FirstNotBefore(index_->MakeTarget(target)));
  }
  void SeekForPrev(const InternalKey& target) override {
    // Versions of a key sort by descending `packed`: the last entry <= target is the last one
    // before the target's successor. (key, 0, 0) has no successor among the versions of its key;
    // the only entry that could equal it is found by comparing.
    const auto sought = index_->MakeTarget(target);
    const auto at = index_->FirstNotBefore(sought);
    if (at.entry != nullptr && at.entry->packed == sought.packed &&
        index_->order()(at.entry->user_key(), target.user_key) == 0) {
      return Show(at);
    }
    Show(index_->LastBefore(sought));
  }
  void Next() override {
    VARVE_CHECK(Valid());
    index_->Next(&at_);
    Show();
  }
  void Prev() override {
    VARVE_CHECK(Valid());
    Show(index_->Prev(at_));
  }

 private:
  void Show(const typename Index::Position& at) {
    at_ = at;
    Show();
  }
  void Show() {
    if (at_.entry == nullptr) return Exhaust();
    Expose(at_.entry->key(), at_.entry->value());
  }

  const Index* const index_;
  const std::shared_ptr<const void> owner_;
  typename Index::Position at_;
};

}  // namespace varve
