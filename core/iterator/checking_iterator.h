// SPDX-License-Identifier: Apache-2.0
// CheckingIterator passes an iterator through and CHECKs the invariants I1-I5 of
// internal_iterator.h at every move. What it checks is what the implementations promise, not what
// a file holds: blocks out of order must have been refused with a Status before they get here.
//
// It shows copies, which are poisoned (base/poison.h) at the next move: whoever goes on looking at
// a key or value is found out, even where the bytes themselves would still be there.
#pragma once

#include <memory>

#include "core/iterator/internal_iterator.h"
#include "varve/comparator.h"

namespace varve {

std::unique_ptr<InternalIterator> NewCheckingIterator(const Comparator& comparator,
                                                      std::unique_ptr<InternalIterator> inner);

// `inner` under a CheckingIterator where DCHECK is on, else `inner` itself.
inline std::unique_ptr<InternalIterator> CheckedInDebug(
    [[maybe_unused]] const Comparator& comparator, std::unique_ptr<InternalIterator> inner) {
#ifdef VARVE_DEBUG_CHECKS
  return NewCheckingIterator(comparator, std::move(inner));
#else
  return inner;
#endif
}

}  // namespace varve
