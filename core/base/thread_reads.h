// SPDX-License-Identifier: Apache-2.0
// What the calling thread has read, in any database, since it began: for figures of a stretch of
// its work. Never reset; who wants a difference takes it.
#pragma once

#include <cstdint>

namespace varve {

struct ThreadReads {
  uint64_t filters_passed = 0;    // Filters of tables that did not exclude a key.
  uint64_t filters_excluded = 0;  // Those that did.
  uint64_t blocks = 0;            // Blocks of tables that were read from files.
  uint64_t block_bytes = 0;       // As they are stored, with their trailers.

  static ThreadReads& OfThisThread() {
    thread_local ThreadReads reads;  // It has no destructor: it stays valid to the end.
    return reads;
  }
};

}  // namespace varve
