// SPDX-License-Identifier: Apache-2.0
// BlockBuilder writes a key/value block (see the layout in block_view.h), entry by entry in the
// given order. Every `restart_interval` entries a key is stored whole; the others omit what they
// share with the previous key.
//
//   building --Finish--> finished --Reset--> building
//
// After the first few blocks nothing is allocated any more: buffers keep their capacity. One
// thread.
//
// Used by: table/write/table_builder.cc (data, range deletions), table/index/index_builder.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_handle.h"
#include "varve/status.h"

namespace varve {

struct BlockBuilderOptions {
  uint32_t restart_interval = 16;  // At least 1.
  // Data blocks: append a hash index with about entries / hash_index_ratio buckets. 0: none.
  double hash_index_ratio = 0;
  bool delta_encode_index_values = false;  // Of AddIndex().
};

class BlockBuilder {
 public:
  explicit BlockBuilder(const BlockBuilderOptions& options = {});

  // Requires ascending keys (the table builder CHECKs it).
  void Add(const InternalKey& key, std::string_view value);
  void Add(std::string_view key, std::string_view value);
  // Adds an index entry: `key` is a user key or an encoded internal key. `first_key` is empty
  // unless the index kind has first keys. Handles need not be adjacent.
  void AddIndex(std::string_view key, BlockHandle handle, std::string_view first_key = {});

  // NotSupported if the block is too large for readers; then Finish() must not be called.
  Status CheckSize() const;

  // The block; valid until Reset() or destruction.
  std::string_view Finish();
  void Reset();

  // The size of Finish()'s result: exact, or an upper limit with a hash index.
  uint64_t CurrentSizeEstimate() const {
    if (finished_) return buffer_.size();
    const uint64_t plain = buffer_.size() + sizeof(uint32_t) * (restarts_.size() + 1);
    return hashed_.empty() ? plain : plain + HashIndexSize();
  }
  // An upper limit of the size after adding an entry of these sizes.
  uint64_t EstimateSizeAfter(uint64_t key_size, uint64_t value_size) const;

  bool empty() const { return entries_ == 0; }
  uint64_t entries() const { return entries_; }
  std::string_view last_key() const {  // As stored. Requires !empty().
    DCHECK(!empty());
    return last_key_;
  }

 private:
  uint32_t SharedWithLast();
  void AppendEntry(std::string_view value);
  void FinishEntry();
  void NoteHash(std::string_view user_key);
  void AppendHashIndex();
  uint32_t HashBuckets() const;
  uint64_t HashIndexSize() const;

  const BlockBuilderOptions options_;
  std::string buffer_;
  std::vector<uint32_t> restarts_;
  uint32_t since_restart_ = 0;
  uint64_t entries_ = 0;
  bool finished_ = false;
  std::string last_key_;
  std::string key_;          // The key being added; then swapped with last_key_.
  BlockHandle last_handle_;  // Of AddIndex().
  std::string index_value_;

  struct HashedEntry {
    uint32_t hash;
    uint8_t restart;
  };
  std::vector<HashedEntry> hashed_;
  bool hash_index_fits_;
};

}  // namespace varve
