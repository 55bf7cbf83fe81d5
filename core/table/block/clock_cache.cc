// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/clock_cache.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/prefetch.h"
#include "core/base/threads/epoch.h"
#include "core/base/threads/mutex.h"
#include "core/table/block/block.h"

namespace varve {
namespace {

constexpr uint64_t kShardsMax = 64;
constexpr uint64_t kShardBytesMin = uint64_t{512} << 10;  // Smaller shards would waste memory.
constexpr uint64_t kFirstSlots = 16;
// Per shard, before it checks which can be freed: blocks, and a part of its budget.
constexpr size_t kRetiredMax = 8;
constexpr uint64_t kRetiredPart = 16;
constexpr size_t kFindWindow = 64;  // Keys of FindMany() that are processed together.

// Keys differ between tables and blocks, so one multiplication per half is enough mixing. The top
// bits choose the shard, the middle ones are stored in the word, the low ones choose the slot.
uint64_t HashKey(const BlockCacheKey& key) {
  uint64_t h = (key.table * 0x9E3779B97F4A7C15) ^ key.offset;
  h *= 0xBF58476D1CE4E5B9;
  h ^= h >> 32;
  h *= 0x94D049BB133111EB;
  return h ^ (h >> 29);
}

constexpr uint64_t kChances = 3, kProtected = 4;
constexpr uint64_t kAddress = ((uint64_t{1} << 48) - 1) & ~(kChances | kProtected);
static_assert(alignof(Block) >= 8, "a word keeps three bits below the address");

// The bits of a hash that a word keeps.
uint64_t TagOf(uint64_t hash) { return (hash >> 32) << 48; }

const Block* BlockOf(uint64_t word) {
  return std::bit_cast<const Block*>(static_cast<uintptr_t>(word & kAddress));
}

uint64_t FullChances(uint64_t word) { return (word & kProtected) != 0 ? 3 : 1; }

uint64_t ChargeOf(const Block& block) { return block.memory_bytes() + 2 * sizeof(uint64_t); }

// The slots of a shard. Open addressing with linear probing; at most half are used, and a zero word
// is a free slot, which ends a search. Readers take no lock; they may miss a word that is being
// moved, which is harmless.
struct Table {
  explicit Table(uint64_t size) : mask(size - 1), slots(std::make_unique<Slot[]>(size)) {
    CHECK(std::has_single_bit(size));
  }
  using Slot = std::atomic<uint64_t>;

  const uint64_t mask;
  const std::unique_ptr<Slot[]> slots;
};

}  // namespace

// Erasing shifts the following words back, so there are no tombstones and a miss ends at the first
// free slot. The CLOCK hand walks the slots in hash order, which is unrelated to age.
struct alignas(64) ClockCache::Shard {
  // Removed from the shard, but readers may still use it.
  struct Retired {
    uint64_t stamp;
    const Block* block;
    std::unique_ptr<Table> table;
  };
  using Freed = std::vector<std::shared_ptr<const Block>>;  // Dropped after unlocking.

  // Replaced with mu held; read by any thread within an EpochGuard.
  std::atomic<Table*> table{nullptr};
  Mutex mu;
  std::unique_ptr<Table> present GUARDED_BY(mu);
  std::vector<Retired> retired GUARDED_BY(mu);
  uint64_t used GUARDED_BY(mu) = 0;  // Slots.
  uint64_t bytes GUARDED_BY(mu) = 0;
  uint64_t retired_bytes GUARDED_BY(mu) = 0;  // Of blocks.
  uint64_t budget GUARDED_BY(mu) = 0;
  uint64_t hand GUARDED_BY(mu) = 0;
  uint64_t misses GUARDED_BY(mu) = 0;

