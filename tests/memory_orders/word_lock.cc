// SPDX-License-Identifier: Apache-2.0
// Threads that increase a number under a WordLock. One that is not woken is a deadlock.
#include "core/base/threads/word_lock.h"

#include <memory>

#include "tests/memory_orders/parts.h"

namespace varve::memory_orders {
namespace {

class Increments final : public Harness {
 public:
  ~Increments() override { Expect(number_ == 2 * (kThreads - 1), "an increment is lost"); }
  void Run(int thread) override {
    if (thread == kThreads - 1) return;
    for (int i = 0; i < 2; ++i) {
      lock_.Lock();
      ++number_;
      lock_.Unlock();
    }
  }

 private:
  WordLock lock_;
  int number_ = 0;
};

}  // namespace

const Part kWordLock = {"word_lock", "core/base/threads/word_lock", 50000, Make<Increments>};

}  // namespace varve::memory_orders
