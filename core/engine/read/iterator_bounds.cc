// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/iterator_bounds.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"

namespace varve {

Result<IteratorBounds> IteratorBounds::Create(const Comparator& comparator,
                                              const ReadOptions& options) {
  if (!options.prefix.has_value()) {
    return IteratorBounds(
        KeyRange(OwnedBound(options.lower_bound), OwnedBound(options.upper_bound)));
  }
  ASSIGN_OR_RETURN(KeyRange range, KeyRange::OfPrefix(comparator, *options.prefix));
  return IteratorBounds(std::move(range));
}

KeyBounds IteratorBounds::Superset() const {
  KeyBounds bounds;
  if (lower().has_value()) bounds.lower = *lower();
  if (!upper().has_value()) return bounds;
  bounds.upper = *upper();
  if (upper_closed()) {  // In reverse order a shorter key is behind those with the prefix.
    CHECK(!upper()->empty());
    bounds.upper->remove_suffix(1);
  }
  return bounds;
}

}  // namespace varve
