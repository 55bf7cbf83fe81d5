// SPDX-License-Identifier: Apache-2.0
// The LSM tree of a database: the tables on each level of each family, how they overlap, and the
// levels' compaction scores. From the MANIFEST, the newest OPTIONS file and the directory only,
// unless the tables' properties are requested.
//
// The state after any edit of the MANIFEST can be shown: edits are numbered from 1, and edit 0 is
// the empty database. An atomic group takes effect with its last edit.
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

// From the table's own properties.
struct TableContents {
  uint64_t entries = 0, deletions = 0, range_deletions = 0, merges = 0;
  uint64_t raw_key_bytes = 0, raw_value_bytes = 0;
  uint64_t oldest_key_time = 0;  // Unix seconds, 0 unknown.
};

// The files of the next level that a compaction of the file would also read.
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
  uint64_t oldest_ancestor_time = 0;  // Of the oldest flush in it, if known.
  std::string unique_id;              // Hex, as TableReport has it; empty: not stored.
  uint32_t path_id = 0;               // Of db_paths or cf_paths.
  bool marked_for_compaction = false;
  bool present = true;                    // In the directory.
  uint64_t added_by = 0;                  // The edit that put it on this level; 0 unknown.
  std::optional<OverlapReport> overlap;   // Absent on the last level and for an unknown comparator.
  std::optional<TableContents> contents;  // If requested and readable.
};

struct LevelReport {
  int level = 0;
  std::vector<FileReport> files;  // Level 0 newest first, others ascending.
  uint64_t bytes = 0;
  double score = 0;                      // 1 and above: due for compaction.
  std::optional<uint64_t> target_bytes;  // Absent: no limit, or none computed by RocksDB.
  // What a compaction of the whole level would also read: each file once. Absent as for the files.
  std::optional<OverlapReport> overlap;
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
  // Where the following options are from: an OPTIONS file has them, or LevelDB, whose own they are.
  // False: they are RocksDB's defaults, and the database may be used with others.
  bool options_known = true;
  std::string compaction_style;      // "level", "universal", "fifo", "none".
  bool dynamic_level_bytes = false;  // Of style "level".
  int level0_trigger = 4;            // Number of level-0 files that triggers compaction.
  int base_level = 1;                // The level that level 0 is compacted into; for style "level".
  bool compensated = false;          // Scores count deletions; only with the tables' properties.
};

// The order of its keys; bytewise if the comparator has no name. Null: unknown.
const Comparator* OrderOf(const FamilyReport& family);

struct WalFileReport {
  FileNumber number = 0;
  uint64_t size = 0;
  bool live = false;  // Would be replayed at open.
};

struct LsmReport {
  std::string path;
  bool directory_known = true;  // False for a MANIFEST outside its database.
  bool leveldb = false;
  std::string db_id;            // From IDENTITY or the MANIFEST; empty if neither has it.
  std::string manifest;         // "MANIFEST-000005"
  uint64_t edit = 0;            // The state after this edit is shown.
  uint64_t manifest_edits = 0;  // Readable ones.
  bool damaged_behind = false;  // Further edits cannot be read; `warnings` has the offset.
  uint64_t manifest_bytes = 0;
  Sequence last_sequence = 0;       // From the MANIFEST; WALs may have later ones.
  FileNumber next_file_number = 0;  // Likewise; recovery continues above all numbers that it finds.
  std::string options_file;         // Used for the scores; empty: there is none.
  std::vector<FamilyReport> families;
  std::vector<WalFileReport> wals;
  // Only for the current state, since files of earlier states may have been deleted:
  std::vector<std::string> orphans;  // Table and blob files that the MANIFEST does not name.
  std::vector<std::string> missing;  // Files that the MANIFEST names but do not exist.
  // Tables of another size than the MANIFEST says, with both: "000123.sst: 100 bytes, not 4096".
  std::vector<std::string> wrong_size;
  std::vector<std::string> warnings;  // An unreadable OPTIONS file, a table that cannot be opened.

  // Every file that the MANIFEST names exists, every table in its size.
  bool has_all_files() const { return missing.empty() && wrong_size.empty(); }
  bool is_newest() const { return edit == manifest_edits && !damaged_behind; }
  const FamilyReport* Find(std::string_view family) const;
  // Of that name or, if none has it, of that id; null: there is none.
  const FamilyReport* FindByNameOrId(std::string_view family) const;
};

struct LsmQuery {
  std::optional<uint64_t> edit;  // Nullopt: the newest. InvalidArgument if there are fewer.
  bool open_tables = false;      // For FileReport::contents; one small read or two per table.
};

// `target`: a database's directory, or one of its MANIFESTs, current or not. Corruption if the
// requested state violates a rule of version/invariants.h, as in a recovery.
Result<LsmReport> ReportLsm(FileSystem& fs, const std::string& target, const LsmQuery& query);
inline Result<LsmReport> ReportLsm(FileSystem& fs, const std::string& target) {
  return ReportLsm(fs, target, LsmQuery());
}

}  // namespace varve
