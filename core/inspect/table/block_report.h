// SPDX-License-Identifier: Apache-2.0
// One block of a table: how it is stored, and its entries with what prefix sharing saved.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/inspect/table/table_layout.h"

namespace varve {

struct BlockReport {
  TablePart part;
  std::string codec = {};  // Codec of this block. Empty: unknown.
  uint64_t raw_size = 0;   // Decompressed; 0 if that fails.
  uint32_t stored_checksum = 0, computed_checksum = 0;
  bool checksum_ok = false;  // True also if the table has no checksums.
  // The checksum is that of the block without the global sequence number, which ingestion wrote
  // later.
  bool patched = false;
  // For key/value blocks.
  uint64_t entries = 0, restarts = 0;
  uint64_t restart_interval = 0;                 // Entries of the longest one.
  uint64_t hash_buckets = 0;                     // 0: no hash index.
  uint64_t hash_empty = 0, hash_collisions = 0;  // Of the buckets.
  bool separated = false;                        // Keys and values are separated.
  uint64_t key_bytes = 0;                        // Including shared prefixes.
  uint64_t shared_key_bytes = 0;                 // Part of key_bytes that prefix sharing saved.
  uint64_t value_bytes = 0;
  std::string problem = {};  // Empty: everything was decoded.
};

inline bool IsDamaged(const BlockReport& block) {
  return !block.checksum_ok || !block.problem.empty();
}

BlockReport ReportBlock(const TableLayout& table, const TablePart& part);

// An entry as it is stored; views are valid during the call.
struct BlockEntryReport {
  uint64_t offset = 0;  // In the decompressed block.
  bool restart = false;
  uint64_t shared = 0, non_shared = 0;
  std::string_view key;                   // Complete; of an internal key, the user key only.
  std::optional<Sequence> sequence = {};  // Of an internal key.
  std::string_view type = {};  // Of an internal key: "put", "delete", ... (ValueTypeName()).
  std::string_view value;
  BlockHandle handle;          // Of an index or metaindex entry.
  std::string_view first_key;  // User key, of an index entry that has one.
};

// The entries of a key/value block, one at a time: memory for one block and the current key.
class BlockEntries {
 public:
  // NotSupported for other kinds of block. `table` must outlive it.
  static Result<std::unique_ptr<BlockEntries>> Open(const TableLayout& table,
                                                    const TablePart& part);
  ~BlockEntries();
  // False: the end, or damage. The views are valid until the next call.
  bool Next(BlockEntryReport* entry);
  const Status& status() const { return status_; }  // Corruption where the entries end early.

 private:
  struct State;
  explicit BlockEntries(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
  Status status_;
};

// Counts the data blocks that each partition of an index names, in the order of its top level.
class PartitionCounter {
 public:
  explicit PartitionCounter(const TableLayout& table) : table_(table) {}  // Must outlive this.
  // The number of data blocks in the partition at `handle`; nullopt if it cannot be read, or begins
  // before the end of the previous one: so each is walked only once, even if an index names it
  // repeatedly.
  std::optional<uint64_t> BlocksOf(BlockHandle handle);

 private:
  const TableLayout& table_;
  uint64_t end_ = 0;  // Of the previous partition.
};

// Calls `use` for all of them until it returns false; fails as BlockEntries does.
Status WalkBlockEntries(const TableLayout& table, const TablePart& part,
                        const std::function<bool(const BlockEntryReport&)>& use);

}  // namespace varve
