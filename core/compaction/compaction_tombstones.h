// SPDX-License-Identifier: Apache-2.0
// CompactionTombstones collects the range tombstones of a compaction's inputs and computes which of
// them each output file must have, and where they are cut.
//
//   input 1   [a------------m)@9  (the file ends at h: the rest is ignored)
//   input 2          [f------------t)@12
//   carried   [a-----f)@9[f--------t)@12         of the stripe they are both in
//   outputs   | [a--f)@9 [f--k)@12 | [k--t)@12 |         cut at k
//
// Within a stripe only the newest tombstone over a key matters, so the others are dropped; at the
// bottommost level the stripe that every snapshot sees is dropped altogether. Each stripe is
// fragmented separately: n tombstones make less than 2 n fragments, however they overlap. Fragments
// of several stripes may overlap in an output; readers (RocksDB and we) cut them at each other's
// ends.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/compaction/visibility.h"
#include "core/format/internal_key.h"
#include "core/iterator/range_tombstones.h"
#include "varve/comparator.h"
#include "varve/status.h"

namespace varve {

class CompactionTombstones {
 public:
  CompactionTombstones(const Comparator& comparator, const Visibility* visibility)
      : comparator_(&comparator), visibility_(visibility) {}

  // `smallest`/`largest`: bounds of the table that the list comes from; nullopt for a memtable.
  void Add(const FragmentedTombstones& list, const std::optional<InternalKey>& smallest,
           const std::optional<InternalKey>& largest);

  // Call once, after the last Add(). NotSupported if a table ends between the versions of a key
  // that a tombstone covers, no other input has that tombstone over the key, and the key order has
  // no user key directly after that key. (RocksDB gives each table that shares such a key the
  // tombstones over it, and compacts these tables together.)
  Status Finish();

  // Requires Finish(). The tombstones of an output that owns the user keys [lower, upper); nullopt
  // is unbounded. Ascending by begin, then by descending sequence.
  std::vector<RangeTombstone> Within(std::optional<std::string_view> lower,
                                     std::optional<std::string_view> upper) const;
  bool empty() const { return stripes_.empty(); }  // There are no tombstones to write.

 private:
  // Disjoint, ascending; adjacent ones have different sequences.
  using Stripe = std::vector<RangeTombstone>;
  struct Tail {  // A tombstone that covers `key` but could not be given an end directly after it.
    std::string key;
    Sequence sequence = 0;
    std::string largest;  // Of the table, for messages.
  };

  void AddStripe(std::vector<RangeTombstone> tombstones);
  Status CheckTail(const Tail& tail) const;
  // The first one of the stripe that ends behind `key`.
  Stripe::const_iterator FirstEndingAfter(const Stripe& stripe, std::string_view key) const;

  const Comparator* comparator_;
  const Visibility* visibility_;
  std::vector<RangeTombstone> added_;
  std::vector<Tail> tails_;
  std::vector<Stripe> stripes_;  // None is empty.
};

}  // namespace varve
