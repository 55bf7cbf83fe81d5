// SPDX-License-Identifier: Apache-2.0
// Totals of filters and compression of a database's tables by level. From footers and properties:
// only the first and last data block of each table is read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/inspect/progress.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

struct FilterTotals {
  uint64_t files = 0;
  uint64_t entries = 0;  // Of the tables with such a filter.
  uint64_t bytes = 0;
};

struct CodecTotals {
  uint64_t files = 0;
  uint64_t raw_bytes = 0;     // Keys and values.
  uint64_t stored_bytes = 0;  // Data blocks.
};

struct LevelTotals {
  int level = 0;
  uint64_t files = 0, file_bytes = 0, index_bytes = 0;
  std::map<std::string, FilterTotals> filters;  // By kind: "bloom", "none", ...
  std::map<std::string, CodecTotals> codecs;    // By name: "zstd", "none", ...
};

struct FamilyTotals {
  ColumnFamilyId id = 0;
  std::string name;
  std::vector<LevelTotals> levels;  // Those with tables.
};

struct TotalsReport {
  std::vector<FamilyTotals> families;
  std::vector<std::string> unreadable;  // Tables that cannot be opened, with the reason.
};

Result<TotalsReport> ReportTableTotals(FileSystem& fs, const std::string& path,
                                       const VerifyProgressFn& progress);

}  // namespace varve
