// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "varve/comparator.h"

namespace varve {

// An order (base/key_order.h) that counts comparisons. Its counter must outlive it.
struct CountingOrder {
  const Comparator* comparator;
  uint64_t* count;
  int operator()(std::string_view a, std::string_view b) const {
    ++*count;
    return comparator->Compare(a, b);
  }
};

}  // namespace varve
