// SPDX-License-Identifier: Apache-2.0
// Explains the cost of a Get: its steps in the order in which the engine performs them, what each
// read and its result:
//
//   memtables (as the logs would fill them) -> level 0, newest first -> one file of each level
//
// The totals correspond to RocksDB's PerfContext counters of the same names, for the same read with
// open tables and an empty block cache; not for tables with a point index, which RocksDB skips.
#pragma once

#include <string>
#include <vector>

#include "core/inspect/explain/locate.h"
#include "core/inspect/explain/memtable_search.h"

namespace varve {

struct ExplainStep {
  std::string source = {};  // "memtable" or "file".
  FileNumber file = 0;
  int level = 0;
  // "hit", "deleted", "merge_operand", "miss", "out_of_range", "filter_negative",
  // "filter_false_positive", "range_deleted", "unreadable".
  std::string verdict = {};
  TableLook look = {};
};

struct ReadTotals {
  uint64_t files_considered = 0;  // Whose range was compared.
  uint64_t filters_checked = 0;
  uint64_t filter_false_positives = 0;
  // As in PerfContext.
  uint64_t get_from_memtable_count = 0;
  uint64_t bloom_sst_hit_count = 0;   // The filter let the key pass.
  uint64_t bloom_sst_miss_count = 0;  // It did not.
  uint64_t block_cache_hit_count = 0;
  uint64_t block_read_count = 0;
  uint64_t block_read_byte = 0;
  uint64_t index_block_read_count = 0;
  uint64_t filter_block_read_count = 0;
  uint64_t data_block_read_count = 0;
  uint64_t key_comparisons = 0;  // Of this engine: the number depends on the search algorithm.

  void Add(const TableLook& look);
};

struct ExplainedGet {
  std::string family = {}, key = {};
  Sequence at = 0;  // The sequence number that was read at.
  // The result of the Get: if not Ok, it fails with this; otherwise whether the key exists, and its
  // value. Determined by the code that performs Gets, independently of the steps.
  Status failure = {};
  bool found = false;
  bool merged = false;  // There were merge operands; folded if the merge operator is known.
  std::string value = {};
  Sequence sequence = 0;  // Of the entry that decided the result.
  FileNumber file = 0;    // The file it is in; 0: a memtable, or nothing was found.
  std::vector<ExplainStep> steps = {};
  ReadTotals totals = {};
};

Result<ExplainedGet> ExplainGet(FileSystem& fs, const std::string& path,
                                const KeyQuestion& question);

// Several keys as one batch: blocks read for one key are cached for the next.
struct ExplainedMultiGet {
  std::vector<ExplainedGet> keys = {};  // As asked for.
  ReadTotals totals = {};
  MemtableSearch memtable = {};  // Of the batch in what the logs hold.
};
Result<ExplainedMultiGet> ExplainMultiGet(FileSystem& fs, const std::string& path,
                                          const KeyQuestion& question,
                                          const std::vector<std::string>& keys);

}  // namespace varve
