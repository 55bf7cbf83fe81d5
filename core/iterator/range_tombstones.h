// SPDX-License-Identifier: Apache-2.0
// Range tombstones: DeleteRange(begin, end) at sequence s hides every version of every key in
// [begin, end) that is older than s.
//
//   written        [a-------------------m)@9      [k----------t)@12
//   fragmented     [a----------k)@9  [k--m)@12,9  [m--t)@12
//
// FragmentedTombstones cuts overlapping tombstones at each other's ends, so that lookups are one
// binary search over disjoint fragments, each with its sequences newest first. Immutable and
// thread-safe once built. A tombstone read from a table hides nothing outside that table's key
// range (a compaction may have moved what is outside further down): TombstoneCollector clips them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/internal_key.h"
#include "varve/comparator.h"

namespace varve {

struct RangeTombstone {
  std::string begin;  // Inclusive user key.
  std::string end;    // Exclusive user key.
  Sequence sequence = 0;
};

struct TombstoneFragment {
  std::string begin;
  std::string end;
  std::vector<Sequence> sequences;  // Descending.
};

class FragmentedTombstones {
 public:
  // Tombstones in any order; empty ones (begin >= end) are dropped.
  FragmentedTombstones(const Comparator& comparator, std::vector<RangeTombstone> tombstones);

  bool empty() const { return fragments_.empty(); }
  const std::vector<TombstoneFragment>& fragments() const { return fragments_; }

  // The newest tombstone over `user_key` that a reader at `snapshot` sees; 0 if none.
  Sequence NewestCovering(std::string_view user_key, Sequence snapshot) const;
  // The fragment that holds `user_key`, or null.
  const TombstoneFragment* Find(std::string_view user_key) const;

 private:
  const Comparator* comparator_;
  std::vector<TombstoneFragment> fragments_;  // Disjoint, ascending.
};

// Collects the tombstones that an iterator tree meets on its way. Level and table iterators add a
// table's list when they open it; whoever consumes the merged stream asks whether an entry is
// covered. Since files are opened in order from the seek on, every tombstone that can cover the
// current entry has been added by the time the entry is reached. One thread.
class TombstoneCollector {
 public:
  TombstoneCollector(const Comparator& comparator, Sequence snapshot);

  // `source` tells lists apart (a table is added once): the file number, or 0 for a memtable.
  // `smallest`/`largest` clip (nullopt: unclipped); a clipped tombstone still hides versions of
  // the largest user key as far as the internal boundary key allows.
  void Add(uint64_t source, std::shared_ptr<const FragmentedTombstones> list,
           const std::optional<InternalKey>& smallest, const std::optional<InternalKey>& largest);
  void Clear();

  bool empty() const { return lists_.empty(); }
  // Is `key` hidden by a tombstone newer than it, visible at the snapshot?
  bool Covers(const InternalKey& key) const { return !lists_.empty() && CoversSlow(key); }
  // Newest tombstone over `key` that is visible at the snapshot; 0 if none.
  Sequence NewestCovering(const InternalKey& key) const {
    return lists_.empty() ? 0 : NewestCoveringAt(key, snapshot_);
  }
  // The same at another snapshot.
  Sequence NewestCoveringAt(const InternalKey& key, Sequence snapshot) const;

 private:
  struct List {
    uint64_t source = 0;
    std::shared_ptr<const FragmentedTombstones> tombstones;
    std::optional<std::string> smallest_key, largest_key;
    uint64_t smallest_packed = 0, largest_packed = 0;
    mutable size_t last = 0;  // The first fragment that ends after the key asked about last.
  };
  template <typename Order>
  Sequence NewestIn(Order order, const List& list, const InternalKey& key, Sequence snapshot) const;
  bool CoversSlow(const InternalKey& key) const;

  const Comparator* comparator_;
  Sequence snapshot_;
  std::vector<List> lists_;
};

}  // namespace varve
