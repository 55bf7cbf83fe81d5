// SPDX-License-Identifier: Apache-2.0
// Verifies what a worker says it has done, before the engine takes its tables: everything that can
// be told from the job, the result, and every byte of the new tables.
#pragma once

#include <string>
#include <vector>

#include "core/compaction/job_context.h"
#include "core/compaction/picker.h"
#include "core/format/manifest/remote_compaction.h"
#include "core/version/version.h"
#include "varve/status.h"

namespace varve {

struct RemoteCheck {
  const JobContext& job;  // Of the family, at the engine.
  const Version& version;
  const CompactionPlan& plan;
  const RemoteJob& sent;
  MaskedCrc crc;  // Of the job as it was sent.
};

// The failure that the result reports, or Corruption naming what is wrong in it: not of this job;
// other inputs; outputs elsewhere, beyond the bounds of the inputs, not ascending, or that share a
// user key; more entries than the inputs have. No I/O, but the inputs' properties.
Status CheckRemoteResult(const RemoteCheck& check, const RemoteResult& result);

// Reads all of output number `index`, in `folder`. Corruption if it is damaged or out of order,
// made for another database or family, or not what the result says: size, unique id, bounds,
// sequences, entries. Sets *description to what the MANIFEST is to say of it, all of it from the
// table and the inputs, but without a number. Adds its entries but range deletions to *points. Any
// thread.
Status CheckRemoteOutput(const RemoteCheck& check, const RemoteResult& result, size_t index,
                         const std::string& folder, FileDescription* description, uint64_t* points);

// Corruption if there are more such entries than in the inputs.
Status CheckRemotePoints(const RemoteCheck& check, uint64_t points);

}  // namespace varve
