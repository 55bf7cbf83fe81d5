// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/result.h"

namespace varve::cli::bench {

namespace {

uint64_t BytesWritten(const DbStats& stats) {
  return stats.wal_bytes_written + stats.flush_bytes_written + stats.compaction_bytes_written;
}

}  // namespace

std::vector<LevelInfo> TreeState::levels_with_tables() const {
  std::vector<LevelInfo> some = levels;
  std::erase_if(some, [](const LevelInfo& level) { return level.files == 0; });
  return some;
}

uint64_t TreeState::table_bytes() const {
  uint64_t bytes = 0;
  for (const LevelInfo& level : levels) bytes += level.bytes;
  return bytes;
}

uint64_t TreeState::sorted_runs() const {
  uint64_t runs = 0;
  for (const LevelInfo& level : levels) {
    runs += level.level == 0 ? level.files : (level.files > 0 ? 1 : 0);
  }
  return runs;
}

double TreeState::write_amplification() const {
  if (stats.user_bytes_written == 0) return 0;
  return static_cast<double>(BytesWritten(stats)) / static_cast<double>(stats.user_bytes_written);
}

double TreeState::space_amplification() const {
  uint64_t last = 0;
  for (const LevelInfo& level : levels) {
    if (level.bytes > 0) last = level.bytes;
  }
  return last == 0 ? 0 : static_cast<double>(table_bytes()) / static_cast<double>(last);
}

Latency Latency::Of(const Histogram& histogram) {
  return {.count = histogram.count(),
          .mean = histogram.mean(),
          .p50 = histogram.Percentile(50),
          .p90 = histogram.Percentile(90),
          .p99 = histogram.Percentile(99),
          .p99_9 = histogram.Percentile(99.9),
          .max = histogram.max()};
}

double WorkloadResult::write_amplification() const {
  // A database that was opened anew meanwhile counts from nothing.
  const bool reopened = end.stats.user_bytes_written < start.stats.user_bytes_written ||
                        BytesWritten(end.stats) < BytesWritten(start.stats);
  const DbStats before = reopened ? DbStats{} : start.stats;
  const uint64_t user = end.stats.user_bytes_written - before.user_bytes_written;
  if (user == 0) return 0;
  return static_cast<double>(BytesWritten(end.stats) - BytesWritten(before)) /
         static_cast<double>(user);
}

}  // namespace varve::cli::bench
