// SPDX-License-Identifier: Apache-2.0
// CompactionTombstones gathers the range tombstones of a compaction's inputs and says which of
// them, cut to what, each output file must carry.
//
//   input 1   [a------------m)@9  (file ends at h: the rest does not count)
//   input 2          [f------------t)@12
//   carried   [a-----f)@9[f--------t)@12         of the stripe they are both in
//   outputs   | [a--f)@9 [f--k)@12 | [k--t)@12 |         cut at k
//
// Within a stripe nobody can tell the newest tombstone over a key from the others, so the others go
// there; at the bottommost level the stripe that every snapshot sees goes altogether. Each stripe
// is cut on its own: n tombstones make less than 2 n, whichever way they overlap. Those of several
// stripes may overlap in an output; RocksDB and we cut them at each other's ends when we read it.
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

  // Call once, after the last Add(). NotSupported if a table ends amid the versions of a key that a
  // tombstone runs across, no other input carries it over that key, and in the order there is no
  // user key that stands for "just behind that key". RocksDB gives each of the tables that share
  // such a key the tombstones over it, and they are compacted together.
  Status Finish();

  // Requires Finish(). What an output that owns the user keys [lower, upper) must carry; nullopt
  // is unbounded. Ascending by begin, then by descending sequence.
  std::vector<RangeTombstone> Within(std::optional<std::string_view> lower,
                                     std::optional<std::string_view> upper) const;
  bool empty() const { return stripes_.empty(); }  // Nothing to carry at all.

 private:
  // Disjoint, ascending; neighbours that meet differ in sequence.
  using Stripe = std::vector<RangeTombstone>;
  struct Tail {  // A tombstone lies over `key`, too, but could not be told to end just behind it.
    std::string key;
    Sequence sequence = 0;
    std::string largest;  // Of the table, for messages.
  };

  void AddStripe(std::vector<RangeTombstone> tombstones);
  Status CheckTail(const Tail& tail) const;
  // The first of the stripe that ends behind `key`.
  Stripe::const_iterator FirstEndingAfter(const Stripe& stripe, std::string_view key) const;

  const Comparator* comparator_;
  const Visibility* visibility_;
  std::vector<RangeTombstone> added_;
  std::vector<Tail> tails_;
  std::vector<Stripe> stripes_;  // None is empty.
};

}  // namespace varve
