// SPDX-License-Identifier: Apache-2.0
// PrefetchLine() asks for the cache line at an address that is going to be read. Any address will
// do: nothing is read that the program can see.
//
// GCC (12 at least) takes a function that does nothing but prefetch for one without effect, and
// drops the calls of it that it does not inline. The empty statement is an effect in its eyes.
#pragma once

namespace varve {

[[gnu::always_inline]] inline void PrefetchLine(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace varve
