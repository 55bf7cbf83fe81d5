// SPDX-License-Identifier: Apache-2.0
// Comparing a key with the one before it in a block: what the two share need not be read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"

namespace varve {

// Compares two user keys with a known common prefix, in bytewise order. Eight bytes can be read
// from any position in them: stored keys end with eight bytes of sequence and type.
inline int CompareBehind(size_t shared, std::string_view a, std::string_view b) {
  const size_t size = std::min(a.size(), b.size());
  shared = std::min(shared, size);
  const size_t rest = size - shared;
  DCHECK(a.substr(0, shared) == b.substr(0, shared));
  uint64_t x = LoadFixed64(a.data() + shared), y = LoadFixed64(b.data() + shared);
  if (rest < 8) {  // The first bytes in memory are the low bits.
    const uint64_t mask = (uint64_t{1} << (8 * rest)) - 1;
    x &= mask;
    y &= mask;
  }
  if (x != y) return __builtin_bswap64(x) < __builtin_bswap64(y) ? -1 : 1;
  if (rest <= 8) return a.size() < b.size() ? -1 : a.size() > b.size();
  return a.substr(shared + 8).compare(b.substr(shared + 8));
}

}  // namespace varve
