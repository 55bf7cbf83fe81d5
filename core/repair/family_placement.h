// SPDX-License-Identifier: Apache-2.0
// Fourth phase of a repair: assigns tables to levels. Input: the tables and the state of the old
// database. Output: the families' new versions, whose tables are copied or merged into the
// destination.
//
// Tables keep the levels of a whole MANIFEST (`keep_levels`) if they are still consistent there.
// Otherwise they get new levels by their keys and sequences alone (placement.h).
#pragma once

#include <string>
#include <vector>

#include "core/repair/repair_job.h"
#include "core/repair/source_files.h"
#include "core/repair/table_rescue.h"
#include "core/version/blob_reader.h"
#include "core/version/column_families.h"
#include "varve/result.h"

namespace varve {

struct PlacedFamilies {
  DatabaseState state;             // With the new versions and their last sequence.
  std::string note;                // Names families that do not keep their levels.
  std::vector<std::string> blobs;  // Names of the versions' blob files.
  FileNumber next_number = 0;      // After those of the new tables.
};

// New tables are numbered from `files.next_number`. Levels and merges are added to the rows of
// `rescued`. NotSupported: unknown comparator.
Result<PlacedFamilies> PlaceFamilies(const RepairJob& job, const SourceFiles& files,
                                     bool keep_levels, const BlobReader& blobs,
                                     RescuedTables* rescued);

}  // namespace varve
