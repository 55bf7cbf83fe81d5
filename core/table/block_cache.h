// SPDX-License-Identifier: Apache-2.0
// BlockCache keeps decompressed blocks in memory up to a byte budget, shared by all tables of a
// database (or of several). Sharded; each shard is a hash table with CLOCK eviction. A cached
// block is handed out by shared_ptr, so eviction never invalidates a reader. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

namespace varve {

class Block;

// A table's identity in the cache, unique in the process, plus a block's offset in the file.
struct BlockCacheKey {
  uint64_t table = 0;
  uint64_t offset = 0;
  bool operator==(const BlockCacheKey&) const = default;
};

class BlockCache {
 public:
  // `capacity` bytes, bookkeeping included. 0 keeps nothing.
  explicit BlockCache(uint64_t capacity);
  ~BlockCache();

  std::shared_ptr<const Block> Find(const BlockCacheKey& key);
  // Charges block->memory_bytes(). If another thread was first, returns its block instead.
  std::shared_ptr<const Block> Insert(const BlockCacheKey& key, std::shared_ptr<const Block> block);
  void Erase(const BlockCacheKey& key);

  uint64_t NextTableId() { return next_table_.fetch_add(1, std::memory_order_relaxed); }

  uint64_t capacity() const { return capacity_; }
  uint64_t usage() const;
  uint64_t hits() const;
  uint64_t misses() const;

 private:
  struct Shard;
  Shard& ShardOf(uint64_t hash) const;

  const uint64_t capacity_;
  const uint64_t shard_count_;  // A power of two.
  std::atomic<uint64_t> next_table_{1};
  std::unique_ptr<Shard[]> shards_;
};

}  // namespace varve
