// SPDX-License-Identifier: Apache-2.0
// Copies a few bytes without a function call: most keys are shorter than 33 bytes, and assembling
// one takes two copies. Longer ones use memcpy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/base/check.h"

namespace varve {

// The bytes must not overlap.
[[gnu::always_inline]] inline void CopyShort(char* to, const char* from, size_t size) {
  DCHECK(to + size <= from || from + size <= to);
  // Two copies that overlap in the middle cover every size from one width to twice that.
  const auto both_ends = [&]<typename Word>(Word first, Word last) {
    std::memcpy(&first, from, sizeof(Word));
    std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
    std::memcpy(to, &first, sizeof(Word));
    std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
  };
  struct Word16 {
    uint64_t low, high;
  };
  if (size >= 16) {
    if (size > 32) [[unlikely]] {
      std::memcpy(to, from, size);
    } else {
      both_ends(Word16{}, Word16{});
    }
  } else if (size >= 8) {
    both_ends(uint64_t{}, uint64_t{});
  } else if (size >= 4) {
    both_ends(uint32_t{}, uint32_t{});
  } else if (size >= 2) {
    both_ends(uint16_t{}, uint16_t{});
  } else if (size == 1) {
    *to = *from;
  }
}

// *to = from, for strings that are repeatedly assigned keys of the same size.
inline void AssignShort(std::string* to, std::string_view from) {
  if (to->size() == from.size()) {
    CopyShort(to->data(), from.data(), from.size());
  } else {
    to->assign(from);
  }
}

}  // namespace varve
