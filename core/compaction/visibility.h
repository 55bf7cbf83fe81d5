// SPDX-License-Identifier: Apache-2.0
// Decides which versions a flush or compaction may drop. Pure rules over sequences and snapshots.
//
// Snapshots divide the sequences into stripes; no snapshot distinguishes two sequences of one
// stripe, so only the newest version of a key in each stripe can ever be read:
//
//   snapshots            5           9
//   stripes      0 ... 5 | 6 ... 9 | 10 ... now
//   versions of k    3 4   6   8     11 12     ->  4, 8 and 12 stay, if no tombstone is in the way
//
// If the output is bottommost (no older versions of its keys are below it) then
//   - a deletion with no older version left in the inputs hides nothing and may be dropped;
//   - a range tombstone that every snapshot sees hides nothing that is left and may be dropped;
//   - a put that every snapshot sees may get sequence 0, which compresses better.
#pragma once

#include <vector>

#include "core/format/internal_key.h"
#include "varve/types.h"

namespace varve {

class Visibility {
 public:
  // `snapshots` in any order: all live ones. Later ones are newer than every input.
  Visibility(std::vector<Sequence> snapshots, bool bottommost);

  bool bottommost() const { return bottommost_; }

  // The earliest snapshot that sees `sequence`; kMaxSequence if only current reads do.
  Sequence EarliestSeeing(Sequence sequence) const;
  bool SameStripe(Sequence a, Sequence b) const { return EarliestSeeing(a) == EarliestSeeing(b); }
  // Every snapshot sees it, so older versions of its key are not needed.
  bool SeenByAll(Sequence sequence) const { return sequence <= earliest_; }

  // For a deletion or single deletion; `older_left`: the inputs have older versions of its key in
  // earlier stripes.
  bool MayDropDeletion(bool older_left) const { return bottommost_ && !older_left; }
  bool MayDropTombstone(Sequence sequence) const { return bottommost_ && SeenByAll(sequence); }
  // False for merge operands, which need it for their order, and for everything other than plain
  // values.
  bool MayZeroSequence(Sequence sequence, ValueType type) const;

 private:
  std::vector<Sequence> snapshots_;  // Ascending.
  Sequence earliest_ = kMaxSequence;
  bool bottommost_;
};

}  // namespace varve
