// SPDX-License-Identifier: Apache-2.0
// JobListener is told of the flushes and compactions of an open database, and of tables that are
// deleted, for a log of them. Not installed.
//
//   OnFlushBegin or OnCompactionBegin -> OnEnd, with the same number
//
// What recovery flushes or deletes is not told.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/compaction/picker.h"
#include "core/engine/flush_reason.h"
#include "core/format/manifest/file_description.h"
#include "core/memtable/memtable.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

struct JobFamily {
  ColumnFamilyId id = kDefaultColumnFamilyId;
  std::string_view name = {};
  std::string_view comparator = {};  // Its name.
};

struct JobEnd {
  Status status = {};                             // If it failed, nothing has changed.
  const CompactionPlan* compaction = nullptr;     // Null: it was a flush.
  std::span<const FileDescription> outputs = {};  // Tables that it made, if it succeeded.
  uint64_t micros = 0;                            // How long it took.
  std::vector<uint64_t> files_in_levels = {};     // Of the family, as it left it, if it succeeded.
  bool remote = false;                            // A CompactionService did it.
  Status remote_failure = {};                     // A CompactionService was to do it, but did not.
  uint64_t sealed_memtables = 0;                  // That waited for a flush then.
};

// Called by the thread that runs the job, which holds no lock, and may be one of several. What is
// passed is valid during the call. Must outlive the database, and not call it.
class JobListener {
 public:
  virtual ~JobListener() = default;
  // `job` counts the jobs of this opening, from 1. `memtables`: oldest first.
  virtual void OnFlushBegin(uint64_t job, const JobFamily& family,
                            std::span<const std::shared_ptr<MemTable>> memtables,
                            FlushReason reason) = 0;
  // Also for plans that only move or delete tables.
  virtual void OnCompactionBegin(uint64_t job, const JobFamily& family,
                                 const CompactionPlan& plan) = 0;
  virtual void OnEnd(uint64_t job, const JobFamily& family, const JobEnd& end) = 0;
  // Nobody uses the table any more; by whoever used it last.
  virtual void OnTableDeleted(FileNumber number) = 0;
};

}  // namespace varve
