// SPDX-License-Identifier: Apache-2.0
#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace varve {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", file, line, condition);
  std::fflush(stderr);
  std::abort();
}

}  // namespace varve
