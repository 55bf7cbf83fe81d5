// SPDX-License-Identifier: Apache-2.0
// VectorIterator shows a sorted vector as an InternalIterator, and fails where a test wants.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/iterator/internal_iterator.h"
#include "tests/unit/iterator/iterator_suite.h"
#include "varve/comparator.h"

namespace varve {

class VectorIterator final : public InternalIterator {
 public:
  VectorIterator(const Comparator& comparator, std::vector<TestEntry> entries)
      : comparator_(comparator), entries_(std::move(entries)) {}

  void FailAt(size_t i) { fail_at_ = i; }
  void FailAlways() { fail_always_ = true; }

  void SeekToFirst() override { Show(0); }
  void SeekToLast() override { Show(entries_.size() - 1); }
  void Seek(const InternalKey& target) override { Show(FirstNotBefore(target)); }
  void SeekForPrev(const InternalKey& target) override {
    const size_t i = FirstNotBefore(target);
    const bool exact = i < entries_.size() && !EntryBefore(comparator_, target, entries_[i].key());
    Show(exact ? i : i - 1);
  }
  void Next() override { Show(at_ + 1); }
  void Prev() override { Show(at_ - 1); }

 private:
  size_t FirstNotBefore(const InternalKey& target) const {
    return static_cast<size_t>(
        std::partition_point(
            entries_.begin(), entries_.end(),
            [&](const TestEntry& entry) { return EntryBefore(comparator_, entry.key(), target); }) -
        entries_.begin());
  }

  // One before the first entry is, as SIZE_MAX, beyond the last.
  void Show(size_t i) {
    at_ = i;
    ClearFailure();
    if (fail_always_ || i == fail_at_) return Fail(Status::Corruption("entry is broken"));
    if (i >= entries_.size()) return Exhaust();
    shown_ = entries_[i].user_key;  // Moved with every step, as a block's key buffer is.
    Expose({shown_, entries_[i].sequence, entries_[i].type}, entries_[i].value);
  }

  const Comparator& comparator_;
  const std::vector<TestEntry> entries_;
  size_t at_ = 0;
  size_t fail_at_ = SIZE_MAX - 1;
  bool fail_always_ = false;
  std::string shown_;
};

}  // namespace varve
