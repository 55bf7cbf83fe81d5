// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/compaction_tombstones.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"

namespace varve {
namespace {

// The sentinel (e, kMaxSequence, kRangeDeletion) ends a table before the user key e.
bool ExcludesItsKey(const InternalKey& largest) {
  return largest.sequence == kMaxSequence && largest.type == ValueType::kRangeDeletion;
}

}  // namespace

void CompactionTombstones::Add(const FragmentedTombstones& list,
                               const std::optional<InternalKey>& smallest,
                               const std::optional<InternalKey>& largest) {
  CHECK(stripes_.empty());
  const auto before = [&](std::string_view a, std::string_view b) {
    return comparator_->Compare(a, b) < 0;
  };
  for (size_t i = 0; i < list.size(); ++i) {
    const FragmentedTombstones::Tombstone tombstone = list.tombstone(i);
    if (visibility_->MayDropTombstone(tombstone.sequence)) continue;
    std::string begin(tombstone.begin), end(tombstone.end);
    if (smallest && before(begin, smallest->user_key)) begin = smallest->user_key;
    if (largest && before(largest->user_key, end)) {
      end = largest->user_key;
      if (ExcludesItsKey(*largest)) {
        // Ends there.
      } else if (comparator_->kind() == Comparator::Kind::kBytewise) {
        end.push_back('\0');  // The first key after it.
      } else if (!before(end, begin)) {
        tails_.push_back({end, tombstone.sequence, DebugString(*largest)});
      }
    }
    if (before(begin, end)) {
      added_.push_back({std::move(begin), std::move(end), tombstone.sequence});
    }
  }
}

Status CompactionTombstones::Finish() {
  CHECK(stripes_.empty());
  std::map<Sequence, std::vector<RangeTombstone>> by_stripe;
  for (RangeTombstone& tombstone : added_) {
    by_stripe[visibility_->EarliestSeeing(tombstone.sequence)].push_back(std::move(tombstone));
  }
  added_.clear();
  for (auto& [snapshot, tombstones] : by_stripe) AddStripe(std::move(tombstones));
  for (const Tail& tail : tails_) RETURN_IF_ERROR(CheckTail(tail));
  return Status::Ok();
}

void CompactionTombstones::AddStripe(std::vector<RangeTombstone> tombstones) {
  const FragmentedTombstones cut(*comparator_, std::move(tombstones));
  Stripe stripe;
  for (size_t i = 0; i < cut.fragments(); ++i) {
    const Sequence newest = cut.NewestOver(i, kMaxSequence);
    if (newest == 0) continue;
    const std::string &begin = cut.cuts()[i], &end = cut.cuts()[i + 1];
    if (!stripe.empty() && stripe.back().sequence == newest &&
        comparator_->Compare(stripe.back().end, begin) == 0) {
      stripe.back().end = end;
    } else {
      stripe.push_back({begin, end, newest});
    }
  }
  DCHECK(std::adjacent_find(stripe.begin(), stripe.end(),
                            [&](const RangeTombstone& a, const RangeTombstone& b) {
                              const int c = comparator_->Compare(a.end, b.begin);
                              return c > 0 || (c == 0 && a.sequence == b.sequence);
                            }) == stripe.end());
  if (!stripe.empty()) stripes_.push_back(std::move(stripe));
}

// Requires that other tombstones over the tail's key have the same effect as the tail.
Status CompactionTombstones::CheckTail(const Tail& tail) const {
  for (const Stripe& stripe : stripes_) {
    const auto at = FirstEndingAfter(stripe, tail.key);
    if (at != stripe.end() && comparator_->Compare(at->begin, tail.key) <= 0 &&
        at->sequence >= tail.sequence && visibility_->SameStripe(at->sequence, tail.sequence)) {
      return Status::Ok();
    }
  }
  return Status::NotSupported("a range tombstone runs past the table's largest key " +
                              tail.largest + " in the order " + std::string(comparator_->name()) +
                              ", and no other table continues it");
}

CompactionTombstones::Stripe::const_iterator CompactionTombstones::FirstEndingAfter(
    const Stripe& stripe, std::string_view key) const {
  return std::partition_point(stripe.begin(), stripe.end(), [&](const RangeTombstone& t) {
    return comparator_->Compare(t.end, key) <= 0;
  });
}

std::vector<RangeTombstone> CompactionTombstones::Within(
    std::optional<std::string_view> lower, std::optional<std::string_view> upper) const {
  const auto before = [&](std::string_view a, std::string_view b) {
    return comparator_->Compare(a, b) < 0;
  };
  CHECK(added_.empty(), "Finish() takes what was added");
  DCHECK(!lower || !upper || before(*lower, *upper));
  std::vector<RangeTombstone> within;
  for (const Stripe& stripe : stripes_) {
    auto at = lower ? FirstEndingAfter(stripe, *lower) : stripe.begin();
    for (; at != stripe.end() && (!upper || before(at->begin, *upper)); ++at) {
      const bool clip_begin = lower && before(at->begin, *lower);
      const bool clip_end = upper && before(*upper, at->end);
      within.push_back({clip_begin ? std::string(*lower) : at->begin,
                        clip_end ? std::string(*upper) : at->end, at->sequence});
    }
  }
  std::sort(within.begin(), within.end(), [&](const RangeTombstone& a, const RangeTombstone& b) {
    const int order = comparator_->Compare(a.begin, b.begin);
    return order != 0 ? order < 0 : a.sequence > b.sequence;
  });
  return within;
}

}  // namespace varve
