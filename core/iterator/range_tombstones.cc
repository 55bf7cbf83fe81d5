// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/range_tombstones.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"

namespace varve {
namespace {

// How many of `cuts` are <= `key`: it is in the fragment before that index.
template <typename Order>
size_t CutsUpTo(Order order, const std::vector<std::string>& cuts, std::string_view key) {
  const auto it = std::partition_point(
      cuts.begin(), cuts.end(), [&](const std::string& cut) { return order(cut, key) <= 0; });
  return static_cast<size_t>(it - cuts.begin());
}

// Joins tombstones of the same sequence that overlap or touch.
template <typename Order>
void JoinParts(Order order, std::vector<RangeTombstone>* tombstones) {
  std::sort(tombstones->begin(), tombstones->end(),
            [&](const RangeTombstone& a, const RangeTombstone& b) {
              if (a.sequence != b.sequence) return a.sequence < b.sequence;
              return order(a.begin, b.begin) < 0;
            });
  size_t joined = 0;  // Tombstones before it are finished.
  for (RangeTombstone& next : *tombstones) {
    if (joined > 0) {
      RangeTombstone& last = (*tombstones)[joined - 1];
      if (last.sequence == next.sequence && order(next.begin, last.end) <= 0) {
        if (order(last.end, next.end) < 0) last.end = std::move(next.end);
        continue;
      }
    }
    if (RangeTombstone& place = (*tombstones)[joined++]; &place != &next) place = std::move(next);
  }
  tombstones->resize(joined);
}

}  // namespace

FragmentedTombstones::FragmentedTombstones(const Comparator& comparator,
                                           std::vector<RangeTombstone> tombstones)
    : comparator_(&comparator) {
  WithKeyOrder(comparator, [&](auto order) { Cut(order, std::move(tombstones)); });
  PlantTree();
}

template <typename Order>
void FragmentedTombstones::Cut(Order order, std::vector<RangeTombstone> tombstones) {
  std::erase_if(tombstones, [&](const RangeTombstone& t) { return order(t.begin, t.end) >= 0; });
  JoinParts(order, &tombstones);
  for (RangeTombstone& t : tombstones) {
    cuts_.push_back(t.begin);
    cuts_.push_back(t.end);
  }
  std::sort(cuts_.begin(), cuts_.end(),
            [&](const std::string& a, const std::string& b) { return order(a, b) < 0; });
  const auto same = [&](const std::string& a, const std::string& b) { return order(a, b) == 0; };
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end(), same), cuts_.end());
  cuts_.shrink_to_fit();
  const auto index = [&](std::string_view key) {
    return static_cast<uint32_t>(CutsUpTo(order, cuts_, key) - 1);
  };
  spans_.reserve(tombstones.size());
  for (const RangeTombstone& t : tombstones) {
    spans_.push_back({index(t.begin), index(t.end), t.sequence});
    DCHECK_OP(spans_.back().begin, <, spans_.back().end);
  }
  std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.sequence > b.sequence;
  });
}

// Calls visit(node) for the nodes that together cover the span, from the leaves upwards.
template <typename Visit>
void FragmentedTombstones::ForEachNode(const Span& span, const Visit& visit) const {
  size_t left = span.begin + fragments(), right = span.end + fragments();
  for (; left < right; left /= 2, right /= 2) {
    if (left % 2 == 1) visit(left++);
    if (right % 2 == 1) visit(--right);
  }
}

