// SPDX-License-Identifier: Apache-2.0
// Third phase of a repair: reads the tables. Each one that may be needed is verified completely;
// the intact part of a damaged one is written to the destination as a table with the same number.
//
// Input: the files and the remains of the MANIFEST. Output: the tables for the new database, a row
// for each file, and the state with the families that only tables name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/inspect/salvage/salvage.h"
#include "core/repair/manifest_remains.h"
#include "core/repair/repair_job.h"
#include "core/repair/repair_report.h"
#include "core/repair/source_files.h"
#include "core/repair/table_survey.h"
#include "core/version/blob_reader.h"
#include "varve/result.h"

namespace varve {

// An intact table for the new database.
struct RescuedTable {
  FileNumber number = 0;
  ColumnFamilyId family = kDefaultColumnFamilyId;
  size_t row = 0;    // In RescuedTables::rows.
  std::string path;  // Of the old table if intact, else of the salvaged one.
  TableSurvey survey;
  std::optional<int> level = {};  // Only with a whole MANIFEST.
};

struct RescuedTables {
  std::vector<RescuedTable> tables;  // Ascending by number.
  std::vector<RepairTable> rows;     // First missing files, then existing ones.
  DatabaseState state;
  uint64_t entries = 0;  // In all of these.
};

// NotSupported: several db_paths, unknown comparator.
Result<RescuedTables> RescueTables(const RepairJob& job, const SourceFiles& files,
                                   const ManifestRemains& manifest, const BlobReader& blobs,
                                   const VerifyProgressFn& progress);

}  // namespace varve
