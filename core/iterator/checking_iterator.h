// SPDX-License-Identifier: Apache-2.0
// CheckingIterator wraps an iterator and CHECKs the invariants I1-I5 of internal_iterator.h at
// every move. It checks guarantees of implementations, not contents of files: blocks out of order
// must have been rejected with a Status before.
//
// It returns copies, which are poisoned (base/poison.h) at the next move, so that a later use of a
// key or value is detected even if the original bytes are still valid.
#pragma once

#include <memory>

#include "core/iterator/internal_iterator.h"
#include "varve/comparator.h"

namespace varve {

std::unique_ptr<InternalIterator> NewCheckingIterator(const Comparator& comparator,
                                                      std::unique_ptr<InternalIterator> inner);

// `inner` in a CheckingIterator if DCHECK is on, otherwise `inner` itself.
inline std::unique_ptr<InternalIterator> CheckedInDebug(
    [[maybe_unused]] const Comparator& comparator, std::unique_ptr<InternalIterator> inner) {
#ifdef VARVE_DEBUG_CHECKS
  return NewCheckingIterator(comparator, std::move(inner));
#else
  return inner;
#endif
}

}  // namespace varve
