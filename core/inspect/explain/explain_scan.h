// SPDX-License-Identifier: Apache-2.0
// Explains the cost of a scan: each sorted run that it merges with the blocks read there, and what
// became of every entry: returned, an older version, a deletion, covered by a range deletion, too
// new.
//
//   logs (as memtables) --.
//   level 0, each table --+--> merge --> visible? --> row
//   level 1.., a run each-'
//
// The scan is that of a RocksDB iterator with total order: `limit` rows from `from`,
// iterate_upper_bound `to`, a reseek after max_sequential_skip_in_iterations entries of one key.
// The totals are those of its PerfContext under the same names, without readahead, and excluding
// the index kind binary search with first key (for which RocksDB defers reading a block). Range
// deletions are stepped through entry by entry here; RocksDB jumps over them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/inspect/explain/table_look.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct ScanQuestion {
  std::string family = "default";
  std::optional<std::string> from = {}, to = {};  // [from, to); nullopt: unbounded.
  uint64_t limit = 100;                           // Rows.
  std::optional<Sequence> at = {};                // nullopt: the newest.
  uint64_t max_sequential_skip = 8;               // max_sequential_skip_in_iterations.
  Clock* clock = nullptr;                         // Null: no times are measured.
  uint64_t cache_bytes = 64 << 20;                // For blocks; 0: every access reads the block.
};

// Reads, counted as in PerfContext.
struct ScanReads {
  uint64_t block_cache_hit_count = 0;
  uint64_t block_read_count = 0;
  uint64_t block_read_byte = 0;
  uint64_t index_block_read_count = 0;
  uint64_t data_block_read_count = 0;

  void Add(const BlockLook& look);
  void Add(const ScanReads& other);
};

// What the scan did in the logs or in one table.
struct ScanPart {
  std::string source = {};  // "memtable" or "file".
  FileNumber file = 0;
  int level = 0;
  // "rows" (some were returned), "skipped" (entries were skipped), "beyond" (opened, but nothing is
  // in the range), "out_of_range" (its keys end before), "unreadable".
  std::string verdict = {};
  std::vector<BlockLook> blocks = {};  // The first kBlocksListed, in order.
  uint64_t blocks_more = 0;            // How many are not listed.
  ScanReads reads = {};
  uint64_t entries = 0;  // Entries visited; the sum of the following.
  uint64_t rows = 0;     // Returned, or merged into a returned row.
  uint64_t hidden = 0;   // Older versions, and what deletions hide.
  uint64_t deletions = 0;
  uint64_t range_deleted = 0;  // Covered by a range deletion.
  uint64_t too_new = 0;        // Newer than the requested sequence number.
  Status problem = {};

  static constexpr size_t kBlocksListed = 1000;
};

struct ScanTotals {
  uint64_t runs = 0;  // Merged.
  uint64_t files_opened = 0;
  uint64_t files_not_reached = 0;
  uint64_t entries_range_deleted = 0;
  uint64_t key_comparisons = 0;  // Of this engine.
  // As in PerfContext.
  uint64_t seek_on_memtable_count = 0;
  uint64_t next_on_memtable_count = 0;
  uint64_t seek_child_seek_count = 0;
  uint64_t internal_key_skipped_count = 0;
  uint64_t internal_delete_skipped_count = 0;
  uint64_t internal_recent_skipped_count = 0;
  uint64_t internal_merge_count = 0;
  uint64_t iter_read_bytes = 0;
  ScanReads reads = {};
  // As in Statistics.
  uint64_t number_of_reseeks_in_iteration = 0;
};

struct ExplainedScan {
  ScanQuestion question = {};
  uint64_t rows = 0;
  std::string first_key = {}, last_key = {};  // Of the rows.
  // There were fewer rows than the limit, and no damage.
  bool ended = false;
  std::vector<ScanPart> parts = {};  // In the order of a read: logs, level 0, level 1 ...
  ScanTotals totals = {};
  // The error of every scan of the database: a table is missing, even if this scan does not need
  // it.
  Status refused = {};

  // The error of this scan: damage that it found, else `refused`.
  Status problem() const;
};

// InvalidArgument for an unknown family, NotSupported for an unknown comparator.
Result<ExplainedScan> ExplainScan(FileSystem& fs, const std::string& path,
                                  const ScanQuestion& question);

}  // namespace varve
