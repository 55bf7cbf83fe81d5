// SPDX-License-Identifier: Apache-2.0
#include "core/base/poison.h"

#ifdef VARVE_DEBUG_CHECKS

#include <cstring>

#if defined(__SANITIZE_ADDRESS__)  // gcc
#define VARVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)  // clang
#define VARVE_ASAN 1
#endif
#endif
#ifdef VARVE_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace varve {

// Not inline: overwriting memory that is freed next would be optimised away.
void Poison(void* bytes, size_t size) {
  if (size == 0) return;
  Unpoison(bytes, size);  // Parts of it may be poisoned already.
  std::memset(bytes, kPoison, size);
#ifdef VARVE_ASAN
  __asan_poison_memory_region(bytes, size);
#endif
}

void Unpoison([[maybe_unused]] void* bytes, [[maybe_unused]] size_t size) {
#ifdef VARVE_ASAN
  __asan_unpoison_memory_region(bytes, size);
#endif
}

}  // namespace varve

#endif  // VARVE_DEBUG_CHECKS
