// SPDX-License-Identifier: Apache-2.0
// Which characters of a text may be shown unescaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace varve {

// Excludes control characters, separators that break lines, and characters that are invisible or
// change the text direction: shown unescaped, they would let a key change the line it is in.
bool IsPrintable(uint32_t code_point);

// The UTF-8 character in its shortest form at the beginning of `bytes`. Size 0: there is none.
struct Character {
  uint32_t code_point = 0;
  size_t size = 0;
};
Character FirstCharacter(std::string_view bytes);

}  // namespace varve
