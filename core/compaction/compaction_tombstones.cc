// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/compaction_tombstones.h"

#include <string>
#include <utility>

#include "core/base/check.h"

namespace varve {
namespace {

// The sentinel (e, kMaxSequence, kRangeDeletion) ends a table before the user key e.
bool ExcludesItsKey(const InternalKey& largest) {
  return largest.sequence == kMaxSequence && largest.type == ValueType::kRangeDeletion;
}

}  // namespace

Status CompactionTombstones::Add(const FragmentedTombstones& list,
                                 const std::optional<InternalKey>& smallest,
                                 const std::optional<InternalKey>& largest) {
  CHECK(list_ == nullptr);
  const auto before = [&](std::string_view a, std::string_view b) {
    return comparator_->Compare(a, b) < 0;
  };
  for (const TombstoneFragment& fragment : list.fragments()) {
    std::string begin = fragment.begin, end = fragment.end;
    if (smallest && before(begin, smallest->user_key)) begin = smallest->user_key;
    if (largest && before(largest->user_key, end)) {
      end = largest->user_key;
      if (!ExcludesItsKey(*largest)) {
        if (comparator_->kind() != Comparator::Kind::kBytewise) {
          return Status::NotSupported("a range tombstone runs past the table's largest key " +
                                      DebugString(*largest) + " in the order " +
                                      std::string(comparator_->name()));
        }
        end.push_back('\0');  // The first key behind it.
      }
    }
    if (!before(begin, end)) continue;
    for (Sequence sequence : fragment.sequences) added_.push_back({begin, end, sequence});
  }
  return Status::Ok();
}

void CompactionTombstones::Finish() {
  CHECK(list_ == nullptr);
  const FragmentedTombstones all(*comparator_, std::move(added_));
  std::vector<RangeTombstone> kept;
  for (const TombstoneFragment& fragment : all.fragments()) {
    std::optional<Sequence> newer;  // The last one kept.
    for (Sequence sequence : fragment.sequences) {
      if (visibility_->MayDropTombstone(sequence) ||
          (newer.has_value() && visibility_->SameStripe(*newer, sequence))) {
        ++dropped_;
        continue;
      }
      newer = sequence;
      kept.push_back({fragment.begin, fragment.end, sequence});
    }
  }
  // Fragments that are alike now become one again.
  list_ = std::make_unique<FragmentedTombstones>(*comparator_, std::move(kept));
}

std::vector<RangeTombstone> CompactionTombstones::Within(
    std::optional<std::string_view> lower, std::optional<std::string_view> upper) const {
  CHECK(list_ != nullptr);
  std::vector<RangeTombstone> within;
  for (const TombstoneFragment& fragment : list_->fragments()) {
    std::string_view begin = fragment.begin, end = fragment.end;
    if (lower && comparator_->Compare(begin, *lower) < 0) begin = *lower;
    if (upper && comparator_->Compare(*upper, end) < 0) end = *upper;
    if (comparator_->Compare(begin, end) >= 0) continue;
    for (Sequence sequence : fragment.sequences) {
      within.push_back({std::string(begin), std::string(end), sequence});
    }
  }
  return within;
}

}  // namespace varve
