// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/space/space_meter.h"

#include <algorithm>
#include <bit>

#include "core/base/check.h"

namespace varve {
namespace {

void Count(SizeHistogram* histogram, uint64_t size) {
  ++(*histogram)[std::min<size_t>(static_cast<size_t>(std::bit_width(size)),
                                  histogram->size() - 1)];
}

SpaceCount* Part(SpaceTotals* totals, SpaceKind kind) {
  switch (kind) {
    case SpaceKind::kLive:
      return &totals->live;
    case SpaceKind::kShadowed:
      return &totals->shadowed;
    case SpaceKind::kTombstone:
      break;
  }
  return &totals->tombstones;
}

}  // namespace

SpaceKind SpaceMeter::Classify(ValueType type, bool covered) {
  if (hidden_ || covered) {
    hidden_ = true;
    return SpaceKind::kShadowed;
  }
  if (type == ValueType::kMerge) return SpaceKind::kLive;
  hidden_ = true;
  return IsPointDeletion(type) ? SpaceKind::kTombstone : SpaceKind::kLive;
}

void SpaceMeter::BeginKey(std::string_view user_key) {
  if (user_key_ && *user_key_ == user_key) return;
  user_key_ = std::string(user_key);
  hidden_ = returned_ = false;
}

SpaceKind SpaceMeter::Add(const InternalKey& key, std::string_view value, bool covered) {
  BeginKey(key.user_key);
  const SpaceKind kind = Classify(key.type, covered);
  const uint64_t bytes = key.user_key.size() + kPackedSize + value.size();
  Part(&family_.total, kind)->Add(bytes);
  if (SpacePrefix* prefix = PrefixOf(key.user_key)) Part(&prefix->totals, kind)->Add(bytes);
  SpaceSlice* slice = family_.slices.empty() ? nullptr : &family_.slices.back();
  if (slice != nullptr) Part(&slice->totals, kind)->Add(bytes);
  if (kind == SpaceKind::kLive) {
    if (key.type == ValueType::kMerge) family_.merge_operands.Add(bytes);
    Count(&family_.key_sizes, key.user_key.size());
    Count(&family_.value_sizes, value.size());
    if (!returned_) {
      if (slice != nullptr) ++slice->keys;
      Return(key.user_key);
    }
    return kind;
  }
  ++family_.skipped;
  ++run_.skipped;
  run_.tombstones += kind == SpaceKind::kTombstone;
  if (slice != nullptr) ++slice->skipped;
  return kind;
}

void SpaceMeter::Return(std::string_view user_key) {
  returned_ = true;
  ++family_.keys;
  EndRun(std::string(user_key));
  last_returned_ = std::string(user_key);
}

void SpaceMeter::EndRun(std::optional<std::string> before) {
  run_.after = last_returned_;
  run_.before = std::move(before);
  std::vector<SkipRun>& runs = family_.longest_runs;
  if (run_.skipped > 0 && (runs.size() < kSkipRunsMax || run_.skipped > runs.back().skipped)) {
    runs.insert(
        std::upper_bound(runs.begin(), runs.end(), run_,
                         [](const SkipRun& a, const SkipRun& b) { return a.skipped > b.skipped; }),
        run_);
    if (runs.size() > kSkipRunsMax) runs.pop_back();
    DCHECK_OP(runs.size(), <=, kSkipRunsMax);
    DCHECK(std::is_sorted(runs.begin(), runs.end(), [](const SkipRun& a, const SkipRun& b) {
      return a.skipped > b.skipped;
    }));
  }
  run_ = {};
}

void SpaceMeter::AddRangeDeletion(std::string_view begin, std::string_view end,
                                  SpaceTotals* level) {
  const uint64_t bytes = begin.size() + kPackedSize + end.size();
  family_.total.tombstones.Add(bytes);
  level->tombstones.Add(bytes);
  ++family_.range_deletions;
}

// Keys with the same prefix are adjacent, so check the last prefix first.
SpacePrefix* SpaceMeter::PrefixOf(std::string_view user_key) {
  size_t length = options_.prefix_length;
  if (options_.delimiter) {
    const size_t at = user_key.find(*options_.delimiter);
    length = at == std::string_view::npos ? user_key.size() : at + 1;
  }
  if (length == 0) return nullptr;
  const std::string_view prefix = user_key.substr(0, length);
  if (family_.prefixes.empty() || family_.prefixes.back().prefix != prefix) {
    if (family_.prefixes.size() >= 2 * kSpacePrefixesMax) PrunePrefixes(kSpacePrefixesMax);
    family_.prefixes.push_back({std::string(prefix), {}});
  }
  return &family_.prefixes.back();
}

void SpaceMeter::PrunePrefixes(size_t keep) {
  std::stable_sort(family_.prefixes.begin(), family_.prefixes.end(),
                   [](const SpacePrefix& a, const SpacePrefix& b) {
                     return a.totals.bytes() > b.totals.bytes();
                   });
  if (family_.prefixes.size() <= keep) return;
  family_.prefixes.resize(keep);
  family_.prefixes_complete = false;
}

void SpaceMeter::Finish() {
  EndRun(std::nullopt);
  PrunePrefixes(kSpacePrefixesMax);
  user_key_.reset();
  last_returned_.reset();
}

}  // namespace varve
