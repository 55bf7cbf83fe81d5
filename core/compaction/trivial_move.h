// SPDX-License-Identifier: Apache-2.0
// Whether a compaction between levels may just change the level of its tables. Pure.
#pragma once

#include "core/compaction/picker.h"
#include "core/compaction/plan_output.h"
#include "core/version/version.h"
#include "varve/options.h"

namespace varve {

// True if there is nothing to merge or recode, and no moved file would overlap too much of the
// level below the output. Requires the tables, levels, path and compression of the plan.
bool MayMoveDown(const CompactionPlan& plan, const Version& version,
                 const ColumnFamilyOptions& options, const PlanOutput& output);

}  // namespace varve
