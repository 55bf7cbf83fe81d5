// SPDX-License-Identifier: Apache-2.0
// The length of the common prefix of two keys.
#pragma once

#include <cstddef>
#include <string_view>

namespace varve {

inline size_t CommonPrefixSize(std::string_view a, std::string_view b) {
  size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

}  // namespace varve