void FragmentedTombstones::PlantTree() {
  newest_.resize(cuts_.empty() ? 0 : cuts_.size() - 1);
  node_begin_.resize(2 * newest_.size() + 2);
  // Count first, node n's at n + 2: filling then advances n + 1 from the node's begin to its end.
  for (const Span& span : spans_) {
    ForEachNode(span, [&](size_t node) { ++node_begin_[node + 2]; });
  }
  for (size_t i = 2; i < node_begin_.size(); ++i) node_begin_[i] += node_begin_[i - 1];
  sequences_.resize(node_begin_.back());
  std::vector<uint32_t> newest_first(spans_.size());
  for (uint32_t i = 0; i < newest_first.size(); ++i) newest_first[i] = i;
  std::sort(newest_first.begin(), newest_first.end(),
            [this](uint32_t a, uint32_t b) { return spans_[a].sequence > spans_[b].sequence; });
  for (const uint32_t i : newest_first) {
    ForEachNode(spans_[i],
                [&](size_t node) { sequences_[node_begin_[node + 1]++] = spans_[i].sequence; });
  }
  CHECK_OP(node_begin_.back(), ==, sequences_.size(), "every node is filled completely");
  for (size_t node = 0; node + 1 < node_begin_.size(); ++node) {
    DCHECK(std::is_sorted(sequences_.begin() + node_begin_[node],
                          sequences_.begin() + node_begin_[node + 1], std::greater<>()));
  }
  for (size_t i = 0; i < newest_.size(); ++i) newest_[i] = NewestOfThePast(i, kMaxSequence);
}

Sequence FragmentedTombstones::NewestOfThePast(size_t fragment, Sequence snapshot) const {
  Sequence newest = 0;
  for (size_t node = fragment + fragments(); node > 0; node /= 2) {
    const auto begin = sequences_.begin() + node_begin_[node];
    const auto end = sequences_.begin() + node_begin_[node + 1];
    const auto visible = std::lower_bound(begin, end, snapshot, std::greater<>());
    if (visible != end) newest = std::max(newest, *visible);
  }
  return newest;
}

Sequence FragmentedTombstones::NewestCovering(std::string_view user_key, Sequence snapshot) const {
  return WithKeyOrder(*comparator_, [&](auto order) -> Sequence {
    const size_t cuts = CutsUpTo(order, cuts_, user_key);
    return cuts == 0 || cuts == cuts_.size() ? 0 : NewestOver(cuts - 1, snapshot);
  });
}

uint64_t FragmentedTombstones::memory_bytes() const {
  uint64_t bytes = sizeof(*this) + cuts_.capacity() * sizeof(std::string) +
                   spans_.capacity() * sizeof(Span) +
                   (newest_.capacity() + sequences_.capacity()) * sizeof(Sequence) +
                   node_begin_.capacity() * sizeof(uint32_t);
  for (const std::string& cut : cuts_) bytes += cut.size();
  return bytes;
}

TombstoneCollector::TombstoneCollector(const Comparator& comparator, Sequence snapshot)
    : comparator_(&comparator), snapshot_(snapshot) {}

void TombstoneCollector::Add(uint64_t source, std::shared_ptr<const FragmentedTombstones> list,
                             const std::optional<InternalKey>& smallest,
                             const std::optional<InternalKey>& largest) {
  if (list == nullptr || list->empty()) return;
  if (source != 0 && !sources_.insert(source).second) return;
  List added;
  added.tombstones = std::move(list);
  if (smallest) added.smallest = {std::string(smallest->user_key), smallest->packed()};
  if (largest) added.largest = {std::string(largest->user_key), largest->packed()};
  WithKeyOrder(*comparator_, [&](auto order) {
    const bool placed = std::any_of(runs_.begin(), runs_.end(),
                                    [&](Run& run) { return Place(order, &added, &run); });
    if (!placed) runs_.emplace_back().lists.push_back(std::move(added));
  });
}

void TombstoneCollector::Clear() {
  runs_.clear();
  sources_.clear();
}

// Within one user key the larger packed number comes first. The bound (e, kMaxSequence,
// kRangeDeletion) precedes every version of e and so excludes e.
template <typename Order>
int TombstoneCollector::CompareToBound(Order order, const InternalKey& key, const Bound& bound) {
  if (const int c = order(key.user_key, bound.user_key); c != 0) return c;
  const uint64_t packed = key.packed();
  return packed > bound.packed ? -1 : (packed < bound.packed ? 1 : 0);
}

