// SPDX-License-Identifier: Apache-2.0
// Memory that its owner has let go of is made useless where DCHECK is on, so that whoever still
// looks at it is found out:
//
//   built with AddressSanitizer    the process ends at the access, and says where
//   else                           the bytes are all kPoison, which no test expects
//
// In release builds nothing happens.
//
//   Poison    last thing before memory is freed, or set aside until it is used again
//   Unpoison  before its owner uses it again; not needed for what is freed
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
