// SPDX-License-Identifier: Apache-2.0
// What text may be shown of, and what would let it change the line that it stands in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace varve {

// Neither control characters, nor the separators that break lines, nor what is invisible or turns
// the direction of text: shown raw they would let a key rewrite the line that it stands in.
bool IsPrintable(uint32_t code_point);

// The UTF-8 character, in its shortest form, that `bytes` begin with. Of size 0: there is none.
struct Character {
  uint32_t code_point = 0;
  size_t size = 0;
};
Character FirstCharacter(std::string_view bytes);

}  // namespace varve
