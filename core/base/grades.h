// SPDX-License-Identifier: Apache-2.0
// Grades: how the engine finds things. Each optimisation can go as plain engines do, as it was
// published, and in the way that goes beyond it, so that one binary measures them against each
// other and tests hold their answers against each other: all grades give the same ones. Databases
// that programs open use the last of each; only open_graded.h takes others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "varve/status.h"

namespace varve {

// The index of a memtable.
enum class MemtableRep : uint8_t {
  kSkipList,   // As plain engines have it: a node an entry, the comparator called for each.
  kBtree,      // Prefix B+-tree.
  kBtreeHash,  // The same, and a hash index once there are point reads.
};
// How a sorted batch of keys is looked up in a memtable.
enum class MemtableBatchLookup : uint8_t {
  kOff,          // One descent after the other.
  kFinger,       // Skip lists: from the last search's path (RocksDB PR 14428, 14465).
  kInterleaved,  // Descents side by side, each next node prefetched.
};
// How the file of a sorted level that may hold a key is found.
enum class FileSearch : uint8_t {
  kComparator,  // Binary search on whole keys through the virtual comparator.
  kPrefix,      // On the keys' first 8 bytes, the comparator known at compile time (ToplingDB).
  kHeads,       // On the 8 bytes after the level's common prefix, by table and vector comparison.
};
// How DB::MultiGet() goes about a batch of keys.
enum class MultiGetMode : uint8_t {
  kPerKey,    // As many Gets.
  kGrouped,   // Sorted keys grouped by table, filters in bulk, shared blocks once (PR 5011).
  kPipeline,  // Stages over all tables and levels at once.
};
// Which reads of a DB::MultiGet() are submitted together.
enum class MultiGetIo : uint8_t {
  kPerFile,  // A batch of reads per table.
  kGlobal,   // One submission for all tables and levels.
};
// The form in which a data block stays in the block cache.
enum class BlockForm : uint8_t {
  kDisk,    // As it was stored, uncompressed.
  kLookup,  // Re-encoded with an array of key heads once it is used again.
};
// How the partition of an index or filter that covers a key is found.
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

// A member of Grades as text, by its name.
struct GradeRow {
  std::string_view name;
  std::string_view range;  // "skip_list|btree|btree_hash"
  std::string_view help;
  Status (*set)(Grades* grades, std::string_view value);  // InvalidArgument says the range.
  std::string (*get)(const Grades& grades);
};
std::span<const GradeRow> GradeTable();
const GradeRow* FindGrade(std::string_view name);  // Null: there is none.

}  // namespace varve
