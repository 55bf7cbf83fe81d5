// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/counter.h"
#include "core/table/write/table_builder.h"
#include "varve/environment.h"
#include "varve/options.h"
#include "varve/types.h"

namespace varve {

// What the flushes and compactions of one family share. Outlives the job.
struct JobContext {
  Environment env;
  std::string directory;
  ColumnFamilyOptions options;                  // Comparator known; merge operator maybe.
  TableOrigin origin;                           // Family and database; the rest is set per table.
  std::vector<Sequence> snapshots;              // Live ones, ascending.
  std::function<FileNumber()> new_file_number;  // Thread-safe.
  std::function<bool()> cancelled;              // Thread-safe: the database is closing.
  bool direct_io = false;
  bool paranoid_checks = true;    // Read outputs back before they count.
  uint64_t readahead_size = 0;    // For inputs.
  Counter* bytes_read = nullptr;  // Added to as a compaction reads; null: nobody looks.
};

}  // namespace varve
