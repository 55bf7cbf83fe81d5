// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/merge_resolver.h"

#include <utility>

#include "core/base/check.h"

namespace varve {
namespace {

std::vector<std::string_view> OldestFirst(const std::vector<HeldVersion>& operands) {
  std::vector<std::string_view> values;
  values.reserve(operands.size());
  for (auto it = operands.rbegin(); it != operands.rend(); ++it) values.push_back(it->value);
  return values;
}

}  // namespace

bool MergeResolver::MergeOnto(std::string_view user_key, std::optional<std::string_view> base,
                              std::vector<HeldVersion>* operands) const {
  CHECK(!operands->empty());
  if (operator_ == nullptr) return false;
  Result<std::string> merged = operator_->Merge(user_key, base, OldestFirst(*operands));
  if (!merged.ok()) return false;
  const Sequence newest = operands->front().sequence;
  operands->clear();
  operands->push_back({newest, ValueType::kValue, *std::move(merged)});
  return true;
}

bool MergeResolver::Combine(std::string_view user_key, std::vector<HeldVersion>* operands) const {
  CHECK(!operands->empty());
  if (operator_ == nullptr || operands->size() == 1) return false;
  std::optional<std::string> combined = operator_->Combine(user_key, OldestFirst(*operands));
  if (!combined.has_value()) return false;
  const Sequence newest = operands->front().sequence;
  operands->clear();
  operands->push_back({newest, ValueType::kMerge, *std::move(combined)});
  return true;
}

}  // namespace varve
