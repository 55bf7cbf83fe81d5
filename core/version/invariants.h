// SPDX-License-Identifier: Apache-2.0
// What must be true of a Version before a MANIFEST may say it (db-format section 5). Some releases
// of RocksDB answer a violation by opening the family empty and deleting its tables, so a wrong
// MANIFEST is not an error message but data loss: nothing is logged that was not checked here.
#pragma once

#include <string>
#include <vector>

#include "core/version/column_families.h"
#include "core/version/version.h"
#include "varve/status.h"

namespace varve {

// Orders of files in `levels` (level 0 newest first): Corruption naming both neighbours.
Status CheckLevels(const Comparator& comparator, const std::vector<std::vector<FilePtr>>& levels);

// `version` together with the counters it would be logged with: file numbers below
// NextFileNumber, no sequence above LastSequence.
Status CheckVersion(const Version& version, const DatabaseCounters& counters);

// All of it, for a MANIFEST snapshot: every family's Version, ids within max_family, unique
// numbers across families.
Status CheckState(const DatabaseState& state);

}  // namespace varve
