// SPDX-License-Identifier: Apache-2.0
// WorkMeter adds what one job does to a count that it shares with others, as it does it, so that
// whoever looks at the count sees a long job go on. What the job comes to in all is known before:
// it adds no more than that, whatever is done twice, and Finish() adds what is missing. Thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "core/base/counter.h"

namespace varve {

class WorkMeter {
 public:
  // `shared` may be null: nobody looks.
  WorkMeter(Counter* shared, uint64_t whole) : shared_(shared), whole_(whole) {}

  void Add(uint64_t done) {
    const uint64_t before = done_.fetch_add(done, std::memory_order_relaxed);
    if (shared_ != nullptr && before < whole_) shared_->Add(std::min(done, whole_ - before));
  }
  // Once, when all that adds has ended.
  void Finish() { Add(whole_ - std::min(whole_, done_.load(std::memory_order_relaxed))); }

 private:
  Counter* const shared_;
  const uint64_t whole_;
  std::atomic<uint64_t> done_{0};
};

}  // namespace varve
