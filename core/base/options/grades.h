// SPDX-License-Identifier: Apache-2.0
// Grades select algorithms of the engine. For each optimisation there is the usual algorithm, the
// published optimisation and our own, so that one binary can benchmark them against each other and
// tests can compare their results: all grades give the same results. Normal opens use the last
// grade of each; only open_graded.h allows others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "varve/status.h"

namespace varve {

// The index of a memtable.
enum class MemtableRep : uint8_t {
  kSkipList,   // The usual one: a node per entry, the comparator called for each.
  kBtree,      // Prefix B+-tree.
  kBtreeHash,  // The same, plus a hash index once there are point reads.
};
// How a sorted batch of keys is looked up in a memtable.
enum class MemtableBatchLookup : uint8_t {
  kOff,          // One descent after the other.
  kFinger,       // Skip lists: from the last search's path (RocksDB PR 14428, 14465).
  kInterleaved,  // Several descents interleaved, each next node prefetched.
};
// How the candidate file of a sorted level is found.
enum class FileSearch : uint8_t {
  kComparator,  // Binary search on whole keys through the virtual comparator.
  kPrefix,      // On the keys' first 8 bytes, the comparator known at compile time (ToplingDB).
  kHeads,       // On the 8 bytes after the level's common prefix, by table and vector comparison.
};
// How DB::MultiGet() processes a batch of keys.
enum class MultiGetMode : uint8_t {
  kPerKey,    // One Get per key.
  kGrouped,   // Sorted keys grouped by table, filters in bulk, shared blocks read once (PR 5011).
  kPipeline,  // Stages over all tables and levels at once.
};
// Which reads of a DB::MultiGet() are submitted together.
enum class MultiGetIo : uint8_t {
  kPerFile,  // A batch of reads per table.
  kGlobal,   // One submission for all tables and levels.
};
// The form of a data block in the block cache.
enum class BlockForm : uint8_t {
  kDisk,    // As stored, decompressed.
  kLookup,  // With an array of key heads once it is used repeatedly.
};
// How the index or filter partition of a key is found.
enum class PartitionSearch : uint8_t {
  kIterate,  // By seeking in the top-level block.
  kDecoded,  // In the pinned, decoded top level, one search for index and filter.
};

struct Grades {
  MemtableRep memtable_rep = MemtableRep::kBtreeHash;
  MemtableBatchLookup memtable_batch_lookup = MemtableBatchLookup::kInterleaved;
  FileSearch file_search = FileSearch::kHeads;
  MultiGetMode multiget = MultiGetMode::kPipeline;
  MultiGetIo multiget_io = MultiGetIo::kGlobal;
  BlockForm block_form = BlockForm::kLookup;
  PartitionSearch partition_search = PartitionSearch::kDecoded;
};

// A member of Grades as text, by name.
struct GradeRow {
  std::string_view name;
  std::string_view range;  // "skip_list|btree|btree_hash"
  std::string_view help;
  Status (*set)(Grades* grades, std::string_view value);  // InvalidArgument names the range.
  std::string (*get)(const Grades& grades);
};
std::span<const GradeRow> GradeTable();
const GradeRow* FindGrade(std::string_view name);  // Null: there is none.

}  // namespace varve
