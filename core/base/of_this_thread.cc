// SPDX-License-Identifier: Apache-2.0
#include "core/base/of_this_thread.h"

#include "core/base/check.h"

#if defined(__EMSCRIPTEN__)

namespace varve {

void AtThreadEnd(void (*)(void*), void*) {}  // The one thread ends with everything else.

}  // namespace varve

#else

#include <cxxabi.h>

// What the compiler itself calls for thread_local objects (Itanium C++ ABI). It takes calls while
// it goes through the destructors, and keeps the library loaded until they are done.
extern "C" [[gnu::visibility("hidden")]] void* __dso_handle;

namespace varve {

void AtThreadEnd(void (*end)(void* argument), void* argument) {
  CHECK(abi::__cxa_thread_atexit(end, argument, &__dso_handle) == 0);
}

}  // namespace varve

#endif