template <typename Order>
bool TombstoneCollector::Place(Order order, List* list, Run* run) {
  // A list without bounds overlaps all lists.
  const auto bounded = [](const List& l) { return l.smallest && l.largest; };
  if (!bounded(*list) || !bounded(run->lists.front())) return false;
  const auto before = [&](const Bound& a, const Bound& b) {
    const int c = order(a.user_key, b.user_key);
    return c != 0 ? c < 0 : a.packed > b.packed;
  };
  const auto next = std::partition_point(run->lists.begin(), run->lists.end(), [&](const List& l) {
    return before(*l.smallest, *list->smallest);
  });
  if (next != run->lists.end() && !before(*list->largest, *next->smallest)) return false;
  if (next != run->lists.begin() && !before(*std::prev(next)->largest, *list->smallest)) {
    return false;
  }
  DCHECK(!before(*list->largest, *list->smallest));
  run->lists.insert(next, std::move(*list));
  return true;
}

template <typename Order>
size_t TombstoneCollector::CountBegun(Order order, const Run& run, const InternalKey& key) {
  const auto it = std::partition_point(run.lists.begin(), run.lists.end(), [&](const List& list) {
    return !list.smallest || CompareToBound(order, key, *list.smallest) >= 0;
  });
  return static_cast<size_t>(it - run.lists.begin());
}

template <typename Order>
Sequence TombstoneCollector::NewestIn(Order order, const Run& run, const InternalKey& key,
                                      Sequence snapshot) {
  // Scans ask for adjacent keys: mostly the last list or the next one.
  const auto begun = [&](size_t i) {
    const List& list = run.lists[i];
    return !list.smallest || CompareToBound(order, key, *list.smallest) >= 0;
  };
  size_t& at = run.last;
  if (at >= run.lists.size() || !begun(at)) {
    const size_t count = CountBegun(order, run, key);
    if (count == 0) return 0;
    at = count - 1;
  } else if (at + 1 < run.lists.size() && begun(at + 1)) {
    ++at;
    if (at + 1 < run.lists.size() && begun(at + 1)) at = CountBegun(order, run, key) - 1;
  }
  return NewestIn(order, run.lists[at], key, snapshot);
}

// Requires that the key is not before the list.
template <typename Order>
Sequence TombstoneCollector::NewestIn(Order order, const List& list, const InternalKey& key,
                                      Sequence snapshot) {
  DCHECK(!list.smallest || CompareToBound(order, key, *list.smallest) >= 0);
  if (list.largest && CompareToBound(order, key, *list.largest) > 0) return 0;
  // Also mostly the last fragment or the next one.
  const std::vector<std::string>& cuts = list.tombstones->cuts();
  size_t& at = list.last;
  const auto is_up_to = [&](size_t i) { return order(cuts[i], key.user_key) <= 0; };
  if (at > 0 && !is_up_to(at - 1)) {
    at = CutsUpTo(order, cuts, key.user_key);
  } else if (at < cuts.size() && is_up_to(at)) {
    ++at;
    if (at < cuts.size() && is_up_to(at)) at = CutsUpTo(order, cuts, key.user_key);
  }
  return at == 0 || at == cuts.size() ? 0 : list.tombstones->NewestOver(at - 1, snapshot);
}

bool TombstoneCollector::CoversSlow(const InternalKey& key) const {
  return WithKeyOrder(*comparator_, [&](auto order) {
    return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
      return NewestIn(order, run, key, snapshot_) > key.sequence;
    });
  });
}

Sequence TombstoneCollector::NewestCoveringAt(const InternalKey& key, Sequence snapshot) const {
  return WithKeyOrder(*comparator_, [&](auto order) {
    Sequence newest = 0;
    for (const Run& run : runs_) {
      newest = std::max(newest, NewestIn(order, run, key, snapshot));
    }
    return newest;
  });
}

}  // namespace varve
