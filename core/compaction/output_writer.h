// SPDX-License-Identifier: Apache-2.0
// OutputWriter is the second half of a subcompaction: it splits the entries into tables, builds
// them, and has them verified.
//
//   Add()* -> Finish() -> outputs
//        \------\-- Abandon(): no output remains
//
// One thread at a time; uses the executor to write and to read back.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads/task_queue.h"
#include "core/compaction/blob_flow.h"
#include "core/compaction/blob_separator.h"
#include "core/compaction/compaction_job.h"
#include "core/compaction/compaction_tombstones.h"
#include "core/compaction/entry_batch.h"
#include "core/compaction/output_splitter.h"
#include "core/compaction/table_output.h"

namespace varve {

class OutputWriter {
 public:
  // The outputs, of `level`, own the user keys from `begin` on, and get the tombstones there. Blobs
  // in files with numbers below `collect_below` are written again. All arguments must outlive the
  // writer.
  OutputWriter(const JobContext& job, const TableOptions& options, int level,
               OutputSplitter splitter, const CompactionTombstones& tombstones,
               std::optional<std::string> begin, FileNumber collect_below);

  Status Add(const EntryBatch::Entry& entry);
  // The outputs own the user keys up to `end`; the inputs had these blobs.
  Result<CompactionOutcome> Finish(std::optional<std::string> end, const BlobFlow& blobs_read);
  // Call instead of Finish(), or after it failed.
  void Abandon();

 private:
  Status CloseOutput(std::optional<std::string> upper);
  void VerifyLater(const FileDescription& table, uint64_t entries);

  const JobContext& job_;
  const TableOptions options_;
  OutputSplitter splitter_;
  const CompactionTombstones& tombstones_;
  BlobSeparator blobs_;

  std::unique_ptr<TableOutput> output_;  // Null between outputs.
  std::optional<std::string> lower_;     // Where the current output begins.
  CompactionOutcome outcome_;

  // Of the outputs being verified; a deque because addresses must be stable.
  std::deque<Status> verdicts_;
  TaskQueue verifications_;  // Declared last: destroyed before what its tasks use.
};

}  // namespace varve
