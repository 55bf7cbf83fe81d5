// SPDX-License-Identifier: Apache-2.0
// A lock in 32 bits, for numerous objects: one compare-and-swap without contention, a sleep in the
// kernel otherwise (the second mutex of U. Drepper, "Futexes are tricky", 2011).
#pragma once

#include <atomic>
#include <cstdint>

#include "core/base/threads/mutex.h"

namespace varve {

class CAPABILITY("mutex") WordLock {
 public:
  void Lock() ACQUIRE() {
    uint32_t expected = kFree;
    if (word_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire)) return;
    while (word_.exchange(kWanted, std::memory_order_acquire) != kFree) {
      word_.wait(kWanted, std::memory_order_relaxed);
    }
  }
  void Unlock() RELEASE() {
    if (word_.exchange(kFree, std::memory_order_release) == kWanted) word_.notify_one();
  }

 private:
  static constexpr uint32_t kFree = 0, kHeld = 1, kWanted = 2;
  std::atomic<uint32_t> word_{kFree};
};

}  // namespace varve
