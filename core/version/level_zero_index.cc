// SPDX-License-Identifier: Apache-2.0
#include "core/version/level_zero_index.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/bytes/common_prefix.h"
#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/iterator/key_head.h"

namespace varve {

LevelZeroIndex::LevelZeroIndex(const Comparator& comparator, std::vector<FilePtr> newest_first,
                               FileSearch search)
    : files_(std::move(newest_first)) {
  if (files_.empty() || search != FileSearch::kHeads ||
      comparator.kind() == Comparator::Kind::kOther) {
    return;
  }
  static_assert(kSweep <= 64, "Sweep() returns a bit for each");
  common_prefix_ = files_.front()->smallest.user_key;
  for (const FilePtr& file : files_) {
    for (const std::string_view key : {file->smallest.user_key, file->largest.user_key}) {
      common_prefix_.resize(CommonPrefixSize(key, common_prefix_));
    }
  }
  WithKeyOrder(comparator, [this](auto order) {
    for (const FilePtr& file : files_) {
      smallest_.push_back(KeyHead(order, file->smallest.user_key.substr(common_prefix_.size())));
      largest_.push_back(KeyHead(order, file->largest.user_key.substr(common_prefix_.size())));
    }
  });
}

template <typename Order>
uint64_t LevelZeroIndex::Sweep(Order order, std::string_view user_key, size_t begin) const {
  DCHECK_OP(begin, <, files_.size());
  const size_t count = std::min(kSweep, files_.size() - begin);
  if (smallest_.empty()) {
    return count == kSweep ? std::numeric_limits<uint64_t>::max() : (uint64_t{1} << count) - 1;
  }
  // Every key between two keys with the prefix has it as well.
  if (!user_key.starts_with(common_prefix_)) return 0;
  const uint64_t head = KeyHead(order, user_key.substr(common_prefix_.size()));
  uint64_t may_hold = 0;
  for (size_t i = 0; i < count; ++i) {
    const bool inside = smallest_[begin + i] <= head && head <= largest_[begin + i];
    may_hold |= uint64_t{inside ? 1u : 0u} << i;
  }
  return may_hold;
}

template uint64_t LevelZeroIndex::Sweep(BytewiseOrder, std::string_view, size_t) const;
template uint64_t LevelZeroIndex::Sweep(ReverseBytewiseOrder, std::string_view, size_t) const;
template uint64_t LevelZeroIndex::Sweep(VirtualOrder, std::string_view, size_t) const;

}  // namespace varve
