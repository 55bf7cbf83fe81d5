// SPDX-License-Identifier: Apache-2.0
#include "core/table/block_cache.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/table/block.h"

namespace varve {
namespace {

constexpr uint64_t kShardsMax = 64;
constexpr uint64_t kShardBytesMin = uint64_t{512} << 10;  // Below this, shards waste the budget.
constexpr uint64_t kFirstSlots = 16;

// Every key is unique in its table, so mixing one multiply per half is enough. The top bits choose
// the shard, the low ones the slot.
uint64_t HashKey(const BlockCacheKey& key) {
  uint64_t h = (key.table * 0x9E3779B97F4A7C15) ^ key.offset;
  h *= 0xBF58476D1CE4E5B9;
  h ^= h >> 32;
  h *= 0x94D049BB133111EB;
  return h ^ (h >> 29);
}

struct Slot {
  BlockCacheKey key;
  std::shared_ptr<const Block> block;  // Null: the slot is free.
  uint64_t charge = 0;
  bool visited = false;  // Hit since the clock hand last passed.
};

uint64_t ChargeOf(const Block& block) { return block.memory_bytes() + sizeof(Slot); }

}  // namespace

// Open addressing with linear probing; erasing shifts the followers back, so there are no
// tombstones and a miss ends at the first free slot. The hand walks the slots in hash order, which
// is random with respect to age: a block that was not hit since the last round leaves.
struct alignas(64) BlockCache::Shard {
  Mutex mu;
  std::vector<Slot> slots GUARDED_BY(mu);
  uint64_t used GUARDED_BY(mu) = 0;  // Slots.
  uint64_t bytes GUARDED_BY(mu) = 0;
  uint64_t budget GUARDED_BY(mu) = 0;
  uint64_t hand GUARDED_BY(mu) = 0;
  uint64_t hits GUARDED_BY(mu) = 0;
  uint64_t misses GUARDED_BY(mu) = 0;

  // The slot of `key`, or the free one where it would go. Requires a free slot.
  uint64_t Probe(const BlockCacheKey& key, uint64_t hash) const REQUIRES(mu) {
    const uint64_t mask = slots.size() - 1;
    uint64_t i = hash & mask;
    while (slots[i].block != nullptr && slots[i].key != key) i = (i + 1) & mask;
    return i;
  }

  // Frees slot `i`. The block goes to the caller, who drops it after unlocking.
  std::shared_ptr<const Block> Remove(uint64_t i) REQUIRES(mu) {
    const uint64_t mask = slots.size() - 1;
    std::shared_ptr<const Block> removed = std::move(slots[i].block);
    bytes -= slots[i].charge;
    --used;
    for (uint64_t next = (i + 1) & mask; slots[next].block != nullptr; next = (next + 1) & mask) {
      const uint64_t home = HashKey(slots[next].key) & mask;
      if (((next - home) & mask) < ((next - i) & mask)) continue;  // Would move before its home.
      slots[i] = std::move(slots[next]);
      i = next;
    }
    slots[i] = Slot();
    return removed;
  }

  void Evict(uint64_t wanted, std::vector<std::shared_ptr<const Block>>* out) REQUIRES(mu) {
    while (used > 0 && bytes + wanted > budget) {
      hand &= slots.size() - 1;
      Slot& slot = slots[hand];
      if (slot.block == nullptr || std::exchange(slot.visited, false)) {
        ++hand;
        continue;
      }
      out->push_back(Remove(hand));  // The hand stays: another slot may have moved here.
    }
  }

  void Grow() REQUIRES(mu) {
    std::vector<Slot> old = std::move(slots);
    slots = std::vector<Slot>(old.empty() ? kFirstSlots : old.size() * 2);
    for (Slot& slot : old) {
      if (slot.block == nullptr) continue;
      const uint64_t i = Probe(slot.key, HashKey(slot.key));
      slots[i] = std::move(slot);
    }
  }
};

BlockCache::BlockCache(uint64_t capacity)
    : capacity_(capacity),
      shard_count_(
          std::bit_floor(std::min(kShardsMax, std::max<uint64_t>(1, capacity / kShardBytesMin)))),
      shards_(std::make_unique<Shard[]>(shard_count_)) {
  for (uint64_t i = 0; i < shard_count_; ++i) {
    MutexLock lock(shards_[i].mu);
    shards_[i].budget = capacity / shard_count_;
    shards_[i].slots.resize(kFirstSlots);
  }
}

BlockCache::~BlockCache() = default;

BlockCache::Shard& BlockCache::ShardOf(uint64_t hash) const {
  return shards_[(hash >> 48) & (shard_count_ - 1)];
}

std::shared_ptr<const Block> BlockCache::Find(const BlockCacheKey& key) {
  const uint64_t hash = HashKey(key);
  Shard& shard = ShardOf(hash);
  MutexLock lock(shard.mu);
  Slot& slot = shard.slots[shard.Probe(key, hash)];
  if (slot.block == nullptr) {
    ++shard.misses;
    return nullptr;
  }
  ++shard.hits;
  slot.visited = true;
  return slot.block;
}

std::shared_ptr<const Block> BlockCache::Insert(const BlockCacheKey& key,
                                                std::shared_ptr<const Block> block) {
  const uint64_t charge = ChargeOf(*block);
  const uint64_t hash = HashKey(key);
  Shard& shard = ShardOf(hash);
  std::vector<std::shared_ptr<const Block>> evicted;  // Freed after the lock is released.
  MutexLock lock(shard.mu);
  if (const Slot& slot = shard.slots[shard.Probe(key, hash)]; slot.block != nullptr) {
    return slot.block;
  }
  if (charge > shard.budget) return block;
  shard.Evict(charge, &evicted);
  if ((shard.used + 1) * 4 > shard.slots.size() * 3) shard.Grow();
  shard.slots[shard.Probe(key, hash)] = {key, block, charge, false};
  ++shard.used;
  shard.bytes += charge;
  return block;
}

void BlockCache::Erase(const BlockCacheKey& key) {
  const uint64_t hash = HashKey(key);
  Shard& shard = ShardOf(hash);
  std::shared_ptr<const Block> removed;  // Freed after the lock is released.
  MutexLock lock(shard.mu);
  const uint64_t i = shard.Probe(key, hash);
  if (shard.slots[i].block != nullptr) removed = shard.Remove(i);
}

uint64_t BlockCache::usage() const {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < shard_count_; ++i) {
    MutexLock lock(shards_[i].mu);
    sum += shards_[i].bytes;
  }
  return sum;
}

uint64_t BlockCache::hits() const {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < shard_count_; ++i) {
    MutexLock lock(shards_[i].mu);
    sum += shards_[i].hits;
  }
  return sum;
}

uint64_t BlockCache::misses() const {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < shard_count_; ++i) {
    MutexLock lock(shards_[i].mu);
    sum += shards_[i].misses;
  }
  return sum;
}

}  // namespace varve
