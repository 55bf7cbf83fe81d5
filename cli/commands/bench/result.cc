// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/result.h"

namespace varve::cli::bench {

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
  return static_cast<double>(stats.wal_bytes_written + stats.flush_bytes_written +
                             stats.compaction_bytes_written) /
         static_cast<double>(stats.user_bytes_written);
}

double TreeState::space_amplification() const {
  uint64_t last = 0;
  for (const LevelInfo& level : levels) {
    if (level.bytes > 0) last = level.bytes;
  }
  return last == 0 ? 0 : static_cast<double>(table_bytes()) / static_cast<double>(last);
}

}  // namespace varve::cli::bench
