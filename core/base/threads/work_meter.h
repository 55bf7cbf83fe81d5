// SPDX-License-Identifier: Apache-2.0
// WorkMeter adds the progress of one job to a shared counter, so that long jobs show progress. The
// total is known in advance: it never adds more than that, even if work is repeated, and Finish()
// adds the rest. Thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "core/base/threads/counter.h"

namespace varve {

class WorkMeter {
 public:
  // `shared` may be null: not counted.
  WorkMeter(Counter* shared, uint64_t whole) : shared_(shared), whole_(whole) {}

  void Add(uint64_t done) {
    const uint64_t before = done_.fetch_add(done, std::memory_order_relaxed);
    if (shared_ != nullptr && before < whole_) shared_->Add(std::min(done, whole_ - before));
  }
  // Call once, when the job has ended.
  void Finish() { Add(whole_ - std::min(whole_, done_.load(std::memory_order_relaxed))); }

 private:
  Counter* const shared_;
  const uint64_t whole_;
  std::atomic<uint64_t> done_{0};
};

}  // namespace varve
