// SPDX-License-Identifier: Apache-2.0
// HashIndex leads from a user key to its newest entry in a memtable, beside the ordered index, so
// that most point reads cost two cache misses: a bucket and the entry.
//
//   bucket (a cache line)   | slot x 7 | next |        slot = | tag (16) | entry's address (48) |
//                                        |
//                                        v  bucket, for the keys that found no room
//
// Buckets are split one at a time, in turn, as keys are added (linear hashing: W. Litwin, VLDB
// 1980), so no writer ever waits for a table to be copied. They lie in pieces whose sizes double
// every eight, from the memtable's arena.
//
// Readers take no lock. A key's slot stays where it is until its bucket is split; a split fills the
// new bucket, publishes the number of buckets, and only then empties the slots of what has moved.
// So a reader that finds nothing, and still computes the same bucket afterwards, has seen that
// there was nothing. Writers lock one of kStripes stripes of buckets; a bucket and the one split
// off it are in the same.
//
// What a reader is told holds for snapshots: all entries that its snapshot may see were added
// before it was made. If the newest entry is no newer than the snapshot it is the right one,
// otherwise the ordered index has to say which is.
//
// Equal keys must be equal bytes: not for orders of the embedder's own.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <string_view>

#include "core/base/mutex.h"
#include "core/base/word_lock.h"
#include "core/memtable/entry.h"
#include "core/memtable/node_arena.h"

namespace varve {

class HashIndex {
 public:
  explicit HashIndex(NodeArena* arena);
  HashIndex(const HashIndex&) = delete;
  HashIndex& operator=(const HashIndex&) = delete;

  static uint64_t HashOf(std::string_view user_key);

  // Adds an entry, which must be in the ordered index already: who is sent on to that finds it.
  void Insert(uint64_t hash, const MemTableEntry* entry);

  struct Answer {
    const MemTableEntry* newest = nullptr;
    bool known = true;  // False: nothing is known of this key.
  };
  Answer Find(uint64_t hash, std::string_view user_key) const;

  // Ahead of Find() and Insert(): ask memory for the bucket, and when that has come, for the entry.
  void PrefetchBucket(uint64_t hash) const;
  void PrefetchEntry(uint64_t hash) const;

 private:
  static constexpr uint32_t kSlots = 7;
  static constexpr uint64_t kKeysPerBucket = 4;  // On average; more, and a bucket is split.
  static constexpr uint32_t kChainMax = 4;       // Buckets. More keys are not taken.
  static constexpr int kFirstBits = 4, kLastBits = 28;
  static constexpr uint64_t kFirstBuckets = 1 << kFirstBits;
  static constexpr uint64_t kBucketsMax = uint64_t{1} << kLastBits;
  static constexpr size_t kPieces = 1 + 8 * (kLastBits - kFirstBits);
  static constexpr uint64_t kStripes = kFirstBuckets;

  struct alignas(64) Bucket {
    std::array<std::atomic<uint64_t>, kSlots> slots{};
    // The next bucket of the chain. In the first of a chain, 1 is added once a key found no room:
    // from then on it takes no new keys, so that those it has are known with their newest entries.
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
    const uint64_t half = std::bit_floor(buckets);  // How many there were before this round.
    const uint64_t index = hash & (2 * half - 1);
    return index < buckets ? index : index - half;
  }
  // Which piece a bucket is in, and where: sixteen buckets, then eight pieces for each doubling.
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

  // True: the key is new and has a slot now.
  bool Put(Stripe& stripe, uint64_t hash, const MemTableEntry* entry) REQUIRES(stripe.lock);
  void SplitOne() EXCLUDES(splitting_);
  // What belongs to `to`, a new bucket, of the bucket that is split and its chain. Returns how many
  // slots that were, and which.
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
