// SPDX-License-Identifier: Apache-2.0
// Everything that a MANIFEST would say about a table, learnt from the table itself: every block is
// read and verified on the way.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/format/manifest/file_description.h"
#include "core/inspect/salvage/salvage.h"
#include "core/table/read/table_reader.h"
#include "core/version/blob_reader.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct TableSurvey {
  std::shared_ptr<const TableReader> reader;
  // Number and level are the caller's. Bounds cover points and range deletions.
  FileDescription description;
  std::string smallest_point, largest_point;  // Likewise encoded; empty: there are no points.
  uint64_t entries = 0;
  std::set<FileNumber> blob_files;  // That its blob indexes name.
};

// Corruption, with what db verify says about it: it has to be salvaged first. NotSupported: its order
// is unknown here. `blobs`: what its values in blob files are looked for in.
Result<TableSurvey> SurveyTable(FileSystem& fs, const std::string& path,
                                const TableContext& context, const BlobReader& blobs);

}  // namespace varve
