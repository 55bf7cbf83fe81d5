// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/collapsing_iterator.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
#include "core/compaction/forward_iterator.h"

namespace varve {
namespace {

class CollapsingIterator final : public ForwardIterator {
 public:
  CollapsingIterator(std::unique_ptr<InternalIterator> input, const Comparator& comparator,
                     const Visibility& visibility, const std::string& low)
      : ForwardIterator(std::move(input)),
        comparator_(comparator),
        size_(comparator.timestamp_size()),
        visibility_(visibility),
        low_(low) {
    CHECK_OP(low_.size(), ==, size_);
  }

 private:
  void Forget() override {
    key_.reset();
    hides_.reset();
  }

  void Take() override {
    ClearFailure();
    bool skipped = false;
    for (; input().Valid(); input().Next()) {
      const InternalKey& entry = input().key();
      if (!IsHidden(entry)) {
        // The entry before may have been skipped: it had the same key, or a hidden version of it.
        return Expose(entry, input().value(), input().starts_user_key() && !skipped);
      }
      skipped = true;
    }
    if (input().status().ok()) return Exhaust();
    Fail(input().status());
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
