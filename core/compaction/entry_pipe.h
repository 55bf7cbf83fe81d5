// SPDX-License-Identifier: Apache-2.0
// PipeEntries joins the two halves of a flush or compaction: the entries that stay, as the first
// half finds them, go to the second, which builds tables, through a pipe. Where two processors are
// free both halves go on at once, which is worth a copy of each entry.
//
//   CompactionIterator --copy--> EntryBatch --Pipe--> take(entry)*
#pragma once

#include <functional>

#include "core/compaction/compaction_iterator.h"
#include "core/compaction/entry_batch.h"
#include "core/compaction/job_context.h"
#include "varve/status.h"

namespace varve {

// From the first entry to the last, or to the first failure of either half, or until the job is
// cancelled. Calls `take` on any thread, for one entry after the other; never after it has
// returned.
Status PipeEntries(const JobContext& job, CompactionIterator* entries,
                   const std::function<Status(const EntryBatch::Entry&)>& take);

}  // namespace varve
