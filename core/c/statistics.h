// SPDX-License-Identifier: Apache-2.0
// Counters of the databases that were opened with options on which statistics are enabled.
#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.h"
#include "varve/db.h"

namespace varve::c {

struct Ticker {
  uint32_t number;  // In RocksDB 11.8.1.
  std::string_view name;
  uint64_t count;
};

// Durations of one kind, in microseconds, as the engine keeps them: of some calls, and by powers of
// two of a nanosecond. So all but `count`, `average` and `sum` are estimates, right within a factor
// of two, and `sum` is that of all calls, if those not timed took as long on average.
struct HistogramFigures {
  uint64_t count = 0;  // Of all calls, also of those that were not timed.
  uint64_t sum = 0;
  double average = 0, deviation = 0, min = 0, median = 0, p95 = 0, p99 = 0, max = 0;
};

// Thread-safe. Counts the open databases, and what closed ones had counted.
class Statistics {
 public:
  void Add(DB* db) EXCLUDES(mutex_);
  void Remove(DB* db) EXCLUDES(mutex_);  // Before it is closed.
  // RocksDB's lines "rocksdb.block.cache.hit COUNT : 12", those that the engine counts.
  std::string ToString() const EXCLUDES(mutex_);
  // By the number of RocksDB 11.8.1; 0 for those that the engine does not count.
  uint64_t CountOf(uint32_t number) const EXCLUDES(mutex_);
  // Likewise of histograms: all 0 for those that the engine does not keep.
  HistogramFigures HistogramOf(uint32_t number) const EXCLUDES(mutex_);

  // RocksDB's StatsLevel: a hint.
  void SetLevel(int level) { level_ = level; }
  int level() const { return level_; }

 private:
  struct Totals {
    DbStats all;
    FamilyStats families;
  };
  Totals Sum() const EXCLUDES(mutex_);
  std::vector<Ticker> Tickers() const EXCLUDES(mutex_);
  static void AddTo(const DB& db, DbStats* totals, FamilyStats* families);

  std::atomic<int> level_{3};
  mutable Mutex mutex_;
  std::set<DB*> open_ GUARDED_BY(mutex_);
  DbStats closed_ GUARDED_BY(mutex_);
  FamilyStats closed_families_ GUARDED_BY(mutex_);
};

}  // namespace varve::c
