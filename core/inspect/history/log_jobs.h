// SPDX-License-Identifier: Apache-2.0
// Flushes, compactions and moves as the events of RocksDB's LOG files tell of them, and how they
// are joined to what the MANIFEST says. Used by history.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inspect/history/history.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// What a LOG says of a trivial move: not which tables it moved.
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

// Completes the jobs of `report` by those of the logs, and puts in front of them what only a log
// tells of. A job is the same if it made the same table, or took the same tables away; a move, if
// it moved as many bytes of as many tables to the same level, counted from the newest.
void JoinLogJobs(LogJobs logs, HistoryReport* report);

}  // namespace varve
