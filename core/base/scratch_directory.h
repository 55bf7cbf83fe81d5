// SPDX-License-Identifier: Apache-2.0
// The directory for temporary files: $TMPDIR, or /tmp if that is not set.
#pragma once

#include <cstdlib>
#include <string>

namespace varve {

inline std::string ScratchDirectory() {
  const char* const wanted = std::getenv("TMPDIR");
  return wanted == nullptr || *wanted == '\0' ? "/tmp" : wanted;
}

}  // namespace varve
