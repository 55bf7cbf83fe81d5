// SPDX-License-Identifier: Apache-2.0
// What a flush or compaction of a family needs of the database.
#pragma once

#include "core/compaction/job_context.h"
#include "core/engine/context.h"

namespace varve {

// With the snapshots of now; the source of file numbers and `cancelled` are the caller's to set.
JobContext JobFor(const EngineContext& context, const Family& family);

}  // namespace varve