  // Without the lock: requires an EpochGuard. May miss a cached block.
  const Block* Look(const BlockCacheKey& key, uint64_t hash) const {
    DCHECK(IsWithinEpoch());
    const Table& in = *table.load();
    for (uint64_t i = hash & in.mask, steps = 0; steps <= in.mask; i = (i + 1) & in.mask, ++steps) {
      const uint64_t word = in.slots[i].load();
      if (BlockOf(word) == nullptr) return nullptr;
      if (((word ^ TagOf(hash)) >> 48) != 0 || BlockOf(word)->cache_place().key != key) continue;
      Touch(&in.slots[i], word);
      return BlockOf(word);
    }
    return nullptr;
  }
  void PrefetchSlot(uint64_t hash) const {
    DCHECK(IsWithinEpoch());
    const Table& in = *table.load();
    PrefetchLine(&in.slots[hash & in.mask]);
  }
  // The block that is probably meant: the first whose word matches.
  const Block* Guess(uint64_t hash) const {
    DCHECK(IsWithinEpoch());
    const Table& in = *table.load();
    for (uint64_t i = hash & in.mask;; i = (i + 1) & in.mask) {
      const uint64_t word = in.slots[i].load();
      if (BlockOf(word) == nullptr || ((word ^ TagOf(hash)) >> 48) == 0) return BlockOf(word);
    }
  }

  // The slot of `key`, or the free one where it belongs. Requires a free slot.
  uint64_t Probe(const BlockCacheKey& key, uint64_t hash) const REQUIRES(mu) {
    DCHECK_OP(used, <=, present->mask);
    uint64_t i = hash & present->mask;
    while (const Block* block = BlockOf(WordAt(i))) {
      if (block->cache_place().key == key) break;
      i = (i + 1) & present->mask;
    }
    return i;
  }

  void Place(uint64_t i, const BlockCacheKey& key, std::shared_ptr<const Block> block,
             uint64_t bits) REQUIRES(mu) {
    Block::CachePlace& place = block->cache_place();
    CHECK(place.self == nullptr);
    const auto address = static_cast<uint64_t>(std::bit_cast<uintptr_t>(block.get()));
    CHECK((address & ~kAddress) == 0);
    DCHECK(BlockOf(WordAt(i)) == nullptr);
    place.key = key;
    bytes += ChargeOf(*block);
    place.self = std::move(block);
    present->slots[i].store(TagOf(HashKey(key)) | address | bits);
  }

  // Frees slot `i`.
  void Remove(uint64_t i) REQUIRES(mu) {
    const uint64_t mask = present->mask;
    CHECK(BlockOf(WordAt(i)) != nullptr);
    CHECK_OP(used, >, 0);
    Retire(BlockOf(WordAt(i)));
    --used;
    for (uint64_t next = (i + 1) & mask; BlockOf(WordAt(next)) != nullptr;
         next = (next + 1) & mask) {
      const uint64_t home = HashKey(BlockOf(WordAt(next))->cache_place().key) & mask;
      // It would move before its home slot.
      if (((next - home) & mask) < ((next - i) & mask)) continue;
      present->slots[i].store(WordAt(next));
      i = next;
    }
    present->slots[i].store(0);
  }

  // Advances the hand until `wanted` more bytes fit.
  void Evict(uint64_t wanted) REQUIRES(mu) {
    while (used > 0 && bytes + wanted > budget) {
      DCHECK_OP(2 * used, <=, present->mask + 1);
      hand &= present->mask;
      uint64_t word = WordAt(hand);
      if (BlockOf(word) != nullptr && (word & kChances) == 0) {
        Remove(hand);  // The hand stays: another word may have moved here.
        continue;
      }
      if (BlockOf(word) != nullptr) {
        // Fails if a reader has just restored the chances; the next round takes them.
        present->slots[hand].compare_exchange_strong(word, word - 1, std::memory_order_relaxed);
      }
      ++hand;
    }
  }

  uint64_t PinnedBytes() const REQUIRES(mu) {
    uint64_t sum = 0;
    for (uint64_t i = 0; present != nullptr && i <= present->mask; ++i) {
      const Block* const block = BlockOf(WordAt(i));
      if (block != nullptr && block->cache_place().self.use_count() > 1) sum += ChargeOf(*block);
    }
    return sum;
  }

  void Grow() REQUIRES(mu) {
    auto larger =
        std::make_unique<Table>(present == nullptr ? kFirstSlots : 2 * (present->mask + 1));
    std::swap(larger, present);
    for (uint64_t i = 0; larger != nullptr && i <= larger->mask; ++i) {
      const uint64_t word = larger->slots[i].load(std::memory_order_relaxed);
      if (BlockOf(word) == nullptr) continue;
      const BlockCacheKey& key = BlockOf(word)->cache_place().key;
      present->slots[Probe(key, HashKey(key))].store(word, std::memory_order_relaxed);
    }
    table.store(present.get());
    if (larger != nullptr) retired.push_back({EndEpoch(), nullptr, std::move(larger)});
  }

