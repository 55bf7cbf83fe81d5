// SPDX-License-Identifier: Apache-2.0
// The results of a benchmark: plain data for the reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/bench/histogram.h"
#include "cli/commands/bench/machine.h"
#include "cli/commands/bench/settings.h"
#include "varve/db.h"

namespace varve::cli::bench {

// The LSM tree at one moment, and the bytes written since the database was opened.
struct TreeState {
  std::vector<LevelInfo> levels;
  DbStats stats;

  std::vector<LevelInfo> levels_with_tables() const;
  uint64_t table_bytes() const;
  // Sorted runs that a read may have to look into: level-0 files and levels that are not empty.
  uint64_t sorted_runs() const;
  // Bytes written to the log and tables for each byte the user wrote; 0 if none was.
  double write_amplification() const;
  // Bytes of tables for each byte in the last level; 0 without tables.
  double space_amplification() const;
};

// The main figures of a histogram, in nanoseconds.
struct Latency {
  uint64_t count = 0;
  double mean = 0;
  uint64_t p50 = 0, p90 = 0, p99 = 0, p99_9 = 0, max = 0;

  static Latency Of(const Histogram& histogram);
};

struct Interval {
  double seconds = 0;  // Since the start, at the interval's end.
  double length = 0;   // Seconds.
  uint64_t operations = 0, bytes = 0;
  uint64_t flush_bytes = 0, compaction_bytes = 0;  // Written.
  uint64_t stall_micros = 0;
  uint64_t memtable_bytes = 0, level0_files = 0;  // At the end.
  Latency latency;                                // Of the calls that ended in it.

  double rate() const { return length > 0 ? static_cast<double>(operations) / length : 0; }
};

struct WorkloadResult {
  std::string name;
  uint64_t threads = 0;
  std::string distribution;
  bool prepared = false;  // The database was filled first, which was not measured.
  double seconds = 0;
  uint64_t operations = 0;
  uint64_t found = 0;                  // Reads that found their key.
  uint64_t bytes = 0;                  // Of keys and values, read or written.
  uint64_t background_operations = 0;  // Of the writer of *whilewriting.
  uint64_t max_rss_bytes = 0;          // Of the process, so far.
  std::optional<uint64_t> checksum;    // Of what reads answered, under --checksum.
  TreeState start, end;
  std::vector<Interval> intervals;
  Histogram latency;  // Nanoseconds per call; a batch is one call.

  // Bytes written to the log and tables while it ran for each byte the user wrote; 0 if none was.
  double write_amplification() const;
  double rate() const { return seconds > 0 ? static_cast<double>(operations) / seconds : 0; }
};

struct RunResult {
  std::string command;  // The command line.
  Settings settings;
  Machine machine;
  uint64_t started_unix_seconds = 0;
  double open_seconds = 0;  // Of the first DB::Open.
  std::vector<WorkloadResult> workloads;
};

}  // namespace varve::cli::bench
