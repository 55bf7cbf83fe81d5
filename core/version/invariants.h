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

// The numbers that an edit brings, each for itself: file and log numbers and epochs that leave no
// room to count on are no work of a database, and sums with them would wrap around.
Status CheckNumbers(const VersionEdit& edit);

// A log number beyond the next file number hides the logs to come: what is written to them would be
// passed over by the next recovery.
Status CheckMinLogNumber(uint64_t min_log_number_to_keep, FileNumber next_file_number);
Status CheckLogNumber(const FamilyState& family, FileNumber next_file_number);

// `version` together with the counters it would be logged with: file numbers below
// NextFileNumber, no sequence above LastSequence.
Status CheckVersion(const Version& version, const DatabaseCounters& counters);

// All of it, for a MANIFEST snapshot: every family's Version and log number, unique numbers across
// families.
Status CheckState(const DatabaseState& state);

}  // namespace varve
