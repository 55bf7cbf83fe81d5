// SPDX-License-Identifier: Apache-2.0
// Which versions may a flush or compaction leave out? Pure rules over sequences and snapshots.
//
// The snapshots cut the sequences into stripes; no snapshot tells two sequences of one stripe
// apart, so of the versions of a key in a stripe only the newest can ever be read:
//
//   snapshots            5           9
//   stripes      0 ... 5 | 6 ... 9 | 10 ... now
//   versions of k    3 4   6   8     11 12     ->  4, 8 and 12 stay, if no tombstone is in the way
//
// When the output is bottommost (nothing older of its keys lies below it) then
//   - a deletion with no older version left in the inputs hides nothing and may go;
//   - a range tombstone that every snapshot sees hides nothing that is left and may go;
//   - a put that every snapshot sees may take sequence 0, which compresses better.
#pragma once

#include <vector>

#include "core/format/internal_key.h"
#include "varve/types.h"

namespace varve {

class Visibility {
 public:
  // `snapshots` in any order: all that are alive now. Later ones are newer than every input.
  Visibility(std::vector<Sequence> snapshots, bool bottommost);

  bool bottommost() const { return bottommost_; }

  // The earliest snapshot that sees `sequence`; kMaxSequence if only the present does.
  Sequence EarliestSeeing(Sequence sequence) const;
  bool SameStripe(Sequence a, Sequence b) const { return EarliestSeeing(a) == EarliestSeeing(b); }
  // Every snapshot sees it, so nobody needs anything older of its key.
  bool SeenByAll(Sequence sequence) const { return sequence <= earliest_; }

  // Is a version hidden, for everyone who could read it, by a newer tombstone over its key?
  bool HiddenBy(Sequence tombstone, Sequence version) const {
    return tombstone > version && SameStripe(tombstone, version);
  }

  // A deletion or single deletion; `older_left`: the inputs hold older versions of its key that
  // are in earlier stripes.
  bool MayDropDeletion(bool older_left) const { return bottommost_ && !older_left; }
  bool MayDropTombstone(Sequence sequence) const { return bottommost_ && SeenByAll(sequence); }
  // Merge operands keep theirs: it orders them. So does everything that is not plainly a value.
  bool MayZeroSequence(Sequence sequence, ValueType type) const;

 private:
  std::vector<Sequence> snapshots_;  // Ascending.
  Sequence earliest_ = kMaxSequence;
  bool bottommost_;
};

}  // namespace varve
