// SPDX-License-Identifier: Apache-2.0
// Counters of an open database since it was opened. Thread-safe and lock-free. Reads are counted
// separately: read_counters.h.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/threads/counter.h"
#include "varve/stats.h"

namespace varve {

class DurationCounter {
 public:
  void Record(uint64_t nanos) {
    total_nanos_.Add(nanos);
    buckets_[Durations::BucketOf(nanos)].Add(1);
  }
  Durations value() const {
    Durations durations{.total_nanos = total_nanos_.value()};
    for (size_t i = 0; i < Durations::kBuckets; ++i) {
      durations.buckets[i] = buckets_[i].value();
      durations.count += durations.buckets[i];
    }
    return durations;
  }

 private:
  Counter total_nanos_;
  std::array<Counter, Durations::kBuckets> buckets_;
};

struct EngineCounters {
  Counter batches_written;
  Counter entries_written;
  Counter user_bytes_written;
  Counter wal_bytes_written;
  Counter flush_bytes_written;
  Counter compaction_bytes_read;
  Counter compaction_bytes_written;
  Counter flushes;
  Counter compactions;
  Counter trivial_moves;
  Counter remote_compactions;
  Counter remote_compaction_failures;
  Counter remote_compaction_fallbacks;
  Counter stalls;
  Counter stall_micros;
  DurationCounter write_durations;
  DurationCounter flush_durations;
  DurationCounter compaction_durations;
};

}  // namespace varve
