// SPDX-License-Identifier: Apache-2.0
// A compaction merges the tables of a plan into new tables of the output level.
//
//   inputs --level iterators--> merged --CompactionIterator--> kept entries --cut--> outputs
//
// With several subcompactions the key range is split at sampled user keys, and the parts are done
// at the same time: the job schedules helpers, but takes part itself and waits only for parts that
// a helper has begun, so it finishes even if no other thread is ever free.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/compaction/job_context.h"
#include "core/compaction/picker.h"
#include "core/format/manifest/file_description.h"
#include "core/version/version.h"

namespace varve {

struct CompactionOutcome {
  std::vector<FileDescription> outputs;  // In key order; synced, the directory too.
  uint64_t bytes_written = 0;
};

// Requires a plan that moves data (neither trivial_move nor delete_only) over `version`, the one it
// was picked from. On failure no output remains. What is read of the inputs is added to
// job.bytes_read meanwhile, and once it succeeds that is all of them. Any thread.
Result<CompactionOutcome> RunCompaction(const JobContext& job, const Version& version,
                                        const CompactionPlan& plan, int subcompactions);

}  // namespace varve
