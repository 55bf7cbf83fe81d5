// SPDX-License-Identifier: Apache-2.0
// ClockCache keeps decompressed blocks in memory up to a byte budget, shared by all tables of a
// database (or of several). Sharded; each shard is a hash table of 8-byte words with CLOCK
// eviction:
//
//   word = | 16 hash bits | 45 bits of a Block's address | protected (1) | chances (2) |
//
// The block itself holds its cache key, so a hit reads only the word and the block, which is needed
// anyway. A hit takes no lock and, once a block is marked as used, writes nothing to the table:
// base/epoch.h keeps an evicted block alive until no reader can be between loading its word and
// taking a reference. Misses, insertions and evictions lock the shard.
//
// The hand takes one chance from each word it passes and evicts words without chances. A hit
// restores them: one, or three for a protected block (indexes, filters), which also starts with
// three; a data block starts with none, so that blocks used once are evicted first.
//
// A cached block is handed out by shared_ptr, so eviction never invalidates a reader. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "varve/block_cache.h"

namespace varve {

class Block;

// A table's identity in the cache, unique in the process, plus a block's offset in the file.
struct BlockCacheKey {
  uint64_t table = 0;
  uint64_t offset = 0;
  bool operator==(const BlockCacheKey&) const = default;
};

enum class BlockRank : uint8_t {
  kPlain,
  kProtected,  // Stays longer than an equally used plain block.
};

class ClockCache final : public BlockCache {
 public:
  // `capacity` in bytes, including bookkeeping. 0 caches nothing.
  explicit ClockCache(uint64_t capacity);
  ~ClockCache() override;

  std::shared_ptr<const Block> Find(const BlockCacheKey& key);
  // Does not count as a use.
  bool Contains(const BlockCacheKey& key) const;
  struct Wanted {
    BlockCacheKey key;
    std::shared_ptr<const Block> block = {};  // Null if it is not cached.
  };
  // Looks up all of them, overlapping their cache misses.
  void FindMany(std::span<Wanted> wanted);
  // The block without a reference to it: valid within the caller's EpochGuard, which is required.
  // May miss a cached block. Counts as a use, but not in hits(): see CountHits().
  const Block* Peek(const BlockCacheKey& key) const;
  void CountHits(uint64_t count);
  // Two steps before a Find(): the first prefetches the cache's word, the second what a seek in the
  // block reads first.
  void PrefetchPlace(const BlockCacheKey& key) const;
  void PrefetchBlock(const BlockCacheKey& key) const;
  // The second step for a filter.
  void PrefetchFilter(const BlockCacheKey& key) const;

  // Charges block->memory_bytes(). If another thread was first, returns its block instead. A block
  // may be inserted only once.
  std::shared_ptr<const Block> Insert(const BlockCacheKey& key, std::shared_ptr<const Block> block,
                                      BlockRank rank = BlockRank::kPlain);

  uint64_t NextTableId() { return next_table_.fetch_add(1, std::memory_order_relaxed); }

  uint64_t capacity() const override { return capacity_; }
  uint64_t usage() const override;
  // Of usage(): blocks that readers hold. Walks the whole cache.
  uint64_t PinnedBytes() const;
  uint64_t hits() const override;
  uint64_t misses() const override;

 private:
  struct Shard;
  Shard& ShardOf(uint64_t hash) const;

  // Threads count in different cache lines.
  struct alignas(64) HitCounter {
    std::atomic<uint64_t> hits{0};
  };
  static constexpr size_t kHitCounters = 16;

  const uint64_t capacity_;
  const uint64_t shard_count_;  // A power of two.
  std::atomic<uint64_t> next_table_{1};
  std::unique_ptr<Shard[]> shards_;
  std::array<HitCounter, kHitCounters> hit_counters_;
};

}  // namespace varve
