// SPDX-License-Identifier: Apache-2.0
// A compaction merges the input tables of a plan into new tables of the output level.
//
//   inputs --level iterators--> merged --CompactionIterator--> kept entries --cut--> outputs
//
// With several subcompactions the key range is split at sampled user keys, and the parts run in
// parallel: the job schedules helpers, but takes part itself and waits only for parts that a helper
// has started, so it finishes even if no other thread is ever free.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/compaction/job_context.h"
#include "core/compaction/picker.h"
#include "core/format/manifest/file_description.h"
#include "core/format/manifest/version_edit.h"
#include "core/version/version.h"

namespace varve {

struct CompactionOutcome {
  std::vector<FileDescription> outputs;  // In key order; files and directory are synced.
  uint64_t bytes_written = 0;            // Of the outputs and the blob files.
  std::vector<BlobFileAddition> blobs;   // Files that the outputs refer to.
  std::vector<BlobFileGarbage> garbage;  // What they refer to no more.
};

// Requires a plan that moves data (neither trivial_move nor delete_only) over `version`, the one it
// was picked from. On failure no output remains. Bytes read of the inputs are added to
// job.bytes_read as it runs; after success all input bytes are counted. Any thread.
Result<CompactionOutcome> RunCompaction(const JobContext& job, const Version& version,
                                        const CompactionPlan& plan, int subcompactions);

// Sizes of all inputs.
uint64_t InputBytes(const CompactionPlan& plan);

// Sets what outputs have of their inputs: epoch and age of their data. RunCompaction() has done so.
void InheritFromInputs(const CompactionPlan& plan, std::vector<FileDescription>* outputs);

}  // namespace varve
