// SPDX-License-Identifier: Apache-2.0
// CompactionTombstones gathers the range tombstones of a compaction's inputs and says which of
// them, cut to what, each output file must carry.
//
//   input 1   [a------------m)@9  (file ends at h: the rest does not count)
//   input 2          [f------------t)@12
//   outputs   | [a--f)@9 [f--h)@12,9 [h--k)@12 | [k--t)@12 |         cut at k
//
// Of the sequences over a fragment only the newest of each stripe is kept; at the bottommost level
// those that every snapshot sees go.
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
  // NotSupported if the table ends amid the versions of a key that a tombstone runs across, in an
  // order in which no user key stands for "just behind that key". No writer makes such tables.
  Status Add(const FragmentedTombstones& list, const std::optional<InternalKey>& smallest,
             const std::optional<InternalKey>& largest);

  // Call once, after the last Add().
  void Finish();

  // Requires Finish(). What an output that owns the user keys [lower, upper) must carry; nullopt
  // is unbounded. Ascending by begin, then by descending sequence.
  std::vector<RangeTombstone> Within(std::optional<std::string_view> lower,
                                     std::optional<std::string_view> upper) const;
  bool empty() const { return list_ == nullptr || list_->empty(); }  // Nothing to carry at all.
  uint64_t dropped() const { return dropped_; }  // Sequences of fragments left out.

 private:
  const Comparator* comparator_;
  const Visibility* visibility_;
  std::vector<RangeTombstone> added_;
  std::unique_ptr<FragmentedTombstones> list_;
  uint64_t dropped_ = 0;
};

}  // namespace varve
