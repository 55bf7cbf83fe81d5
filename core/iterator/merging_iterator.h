// SPDX-License-Identifier: Apache-2.0
// MergingIterator shows several iterators as one, in internal-key order. Compiled per key order,
// so a merge step is inline comparisons over a binary heap of children.
#pragma once

#include <memory>
#include <vector>

#include "core/iterator/internal_iterator.h"
#include "varve/comparator.h"

namespace varve {

// Children must hold disjoint sets of internal keys (they do: sequences are unique). An empty list
// makes an empty iterator; a single child is returned as it is.
std::unique_ptr<InternalIterator> NewMergingIterator(
    const Comparator& comparator, std::vector<std::unique_ptr<InternalIterator>> children);

}  // namespace varve
