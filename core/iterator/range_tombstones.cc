// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/range_tombstones.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "core/base/key_order.h"

namespace varve {
namespace {

// Index of the first fragment that ends after `key`; only that one can hold it.
template <typename Order>
size_t FirstEndingAfter(Order order, const std::vector<TombstoneFragment>& fragments,
                        std::string_view key) {
  const auto it = std::partition_point(
      fragments.begin(), fragments.end(),
      [&](const TombstoneFragment& fragment) { return order(fragment.end, key) <= 0; });
  return static_cast<size_t>(it - fragments.begin());
}

Sequence NewestVisible(const TombstoneFragment& fragment, Sequence snapshot) {
  const auto it = std::lower_bound(fragment.sequences.begin(), fragment.sequences.end(), snapshot,
                                   std::greater<>());
  return it == fragment.sequences.end() ? 0 : *it;
}

// Sweeps over the ends of all tombstones in key order with the set of those that are open.
template <typename Order>
std::vector<TombstoneFragment> Fragment(Order order, std::vector<RangeTombstone> tombstones) {
  const auto less = [order](std::string_view a, std::string_view b) { return order(a, b) < 0; };
  std::erase_if(tombstones, [&](const RangeTombstone& t) { return !less(t.begin, t.end); });
  std::vector<const RangeTombstone*> by_begin, by_end;
  std::vector<std::string_view> cuts;
  for (const RangeTombstone& t : tombstones) {
    by_begin.push_back(&t);
    by_end.push_back(&t);
    cuts.push_back(t.begin);
    cuts.push_back(t.end);
  }
  std::sort(by_begin.begin(), by_begin.end(),
            [&](const auto* a, const auto* b) { return less(a->begin, b->begin); });
  std::sort(by_end.begin(), by_end.end(),
            [&](const auto* a, const auto* b) { return less(a->end, b->end); });
  std::sort(cuts.begin(), cuts.end(), less);
  cuts.erase(std::unique(cuts.begin(), cuts.end(),
                         [&](std::string_view a, std::string_view b) { return order(a, b) == 0; }),
             cuts.end());

  std::vector<TombstoneFragment> fragments;
  std::multiset<Sequence, std::greater<>> open;
  size_t begun = 0, ended = 0;
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    while (ended < by_end.size() && order(by_end[ended]->end, cuts[i]) <= 0) {
      open.erase(open.find(by_end[ended++]->sequence));
    }
    while (begun < by_begin.size() && order(by_begin[begun]->begin, cuts[i]) <= 0) {
      open.insert(by_begin[begun++]->sequence);
    }
    if (open.empty()) continue;
    std::vector<Sequence> sequences(open.begin(), open.end());
    sequences.erase(std::unique(sequences.begin(), sequences.end()), sequences.end());
    // A tombstone that was cut at a file boundary and came together again needs no cut.
    if (!fragments.empty() && order(fragments.back().end, cuts[i]) == 0 &&
        fragments.back().sequences == sequences) {
      fragments.back().end = cuts[i + 1];
      continue;
    }
    fragments.push_back({std::string(cuts[i]), std::string(cuts[i + 1]), std::move(sequences)});
  }
  return fragments;
}

}  // namespace

FragmentedTombstones::FragmentedTombstones(const Comparator& comparator,
                                           std::vector<RangeTombstone> tombstones)
    : comparator_(&comparator), fragments_(WithKeyOrder(comparator, [&](auto order) {
        return Fragment(order, std::move(tombstones));
      })) {}

const TombstoneFragment* FragmentedTombstones::Find(std::string_view user_key) const {
  if (fragments_.empty()) return nullptr;
  return WithKeyOrder(*comparator_, [&](auto order) -> const TombstoneFragment* {
    const size_t i = FirstEndingAfter(order, fragments_, user_key);
    if (i == fragments_.size() || order(fragments_[i].begin, user_key) > 0) return nullptr;
    return &fragments_[i];
  });
}

Sequence FragmentedTombstones::NewestCovering(std::string_view user_key, Sequence snapshot) const {
  const TombstoneFragment* fragment = Find(user_key);
  return fragment == nullptr ? 0 : NewestVisible(*fragment, snapshot);
}

TombstoneCollector::TombstoneCollector(const Comparator& comparator, Sequence snapshot)
    : comparator_(&comparator), snapshot_(snapshot) {}

void TombstoneCollector::Add(uint64_t source, std::shared_ptr<const FragmentedTombstones> list,
                             const std::optional<InternalKey>& smallest,
                             const std::optional<InternalKey>& largest) {
  if (list == nullptr || list->empty()) return;
  if (source != 0) {
    for (const List& known : lists_) {
      if (known.source == source) return;
    }
  }
  List added;
  added.source = source;
  added.tombstones = std::move(list);
  if (smallest) {
    added.smallest_key = std::string(smallest->user_key);
    added.smallest_packed = smallest->packed();
  }
  if (largest) {
    added.largest_key = std::string(largest->user_key);
    added.largest_packed = largest->packed();
  }
  lists_.push_back(std::move(added));
}

void TombstoneCollector::Clear() { lists_.clear(); }

template <typename Order>
Sequence TombstoneCollector::NewestIn(Order order, const List& list, const InternalKey& key,
                                      Sequence snapshot) const {
  // Within one user key the larger packed number comes first. The bound (e, kMaxSequence,
  // kRangeDeletion) comes before every version of e and so excludes e by itself.
  if (list.smallest_key) {
    const int c = order(key.user_key, *list.smallest_key);
    if (c < 0 || (c == 0 && key.packed() > list.smallest_packed)) return 0;
  }
  if (list.largest_key) {
    const int c = order(key.user_key, *list.largest_key);
    if (c > 0 || (c == 0 && key.packed() < list.largest_packed)) return 0;
  }
  // A scan asks about neighbours: the answer is mostly the last fragment, or the one after it.
  const std::vector<TombstoneFragment>& fragments = list.tombstones->fragments();
  size_t& at = list.last;
  const auto ends_after = [&](size_t i) { return order(fragments[i].end, key.user_key) > 0; };
  if (at > 0 && ends_after(at - 1)) {
    at = FirstEndingAfter(order, fragments, key.user_key);
  } else if (at < fragments.size() && !ends_after(at)) {
    ++at;
    if (at < fragments.size() && !ends_after(at)) {
      at = FirstEndingAfter(order, fragments, key.user_key);
    }
  }
  if (at == fragments.size() || order(fragments[at].begin, key.user_key) > 0) return 0;
  return NewestVisible(fragments[at], snapshot);
}

bool TombstoneCollector::CoversSlow(const InternalKey& key) const {
  return WithKeyOrder(*comparator_, [&](auto order) {
    return std::any_of(lists_.begin(), lists_.end(), [&](const List& list) {
      return NewestIn(order, list, key, snapshot_) > key.sequence;
    });
  });
}

Sequence TombstoneCollector::NewestCoveringAt(const InternalKey& key, Sequence snapshot) const {
  return WithKeyOrder(*comparator_, [&](auto order) {
    Sequence newest = 0;
    for (const List& list : lists_) {
      newest = std::max(newest, NewestIn(order, list, key, snapshot));
    }
    return newest;
  });
}

}  // namespace varve
