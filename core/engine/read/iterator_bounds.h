// SPDX-License-Identifier: Apache-2.0
// IteratorBounds is the range of user keys that an iterator shows: the lower and upper bound of
// ReadOptions, or those of its prefix. Immutable.
#pragma once

#include <utility>

#include "core/base/keys/key_range.h"
#include "core/version/version.h"
#include "varve/comparator.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

class IteratorBounds : public KeyRange {
 public:
  IteratorBounds() = default;  // All keys.
  static Result<IteratorBounds> Create(const Comparator& comparator, const ReadOptions& options);

  // A range that contains this one, for skipping tables. Points into this object.
  KeyBounds Superset() const;

 private:
  explicit IteratorBounds(KeyRange range) : KeyRange(std::move(range)) {}
};

}  // namespace varve
