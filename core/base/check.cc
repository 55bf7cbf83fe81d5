// SPDX-License-Identifier: Apache-2.0
#include "core/base/check.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "varve/status.h"

namespace varve {
namespace {

[[noreturn]] void End() {
  std::fflush(stderr);
  std::abort();
}

}  // namespace

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", file, line, condition);
  End();
}

void CheckFailed(const char* condition, uint64_t left, uint64_t right, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: CHECK failed: %s (%" PRIu64 " and %" PRIu64 ")\n", file, line,
               condition, left, right);
  End();
}

void CheckFailed(const char* call, const Status& status, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: CHECK failed: %s: %s\n", file, line, call,
               status.ToString().c_str());
  End();
}

}  // namespace varve
