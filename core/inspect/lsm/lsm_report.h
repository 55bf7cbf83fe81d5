// SPDX-License-Identifier: Apache-2.0
// The shape of a database: which tables are on which level of which family, how they overlap, and
// what each level's score says. From the MANIFEST, the newest OPTIONS file and the directory alone,
// unless the tables' properties are asked for.
//
// The state after any edit of the MANIFEST can be shown: edits are numbered from 1, and edit 0 is
// the empty database that the first one starts from. An atomic group shows when its last edit is
// in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/inspect/lsm/level_scores.h"
#include "core/inspect/table/table_report.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

// As the table's own properties say.
struct TableContents {
  uint64_t entries = 0, deletions = 0, range_deletions = 0, merges = 0;
  uint64_t raw_key_bytes = 0, raw_value_bytes = 0;
  uint64_t oldest_key_time = 0;  // Unix seconds, 0 unknown.
};

// Of the next level that a compaction of the file would read too.
struct OverlapReport {
  int level = 0;
  uint64_t files = 0, bytes = 0;
};

struct FileReport {
  FileNumber number = 0;
  std::string name;  // "000123.sst"
  int level = 0;
  uint64_t size = 0;
  BoundReport smallest, largest;
  Sequence smallest_sequence = 0, largest_sequence = 0;
  uint64_t epoch = 0;
  uint64_t creation_time = 0;         // Unix seconds, 0 unknown.
  uint64_t oldest_ancestor_time = 0;  // Of the oldest flush in it, as far as known.
  std::string unique_id;              // Hex, as TableReport has it; empty: not stored.
  uint32_t path_id = 0;               // Of db_paths or cf_paths.
  bool marked_for_compaction = false;
  bool present = true;                    // In the directory.
  uint64_t added_by = 0;                  // The edit that put it on this level; 0 unknown.
  std::optional<OverlapReport> overlap;   // Absent on the last level and in a foreign order.
  std::optional<TableContents> contents;  // If asked for and readable.
};

struct LevelReport {
  int level = 0;
  std::vector<FileReport> files;  // Level 0 newest first, else ascending.
  uint64_t bytes = 0;
  double score = 0;                      // 1 and above: wants compaction.
  std::optional<uint64_t> target_bytes;  // Absent: no limit, or none that RocksDB has computed.
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
  std::string compaction_style;      // "level", "universal", "fifo", "none".
  bool dynamic_level_bytes = false;  // Of style "level".
  int level0_trigger = 4;            // Files on level 0 that make it want compaction.
  int base_level = 1;                // Where level 0 compacts to; of style "level".
  bool compensated = false;          // Scores count deletions; only with the tables' properties.
};

struct WalFileReport {
  FileNumber number = 0;
  uint64_t size = 0;
  bool live = false;  // Would be replayed at open.
};

struct LsmReport {
  std::string path;
  bool directory_known = true;  // False for a MANIFEST away from its database.
  bool leveldb = false;
  std::string db_id;            // IDENTITY or the MANIFEST's; empty if neither.
  std::string manifest;         // "MANIFEST-000005"
  uint64_t edit = 0;            // What is shown: the state after this one.
  uint64_t manifest_edits = 0;  // Readable ones.
  bool damaged_behind = false;  // More follow that cannot be read; `warnings` says where.
  uint64_t manifest_bytes = 0;
  Sequence last_sequence = 0;       // As the MANIFEST says; WALs may hold later ones.
  FileNumber next_file_number = 0;  // Likewise; a recovery goes on above all that it finds.
  std::string options_file;         // That the scores are computed with; empty: there is none.
  std::vector<FamilyReport> families;
  std::vector<WalFileReport> wals;
  // Of the present, not of a past edit, whose files may rightly be gone:
  std::vector<std::string> orphans;   // Table and blob files that the MANIFEST does not name.
  std::vector<std::string> missing;   // Files it names that are not there.
  std::vector<std::string> warnings;  // An unreadable OPTIONS file, a table that does not open.

  bool is_newest() const { return edit == manifest_edits && !damaged_behind; }
  const FamilyReport* Find(std::string_view family) const;
};

struct LsmQuery {
  std::optional<uint64_t> edit;  // Nullopt: the newest. InvalidArgument if there are fewer.
  bool open_tables = false;      // For FileReport::contents; one small read or two per table.
};

// `target`: a database's directory, or one of its MANIFESTs, the current one or another. Corruption
// if the state asked for breaks a rule of version/invariants.h, as a recovery from there would say.
Result<LsmReport> ReportLsm(FileSystem& fs, const std::string& target, const LsmQuery& query);
inline Result<LsmReport> ReportLsm(FileSystem& fs, const std::string& target) {
  return ReportLsm(fs, target, LsmQuery());
}

}  // namespace varve
