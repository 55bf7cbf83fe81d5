// SPDX-License-Identifier: Apache-2.0
// Makes released memory unusable where DCHECK is on, so that later uses are detected:
//
//   built with AddressSanitizer    the process ends at the access, and says where
//   otherwise                      all bytes are kPoison, which no test expects
//
// In release builds nothing happens.
//
//   Poison    call it last before memory is freed, or set aside for reuse
//   Unpoison  call it before memory is reused; not needed for freed memory
#pragma once

#include <cstddef>

namespace varve {

inline constexpr char kPoison = static_cast<char>(0xDB);

#ifdef VARVE_DEBUG_CHECKS
void Poison(void* bytes, size_t size);
void Unpoison(void* bytes, size_t size);
#else
inline void Poison(void*, size_t) {}
inline void Unpoison(void*, size_t) {}
#endif

}  // namespace varve
