// SPDX-License-Identifier: Apache-2.0
// A counter that threads increase and any thread may read, without locks. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

namespace varve {

class Counter {
 public:
  void Add(uint64_t n) { value_.fetch_add(n, std::memory_order_relaxed); }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

}  // namespace varve
