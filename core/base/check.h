// SPDX-License-Identifier: Apache-2.0
// CHECK states what the *programmer* promised; it is on in every build and ends the process.
// DCHECK is for checks too slow to keep in release; it is on in debug and sanitizer builds.
// Neither may depend on bytes read from a file or a socket: those get a Status.
#pragma once

namespace varve {
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
}  // namespace varve

#define VARVE_CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::varve::CheckFailed(#condition, __FILE__, __LINE__))

#ifndef CHECK  // In a test the test framework's own may already be there.
#define CHECK(condition) VARVE_CHECK(condition)
#endif

#ifdef VARVE_DEBUG_CHECKS
#define DCHECK(condition) VARVE_CHECK(condition)
#else
#define DCHECK(condition) static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif
