// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/hash_index.h"

#include <new>

#include "core/base/check.h"
#include "core/base/hash/hash.h"
#include "core/base/prefetch.h"

namespace varve {

MemTableHashIndex::MemTableHashIndex(NodeArena* arena) : arena_(arena) {
  Bucket* const first = Allocate(kFirstBuckets);
  for (uint64_t i = 0; i < kFirstBuckets; ++i) new (first + i) Bucket;
  pieces_[0].store(first, std::memory_order_relaxed);
}

uint64_t MemTableHashIndex::HashOf(std::string_view user_key) { return Xxph3_64(user_key); }

void MemTableHashIndex::Insert(uint64_t hash, const MemTableEntry* entry) {
  Stripe& stripe = stripes_[hash % kStripes];
  stripe.lock.Lock();
  if (Put(stripe, hash, entry)) ++stripe.keys;
  const bool crowded =
      stripe.keys * kStripes > kKeysPerBucket * buckets_.load(std::memory_order_relaxed);
  stripe.lock.Unlock();
  if (crowded) SplitOne();
}

bool MemTableHashIndex::Put(Stripe& stripe, uint64_t hash, const MemTableEntry* entry) {
  DCHECK((reinterpret_cast<uintptr_t>(entry) & ~kAddressMask) == 0);
  DCHECK(HashOf(entry->user_key()) == hash);
  Bucket& first = At(IndexOf(hash, buckets_.load(std::memory_order_relaxed)));
  std::atomic<uint64_t>* free = nullptr;
  Bucket* last = &first;
  uint32_t length = 1;
  for (;; ++length) {
    for (std::atomic<uint64_t>& slot : last->slots) {
      const uint64_t now = slot.load(std::memory_order_relaxed);
      if (now == 0) {
        if (free == nullptr) free = &slot;
        continue;
      }
      if (!SameTag(now, hash)) continue;
      const MemTableEntry* const other = EntryOf(now);
      if (other->user_key() != entry->user_key()) continue;
      // Writers of a group may insert in any order.
      if (other->packed < entry->packed) {
        slot.store(SlotOf(hash, entry), std::memory_order_release);
      }
      return false;
    }
    Bucket* const next = Next(*last);
    if (next == nullptr) break;
    last = next;
  }
  if (IsFull(first)) return false;
  if (free != nullptr) {
    free->store(SlotOf(hash, entry), std::memory_order_release);
    return true;
  }
  if (length == kChainMax) {
    first.next.fetch_or(kFull, std::memory_order_release);
    return false;
  }
  Bucket* const more = NewLink(stripe);
  more->slots[0].store(SlotOf(hash, entry), std::memory_order_relaxed);
  last->next.store(reinterpret_cast<uintptr_t>(more), std::memory_order_release);
  return true;
}

MemTableHashIndex::Answer MemTableHashIndex::Find(uint64_t hash, std::string_view user_key) const {
  uint64_t buckets = buckets_.load(std::memory_order_acquire);
  while (true) {
    const uint64_t index = IndexOf(hash, buckets);
    const Bucket& first = At(index);
    for (const Bucket* bucket = &first; bucket != nullptr; bucket = Next(*bucket)) {
      for (const std::atomic<uint64_t>& slot : bucket->slots) {
        const uint64_t now = slot.load(std::memory_order_acquire);
        if (now == 0 || !SameTag(now, hash)) continue;
        if (EntryOf(now)->user_key() == user_key) return {EntryOf(now), true};
      }
    }
    const bool known = !IsFull(first);
    buckets = buckets_.load(std::memory_order_acquire);
    if (IndexOf(hash, buckets) == index) return {nullptr, known};
  }
}

void MemTableHashIndex::PrefetchBucket(uint64_t hash) const {
  PrefetchLine(&At(IndexOf(hash, buckets_.load(std::memory_order_acquire))));
}

void MemTableHashIndex::PrefetchEntry(uint64_t hash) const {
  const Bucket& first = At(IndexOf(hash, buckets_.load(std::memory_order_acquire)));
  for (const std::atomic<uint64_t>& slot : first.slots) {
    const uint64_t now = slot.load(std::memory_order_acquire);
    if (now == 0 || !SameTag(now, hash)) continue;
    const auto* const bytes = reinterpret_cast<const char*>(EntryOf(now));
    PrefetchLine(bytes);
    PrefetchLine(bytes + sizeof(Bucket));  // The end of its key, or its value.
  }
}

void MemTableHashIndex::SplitOne() {
  MutexLock lock(splitting_);
  const uint64_t index = buckets_.load(std::memory_order_relaxed);
  if (index == kBucketsMax) return;
  const uint64_t bit = std::bit_floor(index), from = index - bit;
  DCHECK_OP(from % kStripes, ==, index % kStripes, "one lock holds both buckets");
  const Place place = PlaceOf(index);
  if (place.offset == 0) {
    pieces_[place.piece].store(Allocate(place.piece_size), std::memory_order_release);
  }
  Bucket* const to = new (&At(index)) Bucket;
  Moved moved;
  Stripe& stripe = stripes_[from % kStripes];
  stripe.lock.Lock();
  const uint32_t count = Copy(stripe, &At(from), bit, to, &moved);
  buckets_.store(index + 1, std::memory_order_release);
  for (uint32_t i = 0; i < count; ++i) moved[i]->store(0, std::memory_order_release);
  stripe.lock.Unlock();
  if (from + 1 < bit) PrefetchSplit(from + 1);
}

uint32_t MemTableHashIndex::Copy(Stripe& stripe, Bucket* from, uint64_t bit, Bucket* to,
                                 Moved* moved) {
  uint32_t count = 0, used = 0;
  Bucket* last = to;
  for (Bucket* bucket = from; bucket != nullptr; bucket = Next(*bucket)) {
    for (std::atomic<uint64_t>& slot : bucket->slots) {
      const uint64_t now = slot.load(std::memory_order_relaxed);
      if (now == 0 || (HashOf(EntryOf(now)->user_key()) & bit) == 0) continue;
      if (used == kSlots) {
        Bucket* const more = NewLink(stripe);
        last->next.store(reinterpret_cast<uintptr_t>(more), std::memory_order_relaxed);
        last = more;
        used = 0;
      }
      DCHECK_OP(count, <, moved->size());
      last->slots[used++].store(now, std::memory_order_relaxed);
      (*moved)[count++] = &slot;
    }
  }
  if (IsFull(*from)) to->next.fetch_or(kFull, std::memory_order_relaxed);
  return count;
}

// The next bucket to be split is known in advance, so its entries can be prefetched.
void MemTableHashIndex::PrefetchSplit(uint64_t from) const {
  for (const std::atomic<uint64_t>& slot : At(from).slots) {
    PrefetchLine(EntryOf(slot.load(std::memory_order_relaxed)));
  }
  PrefetchLine(&At(from + 1));
}

MemTableHashIndex::Bucket* MemTableHashIndex::NewLink(Stripe& stripe) {
  constexpr uint32_t kAtOnce = 8;
  if (stripe.spares == 0) {
    stripe.spare = Allocate(kAtOnce);
    stripe.spares = kAtOnce;
  }
  --stripe.spares;
  return new (stripe.spare++) Bucket;
}

// Not initialised: buckets are initialised one by one.
MemTableHashIndex::Bucket* MemTableHashIndex::Allocate(uint64_t buckets) {
  char* const raw = arena_->Allocate((buckets + 1) * sizeof(Bucket));
  return reinterpret_cast<Bucket*>(
      raw + (sizeof(Bucket) - reinterpret_cast<uintptr_t>(raw) % sizeof(Bucket)));
}

}  // namespace varve
