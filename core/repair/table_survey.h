// SPDX-License-Identifier: Apache-2.0
// Everything that a MANIFEST says about a table, determined from the table itself, with every block
// read and verified.
#pragma once

#include <map>
#include <memory>
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
  // The caller sets number and level. Bounds cover points and range deletions.
  FileDescription description;
  std::string smallest_point, largest_point;  // Also encoded; empty: there are no points.
  uint64_t entries = 0;
  std::map<FileNumber, BlobReader::Summary>
      blob_files;  // The blobs in each that its blob indexes point to.
};

// Corruption, with the message of db verify: it must be salvaged first. NotSupported: unknown
// comparator. `blobs`: where values in blob files are looked up.
Result<TableSurvey> SurveyTable(FileSystem& fs, const std::string& path,
                                const TableContext& context, const BlobReader& blobs);

}  // namespace varve
