// SPDX-License-Identifier: Apache-2.0
// MergingIterator merges several iterators in internal-key order. Compiled per key order, so a
// merge step consists of inline comparisons in a binary heap of children.
#pragma once

#include <memory>
#include <vector>

#include "core/iterator/internal_iterator.h"
#include "varve/comparator.h"

namespace varve {

// Children must have disjoint sets of internal keys (guaranteed by unique sequences). An empty list
// gives an empty iterator; a single child is returned as it is.
std::unique_ptr<InternalIterator> NewMergingIterator(
    const Comparator& comparator, std::vector<std::unique_ptr<InternalIterator>> children);

}  // namespace varve
