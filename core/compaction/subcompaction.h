// SPDX-License-Identifier: Apache-2.0
// One part of a compaction: merges one range of user keys from all inputs into tables of its own.
//
// An output is closed when it is large enough or would overlap too much of the level below the
// output level; always between two user keys, so that no two outputs share one. Range tombstones
// are cut at the same keys, and the outputs together cover the whole range.
#pragma once

#include "core/base/keys/key_range.h"
#include "core/base/threads/work_meter.h"
#include "core/compaction/compaction_job.h"
#include "core/compaction/job_context.h"
#include "core/compaction/picker.h"
#include "core/format/manifest/file_description.h"
#include "core/version/version.h"

namespace varve {

struct CompactionInputs {
  const JobContext& job;
  const Version& version;
  const CompactionPlan& plan;
  WorkMeter& meter;  // Counts the bytes of all inputs.
};

// `range`: [lower, upper). Outputs are synced, but not their directory. On failure none remains.
// Any thread.
Result<CompactionOutcome> RunSubcompaction(const CompactionInputs& inputs, const KeyRange& range);

}  // namespace varve
