// SPDX-License-Identifier: Apache-2.0
// Flushes, compactions and moves from the events of RocksDB's LOG files, joined with those from the
// MANIFEST. Used by history.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inspect/history/history.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// A trivial move in a LOG, which does not name the moved tables.
struct LoggedMove {
  std::string log;
  uint64_t job = 0;
  uint64_t time_micros = 0;
  int output_level = 0;
  uint64_t files = 0, bytes = 0;
};

struct LogJobs {
  std::vector<JobReport> jobs;  // Flushes and compactions that finished, oldest first.
  std::vector<LoggedMove> moves;
  std::vector<std::string> logs;
  uint64_t unreadable = 0;
};

Result<LogJobs> ReadLogJobs(FileSystem& fs, const std::string& directory);

// Completes the jobs of `report` with those of the logs, and inserts jobs known only from a log at
// the front. Jobs are the same if they created or removed the same table; moves, if they moved the
// same number of bytes and tables to the same level, counted from the newest.
void JoinLogJobs(LogJobs logs, HistoryReport* report);

}  // namespace varve