  void Retire(const Block* block) REQUIRES(mu) {
    CHECK_OP(bytes, >=, ChargeOf(*block));
    bytes -= ChargeOf(*block);
    retired_bytes += ChargeOf(*block);
    retired.push_back({0, block, nullptr});
  }
  // Call after unlinking what was retired.
  void StampAndReclaim(Freed* freed) REQUIRES(mu) {
    const auto unstamped = [](const Retired& r) { return r.stamp == 0; };
    if (std::any_of(retired.begin(), retired.end(), unstamped)) {
      const uint64_t stamp = EndEpoch();
      for (Retired& r : retired) r.stamp = r.stamp == 0 ? stamp : r.stamp;
    }
    if (retired.size() <= kRetiredMax && retired_bytes <= budget / kRetiredPart) return;
    const uint64_t oldest = OldestEpochInUse();
    uint64_t freed_bytes = 0;
    std::erase_if(retired, [&](Retired& r) {
      if (r.stamp >= oldest) return false;
      DCHECK(r.block == nullptr || r.block->cache_place().self.get() == r.block);
      if (r.block == nullptr) return true;
      freed_bytes += ChargeOf(*r.block);
      freed->push_back(std::move(r.block->cache_place().self));
      return true;
    });
    retired_bytes -= freed_bytes;
  }

  uint64_t WordAt(uint64_t i) const REQUIRES(mu) {
    return present->slots[i].load(std::memory_order_relaxed);  // Only changed under mu, but for
  }  // chances.
  static void Touch(Table::Slot* slot, uint64_t word) {
    const uint64_t touched = (word & ~kChances) | FullChances(word);
    if (word != touched) {
      slot->compare_exchange_strong(word, touched, std::memory_order_relaxed);
    }
  }
};

ClockCache::ClockCache(uint64_t capacity)
    : capacity_(capacity),
      shard_count_(
          std::bit_floor(std::min(kShardsMax, std::max<uint64_t>(1, capacity / kShardBytesMin)))),
      shards_(std::make_unique<Shard[]>(shard_count_)) {
  for (uint64_t i = 0; i < shard_count_; ++i) {
    MutexLock lock(shards_[i].mu);
    shards_[i].budget = capacity / shard_count_;
    shards_[i].Grow();
  }
}

// Requires that no other thread uses the cache; pinned blocks stay alive.
ClockCache::~ClockCache() {
  Shard::Freed freed;
  for (uint64_t i = 0; i < shard_count_; ++i) {
    Shard& shard = shards_[i];
    MutexLock lock(shard.mu);
    for (uint64_t slot = 0; slot <= shard.present->mask; ++slot) {
      if (const Block* block = BlockOf(shard.WordAt(slot))) {
        freed.push_back(std::move(block->cache_place().self));
      }
    }
    for (const Shard::Retired& r : shard.retired) {
      if (r.block != nullptr) freed.push_back(std::move(r.block->cache_place().self));
    }
  }
}

ClockCache::Shard& ClockCache::ShardOf(uint64_t hash) const {
  return shards_[(hash >> 58) & (shard_count_ - 1)];
}

void ClockCache::CountHits(uint64_t count) {
  static std::atomic<size_t> threads{0};
  thread_local const size_t mine = threads.fetch_add(1, std::memory_order_relaxed) % kHitCounters;
  hit_counters_[mine].hits.fetch_add(count, std::memory_order_relaxed);
}

std::shared_ptr<const Block> ClockCache::Find(const BlockCacheKey& key) {
  Wanted wanted{key};
  FindMany({&wanted, 1});
  return std::move(wanted.block);
}

void ClockCache::FindMany(std::span<Wanted> wanted) {
  for (; wanted.size() > kFindWindow; wanted = wanted.subspan(kFindWindow)) {
    FindMany(wanted.first(kFindWindow));
  }
  std::array<uint64_t, kFindWindow> hashes;
  uint64_t found = 0;
  {
    const EpochGuard guard;
    for (size_t i = 0; i < wanted.size(); ++i) {
      hashes[i] = HashKey(wanted[i].key);
      if (wanted.size() > 1) ShardOf(hashes[i]).PrefetchSlot(hashes[i]);
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (const Block* block = ShardOf(hashes[i]).Guess(hashes[i])) block->PrefetchForLookup();
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Block* const block = ShardOf(hashes[i]).Look(wanted[i].key, hashes[i]);
      if (block != nullptr) wanted[i].block = block->cache_place().self;
      found += block != nullptr ? 1 : 0;
    }
  }
  if (found > 0) CountHits(found);
  if (found == wanted.size()) return;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].block != nullptr) continue;
    Shard& shard = ShardOf(hashes[i]);
    MutexLock lock(shard.mu);  // Looks again with the lock: the word may just have been moving.
    const Block* const block = BlockOf(shard.WordAt(shard.Probe(wanted[i].key, hashes[i])));
    if (block != nullptr) wanted[i].block = block->cache_place().self;
    shard.misses += block == nullptr ? 1 : 0;
  }
}

