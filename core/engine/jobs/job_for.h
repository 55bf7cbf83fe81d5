// SPDX-License-Identifier: Apache-2.0
// The JobContext of a flush or compaction of one family.
#pragma once

#include "core/compaction/job_context.h"
#include "core/engine/context.h"

namespace varve {

// With the current snapshots; the caller sets the source of file numbers and `cancelled`.
JobContext JobFor(const EngineContext& context, const Family& family);

}  // namespace varve
