// SPDX-License-Identifier: Apache-2.0
// Counters of what a database did since it was opened. Thread-safe; nothing waits for them.
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

struct EngineStats {
  Counter user_bytes_written;
  Counter wal_bytes_written;
  Counter flush_bytes_written;
  Counter compaction_bytes_read;
  Counter compaction_bytes_written;
  Counter flushes;
  Counter compactions;
  Counter trivial_moves;
  Counter stall_micros;
};

}  // namespace varve
