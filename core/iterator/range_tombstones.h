// SPDX-License-Identifier: Apache-2.0
// Range tombstones: DeleteRange(begin, end) at sequence s hides every version of every key in
// [begin, end) that is older than s.
//
//   written     [a-------------------m)@9      [k----------t)@12
//   cut at      a          k         m         t
//   fragments   [a---------k)        [m--------t)      the newest of each: 9, 12, 12
//                          [k--------m)
//
// FragmentedTombstones splits all tombstones at each other's ends, so that a lookup is one binary
// search over disjoint fragments. The sequences that cover a fragment are not listed per fragment,
// since n nested tombstones would make n fragments with n sequences; they are in a segment tree
// over the fragments, each in the O(log n) nodes that make up its range:
//
//   fragments       0   1   2   3        a tombstone over 0..2 is in {0,1} and {2};
//   nodes         { 0 } 1 { 2 } 3        those over fragment 2 are in {2}, {2,3} and {0,1,2,3},
//                 {0,1}   {2,3}          in each the newest first
//                 { 0,1,2,3 }
//
// The newest sequence of each fragment is stored, which answers reads of the current state; reads
// at older snapshots search the nodes above the fragment. Building takes O(n log n) time; n
// tombstones take at most 2 n log2(n) sequences of 8 bytes besides their keys, and n if they do not
// overlap.
//
// Immutable and thread-safe once built. A tombstone from a table must not hide anything outside the
// table's key range (a compaction may have moved that part further down): TombstoneCollector clips
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "varve/comparator.h"

namespace varve {

struct RangeTombstone {
  std::string begin;  // Inclusive user key.
  std::string end;    // Exclusive user key.
  Sequence sequence = 0;
};

class FragmentedTombstones {
 public:
  // Tombstones in any order; empty ones (begin >= end) are dropped.
  FragmentedTombstones(const Comparator& comparator, std::vector<RangeTombstone> tombstones);

  bool empty() const { return spans_.empty(); }

  // The tombstones, ascending by begin, then newest first. Touching tombstones of one sequence,
  // such as the parts of one that was cut at a file boundary, are joined.
  struct Tombstone {
    std::string_view begin, end;
    Sequence sequence = 0;
  };
  size_t size() const { return spans_.size(); }
  Tombstone tombstone(size_t i) const {
    DCHECK_OP(i, <, spans_.size());
    return {cuts_[spans_[i].begin], cuts_[spans_[i].end], spans_[i].sequence};
  }

  uint64_t memory_bytes() const;

  // Sequence of the newest tombstone over `user_key` that a reader at `snapshot` sees; 0 if none.
  Sequence NewestCovering(std::string_view user_key, Sequence snapshot) const;

  // Fragment i is [cut(i), cut(i + 1)). If no tombstone covers it, its newest sequence is 0.
  const std::vector<std::string>& cuts() const { return cuts_; }
  size_t fragments() const { return newest_.size(); }
  Sequence NewestOver(size_t fragment, Sequence snapshot) const {
    DCHECK_OP(fragment, <, fragments());
    const Sequence newest = newest_[fragment];
    return newest <= snapshot ? newest : NewestOfThePast(fragment, snapshot);
  }

 private:
  struct Span {  // From one cut to another.
    uint32_t begin = 0, end = 0;
    Sequence sequence = 0;
  };
  template <typename Order>
  void Cut(Order order, std::vector<RangeTombstone> tombstones);
  void PlantTree();
  template <typename Visit>
  void ForEachNode(const Span& span, const Visit& visit) const;
  Sequence NewestOfThePast(size_t fragment, Sequence snapshot) const;

  const Comparator* comparator_;
  std::vector<std::string> cuts_;  // Ascending.
  std::vector<Span> spans_;        // Ascending by begin, then the newest first.
  std::vector<Sequence> newest_;   // Of each fragment.
  // Node n has the sequences [node_begin_[n], node_begin_[n + 1]), descending. The leaves are the
  // nodes from fragments() on, and node n / 2 is the parent of node n.
  std::vector<uint32_t> node_begin_;
  std::vector<Sequence> sequences_;
};

// Several lists that together have the tombstones of one.
using TombstoneLists = std::vector<std::shared_ptr<const FragmentedTombstones>>;

// Collects the tombstones that an iterator tree finds. Level and table iterators add a table's list
// when they open it; the consumer of the merged stream asks whether an entry is covered. Files are
// opened in order from the seek on, so every tombstone that can cover the current entry has been
// added when the entry is reached. One thread.
//
// Lists whose bounds do not overlap, such as those of a level's files, form a run, in which at most
// one list can cover a key: the one that covered the last key, the next one, or one found by binary
// search. So the cost of an entry depends on the number of runs, not files.
//
//   runs    [a  c][d      k]  [m  o]        level 1
//           [a        f][g       o]         level 2
//           (                      )        a memtable: unclipped, a run of its own
class TombstoneCollector {
 public:
  TombstoneCollector(const Comparator& comparator, Sequence snapshot);

  // `source` identifies lists (a table is added once): the file number, or 0 for a memtable.
  // `smallest`/`largest` clip (nullopt: unclipped); a clipped tombstone still hides versions of the
  // largest user key as far as the internal boundary key allows.
  void Add(uint64_t source, std::shared_ptr<const FragmentedTombstones> list,
           const std::optional<InternalKey>& smallest, const std::optional<InternalKey>& largest);
  void Clear();

  bool empty() const { return runs_.empty(); }
  // Whether `key` is hidden by a newer tombstone that is visible at the snapshot.
  bool Covers(const InternalKey& key) const { return !runs_.empty() && CoversSlow(key); }
  // Sequence of the newest tombstone over `key` visible at the snapshot; 0 if none.
  Sequence NewestCovering(const InternalKey& key) const {
    return runs_.empty() ? 0 : NewestCoveringAt(key, snapshot_);
  }
  // The same at another snapshot.
  Sequence NewestCoveringAt(const InternalKey& key, Sequence snapshot) const;

 private:
  struct Bound {
    std::string user_key;
    uint64_t packed = 0;
  };
  struct List {
    std::shared_ptr<const FragmentedTombstones> tombstones;
    std::optional<Bound> smallest, largest;  // Inclusive; nullopt: there is none.
    mutable size_t last = 0;                 // How many cuts are <= the key looked up last.
  };
  // Ascending. A deque, since scans may open files in either direction.
  struct Run {
    std::deque<List> lists;
    mutable size_t last = 0;  // The list at or behind the key looked up last.
  };

  template <typename Order>
  static int CompareToBound(Order order, const InternalKey& key, const Bound& bound);
  // How many lists of the run begin at or before the key.
  template <typename Order>
  static size_t CountBegun(Order order, const Run& run, const InternalKey& key);
  // Adds it to the run, unless it overlaps a list there.
  template <typename Order>
  static bool Place(Order order, List* list, Run* run);
  template <typename Order>
  static Sequence NewestIn(Order order, const Run& run, const InternalKey& key, Sequence snapshot);
  template <typename Order>
  static Sequence NewestIn(Order order, const List& list, const InternalKey& key,
                           Sequence snapshot);
  bool CoversSlow(const InternalKey& key) const;

  const Comparator* comparator_;
  Sequence snapshot_;
  std::vector<Run> runs_;
  std::unordered_set<uint64_t> sources_;
};

}  // namespace varve
