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

// Not inline: to overwrite what is freed next looks useless to a compiler that sees both.
void Poison(void* bytes, size_t size) {
  if (size == 0) return;
  Unpoison(bytes, size);  // Some of it may have been poisoned.
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
