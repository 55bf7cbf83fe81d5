// SPDX-License-Identifier: Apache-2.0
// Why does a read cost what it costs? The stops of a Get in the order in which the engine makes
// them, what each looked at and what it said:
//
//   memtables (as the logs would fill them) -> level 0, newest first -> one file of each level
//
// The totals count what RocksDB's PerfContext counts, under its names, for the same read of the
// same files with the tables open and the block cache empty.
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
  uint64_t key_comparisons = 0;  // Ours: how many a search needs is its own business.

  void Add(const TableLook& look);
};

struct ExplainedGet {
  std::string family = {}, key = {};
  Sequence at = kMaxSequence;
  // What a Get answers: not Ok, and it fails, with this. Else, whether the key is there, and with
  // which value. They come from the code that answers Gets, whatever the steps met.
  Status failure = {};
  bool found = false;
  bool merged = false;  // There are operands, folded by the merge operator if one is known.
  std::string value = {};
  Sequence sequence = 0;  // Of what settled it.
  FileNumber file = 0;    // Where that was; 0: a memtable, or nothing was found.
  std::vector<ExplainStep> steps = {};
  ReadTotals totals = {};
};

Result<ExplainedGet> ExplainGet(FileSystem& fs, const std::string& path,
                                const KeyQuestion& question);

// Several keys as one batch: what one key reads is cached for the next.
struct ExplainedMultiGet {
  std::vector<ExplainedGet> keys = {};  // As asked for.
  ReadTotals totals = {};
  MemtableSearch memtable = {};  // Of the batch in what the logs hold.
};
Result<ExplainedMultiGet> ExplainMultiGet(FileSystem& fs, const std::string& path,
                                          const KeyQuestion& question,
                                          const std::vector<std::string>& keys);

}  // namespace varve
