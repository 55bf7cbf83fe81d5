// SPDX-License-Identifier: Apache-2.0
// MemTableHashIndex maps a user key to its newest entry in a memtable, in addition to the ordered
// index, so that most point reads cost two cache misses: a bucket and the entry.
//
//   bucket (a cache line)   | slot x 7 | next |        slot = | tag (16) | entry's address (48) |
//                                        |
//                                        v  bucket, for keys that did not fit
//
// Buckets are split one at a time, round robin, as keys are added (linear hashing: W. Litwin, VLDB
// 1980), so no writer waits for a table to be copied. They are in segments whose sizes double after
// every eight, in the memtable's arena.
//
// Readers take no lock. A key's slot stays in place until its bucket is split; a split fills the
// new bucket, publishes the number of buckets, and then empties the slots that were moved. So a
// reader that finds nothing, and computes the same bucket again afterwards, knows that the key was
// absent. Writers lock one of kStripes stripes of buckets; a bucket and the one split off it are in
// the same stripe.
//
// A result is valid for snapshots: all entries that a snapshot may see were added before it was
// taken. If the newest entry is not newer than the snapshot it is the right one, otherwise the
// ordered index must be searched.
//
// Requires that equal keys are equal bytes: not usable with custom comparators.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <string_view>

#include "core/base/threads/mutex.h"
#include "core/base/threads/word_lock.h"
#include "core/memtable/entry.h"
#include "core/memtable/node_arena.h"

namespace varve {

class MemTableHashIndex {
 public:
  explicit MemTableHashIndex(NodeArena* arena);
  MemTableHashIndex(const MemTableHashIndex&) = delete;
  MemTableHashIndex& operator=(const MemTableHashIndex&) = delete;

  static uint64_t HashOf(std::string_view user_key);

  // Adds an entry, which must already be in the ordered index, where readers may look it up next.
  void Insert(uint64_t hash, const MemTableEntry* entry);

  struct Answer {
    const MemTableEntry* newest = nullptr;
    bool known = true;  // False: the index does not know whether the key exists.
  };
  Answer Find(uint64_t hash, std::string_view user_key) const;

  // Before Find() and Insert(): prefetch the bucket, and when that has arrived, the entry.
  void PrefetchBucket(uint64_t hash) const;
  void PrefetchEntry(uint64_t hash) const;

 private:
  static constexpr uint32_t kSlots = 7;
  static constexpr uint64_t kKeysPerBucket = 4;  // On average; beyond that a bucket is split.
  static constexpr uint32_t kChainMax = 4;       // Buckets per chain. Further keys are not indexed.
  static constexpr int kFirstBits = 4, kLastBits = 28;
  static constexpr uint64_t kFirstBuckets = 1 << kFirstBits;
  static constexpr uint64_t kBucketsMax = uint64_t{1} << kLastBits;
  static constexpr size_t kPieces = 1 + 8 * (kLastBits - kFirstBits);
  static constexpr uint64_t kStripes = kFirstBuckets;

  struct alignas(64) Bucket {
    std::array<std::atomic<uint64_t>, kSlots> slots{};
    // The next bucket of the chain. In the first bucket of a chain, 1 is added once a key did not
    // fit: from then on the chain takes no new keys, so those it has are still known with their
    // newest entries.
    std::atomic<uint64_t> next{0};
  };
  static_assert(sizeof(Bucket) == 64);

  struct alignas(64) Stripe {
    WordLock lock;
    uint64_t keys GUARDED_BY(lock) = 0;
    Bucket* spare GUARDED_BY(lock) = nullptr;  // For the next chains.
    uint32_t spares GUARDED_BY(lock) = 0;
  };

  static uint64_t SlotOf(uint64_t hash, const MemTableEntry* entry) {
    return (hash & ~kAddressMask) | reinterpret_cast<uintptr_t>(entry);
  }
  static const MemTableEntry* EntryOf(uint64_t slot) {
    return reinterpret_cast<const MemTableEntry*>(static_cast<uintptr_t>(slot & kAddressMask));
  }
  static bool SameTag(uint64_t slot, uint64_t hash) { return ((slot ^ hash) & ~kAddressMask) == 0; }
  static Bucket* Next(const Bucket& bucket) {
    const uint64_t next = bucket.next.load(std::memory_order_acquire);
    return reinterpret_cast<Bucket*>(static_cast<uintptr_t>(next & ~kFull));
  }
  static bool IsFull(const Bucket& first) {
    return (first.next.load(std::memory_order_acquire) & kFull) != 0;
  }

  static uint64_t IndexOf(uint64_t hash, uint64_t buckets) {
    const uint64_t half = std::bit_floor(buckets);  // The number of buckets before this round.
    const uint64_t index = hash & (2 * half - 1);
    return index < buckets ? index : index - half;
  }
  // Segment and index of a bucket: first sixteen buckets, then eight segments for each doubling.
  struct Place {
    size_t piece = 0;
    uint64_t offset = 0;
    uint64_t piece_size = kFirstBuckets;
  };
  static Place PlaceOf(uint64_t index) {
    if (index < kFirstBuckets) return {.offset = index};
    const int exponent = std::bit_width(index) - 1, shift = exponent - 3;
    const auto eighth = static_cast<size_t>((index >> shift) & 7);
    return {1 + 8 * static_cast<size_t>(exponent - kFirstBits) + eighth,
            index & ((uint64_t{1} << shift) - 1), uint64_t{1} << shift};
  }
  Bucket& At(uint64_t index) const {
    const Place place = PlaceOf(index);
    return pieces_[place.piece].load(std::memory_order_acquire)[place.offset];
  }
  Bucket* Allocate(uint64_t buckets);
  Bucket* NewLink(Stripe& stripe) REQUIRES(stripe.lock);

  // True: the key is new and now has a slot.
  bool Put(Stripe& stripe, uint64_t hash, const MemTableEntry* entry) REQUIRES(stripe.lock);
  void SplitOne() EXCLUDES(splitting_);
  // Copies the slots of the split bucket and its chain that belong to `to`, a new bucket. Returns
  // their number and sets *moved to the slots that they were copied from.
  using Moved = std::array<std::atomic<uint64_t>*, kSlots * kChainMax>;
  uint32_t Copy(Stripe& stripe, Bucket* from, uint64_t bit, Bucket* to, Moved* moved)
      REQUIRES(stripe.lock);
  void PrefetchSplit(uint64_t from) const;

  static constexpr uint64_t kAddressMask = (uint64_t{1} << 48) - 1;
  static constexpr uint64_t kFull = 1;

  NodeArena* const arena_;
  std::atomic<uint64_t> buckets_{kFirstBuckets};
  std::array<std::atomic<Bucket*>, kPieces> pieces_{};
  std::array<Stripe, kStripes> stripes_;
  Mutex splitting_;
};

}  // namespace varve
