// SPDX-License-Identifier: Apache-2.0
// Logs may end in gigabytes of zeros: preallocated space, or an extended file.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace varve {

// Index of the first nonzero byte, npos if there is none. As fast as memory can be read.
inline size_t FindNotZero(std::string_view bytes) {
  static constexpr char kZeros[4096] = {};
  size_t at = 0;
  while (bytes.size() - at >= sizeof(kZeros) &&
         std::memcmp(bytes.data() + at, kZeros, sizeof(kZeros)) == 0) {
    at += sizeof(kZeros);
  }
  return bytes.find_first_not_of('\0', at);
}

}  // namespace varve