const Block* ClockCache::Peek(const BlockCacheKey& key) const {
  const uint64_t hash = HashKey(key);
  return ShardOf(hash).Look(key, hash);
}

void ClockCache::PrefetchPlace(const BlockCacheKey& key) const {
  const uint64_t hash = HashKey(key);
  const EpochGuard guard;
  ShardOf(hash).PrefetchSlot(hash);
}

void ClockCache::PrefetchBlock(const BlockCacheKey& key) const {
  const uint64_t hash = HashKey(key);
  const EpochGuard guard;
  if (const Block* block = ShardOf(hash).Guess(hash)) block->PrefetchForSeek();
}

void ClockCache::PrefetchFilter(const BlockCacheKey& key) const {
  const uint64_t hash = HashKey(key);
  const EpochGuard guard;
  if (const Block* block = ShardOf(hash).Guess(hash)) block->PrefetchFilter();
}

bool ClockCache::Contains(const BlockCacheKey& key) const {
  const uint64_t hash = HashKey(key);
  Shard& shard = ShardOf(hash);
  MutexLock lock(shard.mu);
  return BlockOf(shard.WordAt(shard.Probe(key, hash))) != nullptr;
}

std::shared_ptr<const Block> ClockCache::Insert(const BlockCacheKey& key,
                                                std::shared_ptr<const Block> block,
                                                BlockRank rank) {
  const uint64_t charge = ChargeOf(*block);
  const uint64_t hash = HashKey(key);
  Shard& shard = ShardOf(hash);
  Shard::Freed freed;
  MutexLock lock(shard.mu);
  if (const Block* there = BlockOf(shard.WordAt(shard.Probe(key, hash)))) {
    return there->cache_place().self;
  }
  if (charge > shard.budget) return block;
  shard.Evict(charge);
  if ((shard.used + 1) * 2 > shard.present->mask + 1) shard.Grow();
  ++shard.used;
  shard.Place(shard.Probe(key, hash), key, block,
              rank == BlockRank::kProtected ? kProtected | kChances : 0);
  shard.StampAndReclaim(&freed);
  return block;
}

uint64_t ClockCache::usage() const {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < shard_count_; ++i) {
    MutexLock lock(shards_[i].mu);
    sum += shards_[i].bytes;
  }
  return sum;
}

uint64_t ClockCache::PinnedBytes() const {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < shard_count_; ++i) {
    MutexLock lock(shards_[i].mu);
    sum += shards_[i].PinnedBytes();
  }
  return sum;
}

uint64_t ClockCache::hits() const {
  uint64_t sum = 0;
  for (const HitCounter& counter : hit_counters_) {
    sum += counter.hits.load(std::memory_order_relaxed);
  }
  return sum;
}

uint64_t ClockCache::misses() const {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < shard_count_; ++i) {
    MutexLock lock(shards_[i].mu);
    sum += shards_[i].misses;
  }
  return sum;
}

std::shared_ptr<BlockCache> NewBlockCache(uint64_t capacity) {
  return std::make_shared<ClockCache>(capacity);
}

}  // namespace varve
