// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/threads/counter.h"
#include "core/table/write/table_builder.h"
#include "varve/environment.h"
#include "varve/options.h"
#include "varve/types.h"

namespace varve {

class BlobReader;

// What flushes and compactions of one family share. Must outlive the job.
struct JobContext {
  Environment env;
  std::string directory;        // All tables of the database can be opened here.
  std::string table_directory;  // New ones are created here,
  uint32_t path_id = 0;         // which is that of options.cf_paths.
  // The comparator is known; the merge operator may be null.
  ColumnFamilyOptions options;
  TableOrigin origin;               // Family and database; the rest is set per table.
  std::vector<Sequence> snapshots;  // Live ones, ascending.
  // Nobody reads at older timestamps; empty: at any, or keys have none.
  std::string full_history_ts_low;
  std::function<FileNumber()> new_file_number;  // Thread-safe.
  std::function<bool()> cancelled;              // Thread-safe: the database is closing.
  bool direct_io = false;
  bool paranoid_checks = true;        // Read outputs back before they are installed.
  uint64_t readahead_size = 0;        // For inputs.
  const BlobReader* blobs = nullptr;  // Values of inputs. Null: none of them refers to any.
  Counter* bytes_read = nullptr;      // Increased as a compaction reads; null: not counted.
};

}  // namespace varve
