// SPDX-License-Identifier: Apache-2.0
// Arithmetic on sizes that may be the largest value, as options allow.
#pragma once

#include <cstdint>
#include <limits>

namespace varve {

constexpr uint64_t SaturatingMultiply(uint64_t a, uint64_t b) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  return b != 0 && a > kMax / b ? kMax : a * b;
}

}  // namespace varve
