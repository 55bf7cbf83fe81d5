// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/visibility.h"

#include <algorithm>
#include <utility>

namespace varve {

Visibility::Visibility(std::vector<Sequence> snapshots, bool bottommost)
    : snapshots_(std::move(snapshots)), bottommost_(bottommost) {
  std::sort(snapshots_.begin(), snapshots_.end());
  if (!snapshots_.empty()) earliest_ = snapshots_.front();
}

Sequence Visibility::EarliestSeeing(Sequence sequence) const {
  const auto it = std::lower_bound(snapshots_.begin(), snapshots_.end(), sequence);
  return it == snapshots_.end() ? kMaxSequence : *it;
}

bool Visibility::MayZeroSequence(Sequence sequence, ValueType type) const {
  const bool is_value = type == ValueType::kValue || type == ValueType::kBlobIndex ||
                        type == ValueType::kWideColumnEntity;
  return is_value && bottommost_ && SeenByAll(sequence);
}

}  // namespace varve
