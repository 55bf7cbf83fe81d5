// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/collapsing_iterator.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"

namespace varve {
namespace {

class CollapsingIterator final : public InternalIterator {
 public:
  CollapsingIterator(std::unique_ptr<InternalIterator> input, const Comparator& comparator,
                     const Visibility& visibility, const std::string& low)
      : input_(std::move(input)),
        comparator_(comparator),
        size_(comparator.timestamp_size()),
        visibility_(visibility),
        low_(low) {
    CHECK_OP(low_.size(), ==, size_);
  }

  void SeekToFirst() override {
    Forget();
    input_->SeekToFirst();
    Take();
  }
  void Seek(const InternalKey& target) override {
    Forget();
    input_->Seek(target);
    Take();
  }
  void Next() override {
    input_->Next();
    Take();
  }
  void SeekToLast() override { CHECK(false, "a compaction reads forwards"); }
  void SeekForPrev(const InternalKey& /*target*/) override {
    CHECK(false, "a compaction reads forwards");
  }
  void Prev() override { CHECK(false, "a compaction reads forwards"); }

 private:
  void Forget() {
    key_.reset();
    hides_.reset();
  }

  void Take() {
    ClearFailure();
    bool skipped = false;
    for (; input_->Valid(); input_->Next()) {
      const InternalKey& entry = input_->key();
      if (!IsHidden(entry)) {
        // The entry before may have been skipped: it had the same key, or a hidden version of it.
        return Expose(entry, input_->value(), input_->starts_user_key() && !skipped);
      }
      skipped = true;
    }
    if (input_->status().ok()) return Exhaust();
    Fail(input_->status());
  }

  bool IsHidden(const InternalKey& entry) {
    const std::string_view key = WithoutTimestamp(entry.user_key, size_);
    if (!key_ || comparator_.CompareWithoutTimestamps(*key_, key) != 0) {
      key_.emplace(key);
      hides_.reset();
    }
    const std::string_view timestamp = TimestampOf(entry.user_key, size_);
    if (comparator_.CompareTimestamps(timestamp, low_) >= 0) return false;
    if (hides_ && visibility_.SameStripe(*hides_, entry.sequence)) return true;
    if (entry.type != ValueType::kMerge) hides_ = entry.sequence;
    return false;
  }

  const std::unique_ptr<InternalIterator> input_;
  const Comparator& comparator_;
  const size_t size_;
  const Visibility& visibility_;
  const std::string& low_;
  std::optional<std::string> key_;
  // Of the last version of key_ with an older timestamp than low_ that is no operand: it hides
  // older versions of its stripe.
  std::optional<Sequence> hides_;
};

}  // namespace

std::unique_ptr<InternalIterator> NewCollapsingIterator(std::unique_ptr<InternalIterator> input,
                                                        const Comparator& comparator,
                                                        const Visibility& visibility,
                                                        const std::string& low) {
  if (low.empty()) return input;
  return std::make_unique<CollapsingIterator>(std::move(input), comparator, visibility, low);
}

}  // namespace varve
