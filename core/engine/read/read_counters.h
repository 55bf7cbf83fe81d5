// SPDX-License-Identifier: Apache-2.0
// Read statistics of one thread in one column family. They are in the thread's slot of the family's
// ReadViewHolder, so counting writes to no cache line that another thread writes to, and needs no
// read-modify-write: one thread adds, any thread may read.
//
// Reading the clock costs more than a cached read should: one read in kTimedOneOf is timed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/base/thread_reads.h"
#include "core/iterator/lookup.h"
#include "varve/environment.h"
#include "varve/stats.h"

namespace varve {

inline constexpr uint64_t kTimedOneOf = 64;

// A counter that one thread increments and any may read.
class OwnCounter {
 public:
  void Add(uint64_t n) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

struct OwnDurations {
  void Record(uint64_t nanos) {
    total_nanos.Add(nanos);
    buckets[Durations::BucketOf(nanos)].Add(1);
  }
  void AddTo(Durations* sum) const {
    sum->total_nanos += total_nanos.value();
    for (size_t i = 0; i < buckets.size(); ++i) {
      sum->buckets[i] += buckets[i].value();
      sum->count += buckets[i].value();
    }
  }

  OwnCounter total_nanos;
  std::array<OwnCounter, Durations::kBuckets> buckets;
};

struct alignas(64) ReadCounters {
  void Count(const FilterCounts& filter_counts) {
    if (filter_counts.asked == 0) return;
    filters_asked.Add(filter_counts.asked);
    filters_passed.Add(filter_counts.passed);
    filters_right.Add(filter_counts.right);
    ThreadReads& reads = ThreadReads::OfThisThread();
    reads.filters_passed += filter_counts.passed;
    reads.filters_excluded += filter_counts.asked - filter_counts.passed;
  }
  void AddTo(FamilyStats* sum) const {
    sum->gets += gets.value();
    sum->gets_found += gets_found.value();
    sum->multigets += multigets.value();
    sum->multiget_keys += multiget_keys.value();
    sum->multiget_keys_found += multiget_keys_found.value();
    sum->iterators += iterators.value();
    sum->filter_negatives += filters_asked.value() - filters_passed.value();
    sum->filter_positives += filters_passed.value();
    sum->filter_true_positives += filters_right.value();
    get_durations.AddTo(&sum->get_durations);
    multiget_durations.AddTo(&sum->multiget_durations);
  }

  OwnCounter gets, gets_found;
  OwnCounter filters_asked, filters_passed, filters_right;
  OwnCounter multigets, multiget_keys, multiget_keys_found;
  OwnCounter iterators;
  OwnDurations get_durations, multiget_durations;
};

// Measures the duration of the enclosing call, if that is sampled.
class ReadTimer {
 public:
  ReadTimer(uint64_t calls_before, Clock* clock, OwnDurations* durations)
      : durations_(calls_before % kTimedOneOf == 0 ? durations : nullptr), clock_(clock) {
    if (durations_ != nullptr) [[unlikely]]
      begin_ = clock_->NowNanos();
  }
  ReadTimer(const ReadTimer&) = delete;
  ReadTimer& operator=(const ReadTimer&) = delete;
  ~ReadTimer() {
    if (durations_ != nullptr) [[unlikely]]
      durations_->Record(clock_->NowNanos() - begin_);
  }

 private:
  OwnDurations* const durations_;
  Clock* const clock_;
  uint64_t begin_ = 0;
};

}  // namespace varve
