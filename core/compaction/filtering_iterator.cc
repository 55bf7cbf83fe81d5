// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/filtering_iterator.h"

#include <optional>
#include <string>
#include <utility>

#include "core/compaction/forward_iterator.h"
#include "core/version/blob_reader.h"

namespace varve {
namespace {

class FilteringIterator final : public ForwardIterator {
 public:
  FilteringIterator(std::unique_ptr<InternalIterator> input,
                    std::unique_ptr<CompactionFilter> filter, const BlobReader* blobs,
                    const Comparator& comparator, int level, std::optional<std::string> end)
      : ForwardIterator(std::move(input)),
        filter_(std::move(filter)),
        blobs_(blobs),
        comparator_(comparator),
        level_(level),
        end_(std::move(end)) {}

 private:
  void Forget() override { last_key_.reset(); }
  void Take() override {
    ClearFailure();
    if (!input().Valid()) return input().status().ok() ? Exhaust() : Fail(input().status());
    const InternalKey& key = input().key();
    const bool newest = !last_key_ || comparator_.Compare(*last_key_, key.user_key) != 0;
    if (newest) last_key_.emplace(key.user_key);
    const bool is_blob = key.type == ValueType::kBlobIndex && blobs_ != nullptr;
    if (!newest || (key.type != ValueType::kValue && !is_blob)) return Expose(input());
    if (end_ && comparator_.Compare(key.user_key, *end_) >= 0) return Expose(input());
    std::string_view value = input().value();
    if (is_blob) {
      Result<Value> read = blobs_->Read(key.user_key, value);
      if (!read.ok()) return Fail(read.status());
      blob_ = *std::move(read);
      value = blob_.view();
    }
    new_value_.clear();
    switch (filter_->Filter(level_, key.user_key, value, &new_value_)) {
      case CompactionFilter::Decision::kKeep:
        return Expose(input());
      case CompactionFilter::Decision::kRemove:
        return Expose({key.user_key, key.sequence, ValueType::kDeletion}, {},
                      input().starts_user_key());
      case CompactionFilter::Decision::kChange:
        return Expose({key.user_key, key.sequence, ValueType::kValue}, new_value_,
                      input().starts_user_key());
    }
  }

  const std::unique_ptr<CompactionFilter> filter_;
  const BlobReader* const blobs_;
  const Comparator& comparator_;
  const int level_;
  const std::optional<std::string> end_;
  std::optional<std::string> last_key_;
  Value blob_;
  std::string new_value_;
};

}  // namespace

std::unique_ptr<InternalIterator> NewFilteringIterator(std::unique_ptr<InternalIterator> input,
                                                       std::unique_ptr<CompactionFilter> filter,
                                                       const BlobReader* blobs,
                                                       const Comparator& comparator, int level,
                                                       std::optional<std::string> end) {
  if (filter == nullptr) return input;
  return std::make_unique<FilteringIterator>(std::move(input), std::move(filter), blobs, comparator,
                                             level, std::move(end));
}

}  // namespace varve
