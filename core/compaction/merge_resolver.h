// SPDX-License-Identifier: Apache-2.0
// MergeResolver folds the merge operands that a compaction finds for one stored key, as far as
// possible. The operator is given the key as reads give it, without its timestamp.
// It never loses data: if the operator is unknown or fails, the operands stay, and readers get the
// error.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/internal_key.h"
#include "varve/merge_operator.h"

namespace varve {

// A version of the current key that is kept while the input moves on.
struct HeldVersion {
  Sequence sequence = 0;
  ValueType type = ValueType::kValue;
  std::string value;
};

class MergeResolver {
 public:
  // `merge_operator` may be null: then nothing is folded. `timestamp_size`: of the keys.
  explicit MergeResolver(const MergeOperator* merge_operator, size_t timestamp_size = 0)
      : operator_(merge_operator), timestamp_size_(timestamp_size) {}

  // `operands` not empty, newest first, all in one stripe, and the base they apply to (nullopt:
  // certainly none). On success *operands becomes one put with the newest sequence; false:
  // unchanged.
  bool MergeOnto(std::string_view stored, std::optional<std::string_view> base,
                 std::vector<HeldVersion>* operands) const;

  // The same with an unknown base: *operands becomes one operand if the operator supports that.
  bool Combine(std::string_view stored, std::vector<HeldVersion>* operands) const;

 private:
  const MergeOperator* operator_;
  size_t timestamp_size_;
};

}  // namespace varve
