// SPDX-License-Identifier: Apache-2.0
#include "core/version/seen_bounds.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"

namespace varve {

void SeenBounds::Cover(const InternalKey& key) {
  if (empty() || Compare(key, smallest_) < 0) smallest_ = EncodeInternalKey(key);
  if (largest_.empty() || Compare(key, largest_) > 0) largest_ = EncodeInternalKey(key);
}

void SeenBounds::CoverSequence(Sequence sequence) {
  first_ = std::min(first_, sequence);
  last_ = std::max(last_, sequence);
}

void SeenBounds::Describe(FileDescription* out) const {
  CHECK(!empty());
  CHECK_OP(first_, <=, last_);
  out->smallest = smallest_;
  out->largest = largest_;
  out->smallest_sequence = first_;
  out->largest_sequence = last_;
}

int SeenBounds::Compare(const InternalKey& key, const std::string& encoded) const {
  DCHECK_OP(encoded.size(), >=, kPackedSize);
  return CompareInternalKeys(VirtualOrder{&order_}, key, *DecodeInternalKey(encoded));
}

}  // namespace varve
