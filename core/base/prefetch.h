// SPDX-License-Identifier: Apache-2.0
// PrefetchLine() prefetches the cache line of an address. Any address is allowed: the program reads
// nothing from it.
//
// GCC (at least 12) considers a function that only prefetches to have no effect, and drops calls
// that it does not inline. The empty asm statement counts as an effect.
#pragma once

namespace varve {

[[gnu::always_inline]] inline void PrefetchLine(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace varve
