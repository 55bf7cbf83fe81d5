// SPDX-License-Identifier: Apache-2.0
// What changes the merged inputs of a compaction on their way to it. Forwards only.
#pragma once

#include <memory>
#include <utility>

#include "core/base/check.h"
#include "core/iterator/internal_iterator.h"

namespace varve {

class ForwardIterator : public InternalIterator {
 public:
  explicit ForwardIterator(std::unique_ptr<InternalIterator> input) : input_(std::move(input)) {}

  void SeekToFirst() final {
    Forget();
    input_->SeekToFirst();
    Take();
  }
  void Seek(const InternalKey& target) final {
    Forget();
    input_->Seek(target);
    Take();
  }
  void Next() final {
    input_->Next();
    Take();
  }
  void SeekToLast() final { CHECK(false, "a compaction reads forwards"); }
  void SeekForPrev(const InternalKey& /*target*/) final {
    CHECK(false, "a compaction reads forwards");
  }
  void Prev() final { CHECK(false, "a compaction reads forwards"); }

 protected:
  InternalIterator& input() { return *input_; }

 private:
  // What is known of the entry before: the next one is not behind it.
  virtual void Forget() = 0;
  // Shows the first entry at or behind the input's position that is not dropped.
  virtual void Take() = 0;

  const std::unique_ptr<InternalIterator> input_;
};

}  // namespace varve
