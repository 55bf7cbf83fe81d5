// SPDX-License-Identifier: Apache-2.0
// The parts of the product that are checked, a file each.
#pragma once

#include <vector>

#include "tests/memory_orders/model.h"

namespace varve::memory_orders {

extern const Part kArena, kWordLock, kBtree, kBtreeFew, kBtreeSplits, kSkipList, kHashIndex,
    kPointIndex, kWriteQueue, kEpochs, kReadViews, kClockCache;

inline std::vector<const Part*> Parts() {
  return {&kArena,     &kWordLock,   &kBtree,      &kBtreeFew, &kBtreeSplits, &kSkipList,
          &kHashIndex, &kPointIndex, &kWriteQueue, &kEpochs,   &kReadViews,   &kClockCache};
}

template <typename T>
std::unique_ptr<Harness> Make() {
  return std::make_unique<T>();
}

// The epochs of the process as they are at its start.
void ResetEpochs();

}  // namespace varve::memory_orders
