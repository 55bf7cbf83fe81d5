// SPDX-License-Identifier: Apache-2.0
// Shortens keys in messages, which must not grow with the size of the keys.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/text/text.h"

namespace varve {

inline constexpr size_t kDisplayedBytesMax = 128;

// EscapeForDisplay() of the first kDisplayedBytesMax bytes; if there are more, followed by "..."
// and the size.
inline std::string AbbreviateForDisplay(std::string_view bytes) {
  if (bytes.size() <= kDisplayedBytesMax) return EscapeForDisplay(bytes);
  return EscapeForDisplay(bytes.substr(0, kDisplayedBytesMax)) + "... (" +
         std::to_string(bytes.size()) + " bytes)";
}

}  // namespace varve
