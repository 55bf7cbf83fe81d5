// SPDX-License-Identifier: Apache-2.0
// Worker is one thread of a workload: it decides when to stop, chooses records, makes keys and
// values, counts operations and measures times. A workload is a loop over it:
//
//   while (worker.More()) {
//     ... one call of the database ...
//     worker.Done(operations, bytes);
//   }
//
// Used by its own thread; the counters may be read by any.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "cli/commands/bench/distribution.h"
#include "cli/commands/bench/histogram.h"
#include "cli/commands/bench/records.h"
#include "cli/commands/bench/settings.h"
#include "cli/commands/bench/store.h"

namespace varve::cli::bench {

// State shared by the threads of one workload.
struct Arena {
  Store& store;
  const Settings& settings;
  std::atomic<uint64_t> records;  // Number of records; inserts increase it.
  std::atomic<bool> stop = false;
};

struct WorkerPlan {
  uint64_t thread = 0;
  uint64_t seed = 0;
  uint64_t operations = 0;  // At most.
  uint64_t sample = 1;      // One call of this many is timed; 0: none.
  Distribution distribution = Distribution::kUniform;
};

class alignas(64) Worker {
 public:
  using Clock = std::chrono::steady_clock;

  Worker(Arena& arena, const WorkerPlan& plan)
      : arena_(arena),
        plan_(plan),
        left_(plan.operations),
        until_sample_(plan.sample),
        chooser_(plan.distribution, plan.seed),
        key_(arena.settings.key_size),
        values_(plan.seed, arena.settings.value_sizes) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // True if another call is wanted; its time starts now.
  bool More() {
    if (left_ == 0 || stopped()) return false;
    timed_ = until_sample_ == 1;
    if (timed_) begin_ = Clock::now();
    return true;
  }
  // `operations` of one call are done. (Only this thread writes the counters, so they need no
  // read-modify-write.)
  void Done(uint64_t operations, uint64_t bytes, uint64_t found = 0, uint64_t checksum = 0) {
    if (timed_) {
      latency_.Record(static_cast<uint64_t>((Clock::now() - begin_).count()));
      until_sample_ = plan_.sample;
    } else if (until_sample_ > 0) {
      --until_sample_;
    }
    left_ -= std::min(left_, operations);
    Add(operations_, operations);
    Add(bytes_, bytes);
    Add(found_, found);
    checksum_ += checksum;
  }
  ReadCount NewCount() const { return {.summed = settings().checksum}; }
  bool stopped() const { return arena_.stop.load(std::memory_order_relaxed); }

  Store& store() { return arena_.store; }
  const Settings& settings() const { return arena_.settings; }
  uint64_t thread() const { return plan_.thread; }
  uint64_t planned() const { return plan_.operations; }
  // Entries of the next batch.
  uint64_t Batch(uint64_t otherwise) const {
    return std::min(left_, settings().batch_size.value_or(otherwise));
  }

  uint64_t records() const { return arena_.records.load(std::memory_order_relaxed); }
  uint64_t ChooseRecord() { return chooser_.Next(records()); }
  uint64_t NewRecord() { return arena_.records.fetch_add(1, std::memory_order_relaxed); }
  RandomSource& random() { return chooser_.random(); }
  std::string_view Key(uint64_t number) { return key_.Of(number); }  // Until the next call.
  std::string_view Value() { return values_.Next(); }

  uint64_t operations() const { return operations_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  uint64_t found() const { return found_.load(std::memory_order_relaxed); }
  const Histogram& latency() const { return latency_; }
  uint64_t checksum() const { return checksum_; }  // Once the thread is done.

 private:
  static void Add(std::atomic<uint64_t>& counter, uint64_t n) {
    counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }

  Arena& arena_;
  const WorkerPlan plan_;
  uint64_t left_;
  uint64_t until_sample_;
  bool timed_ = false;
  Clock::time_point begin_;
  RecordChooser chooser_;
  KeyBuffer key_;
  ValueSource values_;
  std::atomic<uint64_t> operations_ = 0, bytes_ = 0, found_ = 0;
  uint64_t checksum_ = 0;
  Histogram latency_;
};

}  // namespace varve::cli::bench
