// SPDX-License-Identifier: Apache-2.0
// Makes a plan of tables that somebody chose by name. Pure functions, as those of picker.h.
//
// RocksDB's rules (CompactionPicker::SanitizeCompactionInputFilesForAllLevels), whatever the style.
// From level 0 down to the output level, the plan takes of each level
//
//   - the chosen tables, and those between the first and the last of them,
//   - in level 0, all older tables, unless the output stays there,
//   - below, neighbours that share a boundary key, and whatever is in the range of keys that all of
//     these have with what is taken of the levels above.
//
// So nothing of the range that is older stays above what the plan writes.
#pragma once

#include <span>
#include <string>

#include "core/compaction/picker.h"
#include "core/version/version.h"
#include "varve/compact_files.h"
#include "varve/result.h"

namespace varve {

// `names`: "000012.sst", with or without a directory. A plan without the last table of level 0
// leaves older ones there. kInvalidArgument: no names, an unknown one, a table below the output
// level, a level or path that there is not, or that the style has no tables at. kBusy: a table that
// it would take is in use by another compaction.
Result<CompactionPlan> PlanChosenFiles(const Version& version, const ColumnFamilyOptions& options,
                                       const BusyFiles& busy, std::span<const std::string> names,
                                       int output_level, const CompactFilesOptions& how);

}  // namespace varve
