// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/merge_resolver.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
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

bool MergeResolver::MergeOnto(std::string_view stored, std::optional<std::string_view> base,
                              std::vector<HeldVersion>* operands) const {
  CHECK(!operands->empty());
  if (operator_ == nullptr) return false;
  Result<std::string> merged =
      operator_->Merge(WithoutTimestamp(stored, timestamp_size_), base, OldestFirst(*operands));
  // If the result is too large for an entry, the operands stay, as if they could not be merged.
  if (!merged.ok() || !FitsBlock(stored.size(), merged->size())) return false;
  const Sequence newest = operands->front().sequence;
  operands->clear();
  operands->push_back({newest, ValueType::kValue, *std::move(merged)});
  return true;
}

bool MergeResolver::Combine(std::string_view stored, std::vector<HeldVersion>* operands) const {
  CHECK(!operands->empty());
  if (operator_ == nullptr || operands->size() == 1) return false;
  std::optional<std::string> combined =
      operator_->Combine(WithoutTimestamp(stored, timestamp_size_), OldestFirst(*operands));
  if (!combined || !FitsBlock(stored.size(), combined->size())) return false;
  const Sequence newest = operands->front().sequence;
  operands->clear();
  operands->push_back({newest, ValueType::kMerge, *std::move(combined)});
  return true;
}

}  // namespace varve
