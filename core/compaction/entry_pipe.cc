// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/entry_pipe.h"

#include "core/base/threads/pipe.h"
#include "core/base/try.h"

namespace varve {
namespace {

// How often a long job checks for cancellation.
constexpr uint64_t kEntriesBetweenChecks = 1024;

}  // namespace

Status PipeEntries(const JobContext& job, CompactionIterator* entries,
                   const std::function<Status(const EntryBatch::Entry&)>& take) {
  Pipe<EntryBatch> pipe(job.env.executor, Executor::Lane::kCompaction,
                        [&](const EntryBatch& batch) { return batch.ForEach(take); });
  uint64_t count = 0;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    if (++count % kEntriesBetweenChecks == 0 && job.cancelled()) {
      return Status::Shutdown("the database is closing");
    }
    EntryBatch& batch = pipe.buffer();
    batch.Add(entries->key(), entries->value(), entries->starts_user_key());
    if (batch.full()) RETURN_IF_ERROR(pipe.HandOver());
  }
  RETURN_IF_ERROR(entries->status());
  if (!pipe.buffer().empty()) RETURN_IF_ERROR(pipe.HandOver());
  return pipe.Drain();
}

}  // namespace varve
