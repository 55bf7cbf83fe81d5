// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "varve/comparator.h"

namespace varve {

// An order (base/key_order.h) that counts what a search compares. Points to what outlives it.
struct CountingOrder {
  const Comparator* comparator;
  uint64_t* count;
  int operator()(std::string_view a, std::string_view b) const {
    ++*count;
    return comparator->Compare(a, b);
  }
};

}  // namespace varve
