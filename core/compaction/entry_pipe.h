// SPDX-License-Identifier: Apache-2.0
// PipeEntries connects the two halves of a flush or compaction: the first half finds the entries
// that stay, the second builds tables from them. If two processors are free both halves run at the
// same time, which is worth copying each entry.
//
//   CompactionIterator --copy--> EntryBatch --Pipe--> take(entry)*
#pragma once

#include <functional>

#include "core/compaction/compaction_iterator.h"
#include "core/compaction/entry_batch.h"
#include "core/compaction/job_context.h"
#include "varve/status.h"

namespace varve {

// Runs until the last entry, an error of either half, or cancellation of the job. Calls `take` on
// any thread, for one entry after the other, and never after returning.
Status PipeEntries(const JobContext& job, CompactionIterator* entries,
                   const std::function<Status(const EntryBatch::Entry&)>& take);

}  // namespace varve
