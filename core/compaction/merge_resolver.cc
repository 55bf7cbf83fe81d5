// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/merge_resolver.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/format/entry_size.h"

namespace varve {
namespace {

std::vector<std::string_view> OldestFirst(const std::vector<HeldVersion>& operands) {
  DCHECK(std::is_sorted(operands.begin(), operands.end(),
                        [](const HeldVersion& a, const HeldVersion& b) {
                          return a.sequence > b.sequence;  // Newest first.
                        }));
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
  // If the result is too large for an entry, the operands stay, as if they could not be merged.
  if (!merged.ok() || !FitsBlock(user_key.size(), merged->size())) return false;
  const Sequence newest = operands->front().sequence;
  operands->clear();
  operands->push_back({newest, ValueType::kValue, *std::move(merged)});
  return true;
}

bool MergeResolver::Combine(std::string_view user_key, std::vector<HeldVersion>* operands) const {
  CHECK(!operands->empty());
  if (operator_ == nullptr || operands->size() == 1) return false;
  std::optional<std::string> combined = operator_->Combine(user_key, OldestFirst(*operands));
  if (!combined || !FitsBlock(user_key.size(), combined->size())) return false;
  const Sequence newest = operands->front().sequence;
  operands->clear();
  operands->push_back({newest, ValueType::kMerge, *std::move(combined)});
  return true;
}

}  // namespace varve
