// SPDX-License-Identifier: Apache-2.0
// The shape of a database, from its MANIFEST and directory alone: no table is opened.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inspect/table_report.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

struct FileReport {
  FileNumber number = 0;
  std::string name;  // "000123.sst"
  int level = 0;
  uint64_t size = 0;
  BoundReport smallest, largest;
  Sequence smallest_sequence = 0, largest_sequence = 0;
  uint64_t epoch = 0;
  uint64_t creation_time = 0;  // Unix seconds, 0 unknown.
};

struct LevelReport {
  int level = 0;
  std::vector<FileReport> files;  // Level 0 newest first, else ascending.
  uint64_t bytes = 0;
};

struct FamilyReport {
  ColumnFamilyId id = 0;
  std::string name;
  std::string comparator;
  bool comparator_known = true;
  std::vector<LevelReport> levels;  // All levels, empty ones included.
  uint64_t files = 0, bytes = 0;
  uint64_t blob_files = 0;
  uint64_t log_number = 0;
};

struct WalFileReport {
  FileNumber number = 0;
  uint64_t size = 0;
  bool live = false;  // Would be replayed at open.
};

struct LsmReport {
  std::string path;
  bool leveldb = false;
  std::string db_id;     // IDENTITY or the MANIFEST's; empty if neither.
  std::string manifest;  // "MANIFEST-000005"
  uint64_t manifest_edits = 0;
  uint64_t manifest_bytes = 0;
  Sequence last_sequence = 0;  // As the MANIFEST says; WALs may hold later ones.
  FileNumber next_file_number = 0;
  std::vector<FamilyReport> families;
  std::vector<WalFileReport> wals;
  std::vector<std::string> orphans;  // Table and blob files that the MANIFEST does not name.
  std::vector<std::string> missing;  // Files it names that are not there.
};

Result<LsmReport> ReportLsm(FileSystem& fs, const std::string& path);

}  // namespace varve
