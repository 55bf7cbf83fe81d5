// SPDX-License-Identifier: Apache-2.0
// Invariants of a Version, checked before it is written to a MANIFEST (db-format section 5). Some
// releases of RocksDB react to a violation by opening the family empty and deleting its tables, so
// a wrong MANIFEST means data loss: no edit is logged that was not checked here.
#pragma once

#include <string>
#include <vector>

#include "core/version/column_families.h"
#include "core/version/version.h"
#include "varve/status.h"

namespace varve {

// Checks the order of files in `levels` (level 0 newest first): Corruption naming both neighbours.
Status CheckLevels(const Comparator& comparator, const std::vector<std::vector<FilePtr>>& levels);

// Checks the numbers of one edit: file numbers, log numbers and epochs too large to continue
// counting are not written by any database, and arithmetic with them would overflow.
Status CheckNumbers(const VersionEdit& edit);

// Checks that the log number does not exceed the next file number: recovery would skip the WALs
// created from then on.
Status CheckMinLogNumber(uint64_t min_log_number_to_keep, FileNumber next_file_number);
Status CheckLogNumber(const FamilyState& family, FileNumber next_file_number);

// Checks `version` with the counters it would be logged with: file numbers below NextFileNumber, no
// sequence above LastSequence.
Status CheckVersion(const Version& version, const DatabaseCounters& counters);

// All checks for a MANIFEST snapshot: every family's Version and log number, unique file numbers
// across families.
Status CheckState(const DatabaseState& state);

}  // namespace varve
