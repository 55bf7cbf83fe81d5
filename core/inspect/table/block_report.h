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
  std::string codec = {};  // "none", "zstd": what this block has. Empty: unknown.
  uint64_t raw_size = 0;   // Decompressed; 0 if that fails.
  uint32_t stored_checksum = 0, computed_checksum = 0;
  bool checksum_ok = false;  // Or there are none in this table.
  // It is that of the block without the global sequence number, which ingestion writes later.
  bool patched = false;
  // Of a key/value block.
  uint64_t entries = 0, restarts = 0;
  uint64_t restart_interval = 0;                 // Entries of the longest one.
  uint64_t hash_buckets = 0;                     // 0: no hash index.
  uint64_t hash_empty = 0, hash_collisions = 0;  // Of the buckets.
  bool separated = false;                        // Keys and values apart.
  uint64_t key_bytes = 0;                        // As written out.
  uint64_t shared_key_bytes = 0;                 // Of them, those that prefix sharing saved.
  uint64_t value_bytes = 0;
  std::string problem = {};  // Empty: everything could be decoded.
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
  std::string_view key;  // Whole; without its sequence and type where it has them:
  std::optional<Sequence> sequence = {};
  std::string_view type = {};  // api.md's name.
  std::string_view value;
  BlockHandle handle;          // Of an index or metaindex entry.
  std::string_view first_key;  // User key, of an index entry that has one.
};

// The entries of a key/value block from the first to the last, one at a time: the block is decoded
// once, and no more is held than it and the key that was reached.
class BlockEntries {
 public:
  // NotSupported for other kinds of block. `table` outlives it.
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

// All of them, until `use` returns false; fails as BlockEntries does.
Status WalkBlockEntries(const TableLayout& table, const TablePart& part,
                        const std::function<bool(const BlockEntryReport&)>& use);

}  // namespace varve
