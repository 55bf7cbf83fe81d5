// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/table_totals.h"

#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/table/table_report.h"

namespace varve {
namespace {

void AddTable(const TableReport& table, LevelTotals* level) {
  level->index_bytes += table.index_bytes;
  FilterTotals& filter = level->filters[table.filter_kind];
  ++filter.files;
  filter.entries += table.entries;
  filter.bytes += table.filter_bytes;
  CodecTotals& codec = level->codecs[table.codec];
  ++codec.files;
  codec.raw_bytes += table.raw_key_bytes + table.raw_value_bytes;
  codec.stored_bytes += table.data_bytes;
}

}  // namespace

Result<TotalsReport> ReportTableTotals(FileSystem& fs, const std::string& path,
                                       const VerifyProgressFn& progress) {
  ASSIGN_OR_RETURN(const LsmReport lsm, ReportLsm(fs, path));
  uint64_t bytes = 0, done = 0;
  for (const FamilyReport& family : lsm.families) bytes += family.bytes;
  TotalsReport report;
  for (const FamilyReport& family : lsm.families) {
    FamilyTotals& totals = report.families.emplace_back();
    totals.id = family.id;
    totals.name = family.name;
    for (const LevelReport& shape : family.levels) {
      if (shape.files.empty()) continue;
      LevelTotals& level = totals.levels.emplace_back();
      level.level = shape.level;
      for (const FileReport& file : shape.files) {
        if (progress != nullptr && !progress({done += file.size, bytes})) {
          return Status::IoError("cancelled");
        }
        ++level.files;
        level.file_bytes += file.size;
        const auto table = ReportTable(fs, JoinPath(path, file.name));
        if (table.ok()) {
          AddTable(*table, &level);
        } else {
          report.unreadable.push_back(file.name + ": " + std::string(table.status().message()));
        }
      }
    }
  }
  return report;
}

}  // namespace varve
