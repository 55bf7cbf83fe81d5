// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/memtable.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/memtable/btree.h"
#include "core/memtable/memtable_iterator.h"
#include "core/memtable/memtable_tombstones.h"
#include "core/memtable/node_arena.h"
#include "core/memtable/point_index.h"
#include "core/memtable/skiplist.h"

namespace varve {
namespace {

// Identifies memtables uniquely in the process, unlike their addresses.
uint64_t NextSerial() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// The calling thread's hint for the memtable with that serial number. A thread keeps a few, so that
// batches over several column families keep theirs.
template <typename Hint>
Hint* HintOfThread(uint64_t serial) {
  struct Slot {
    uint64_t serial = 0;
    Hint hint;
  };
  constexpr size_t kHintsMax = 8;
  thread_local std::array<Slot, kHintsMax> slots;
  Slot& slot = slots[serial % kHintsMax];
  if (slot.serial != serial) slot = {serial, {}};
  return &slot.hint;
}

// Mixes the bits of a number that is never used twice (the finaliser of splitmix64).
uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

void LowerTo(std::atomic<uint64_t>& variable, uint64_t value) {
  uint64_t now = variable.load(std::memory_order_relaxed);
  while (value < now && !variable.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}

void RaiseTo(std::atomic<uint64_t>& variable, uint64_t value) {
  uint64_t now = variable.load(std::memory_order_relaxed);
  while (value > now && !variable.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}

// Index: SkipList or BTree.
template <typename Index, typename Order>
class IndexedMemTable final : public MemTable {
 public:
  IndexedMemTable(Order order, const Comparator& comparator, uint64_t id,
                  const MemTableGrades& grades)
      : MemTable(id),
        serial_(NextSerial()),
        batch_lookup_(grades.batch_lookup),
        index_(order, &arena_),
        tombstones_(comparator) {
    if constexpr (kMayHash) {
      if (grades.rep == MemtableRep::kBtreeHash) {
        points_ = std::make_unique<PointIndex<Index>>(&index_, &arena_);
      }
    }
  }

  void Add(Sequence sequence, ValueType type, std::string_view key,
           std::string_view value) override {
    CHECK_OP(sequence, <=, kMaxSequence);
    CHECK_OP(key.size(), <=, UINT32_MAX);
    CHECK_OP(value.size(), <=, UINT32_MAX);
    DCHECK(type == ValueType::kRangeDeletion || IsDataBlockType(static_cast<uint8_t>(type)));
    if (type == ValueType::kRangeDeletion) {
      tombstones_.Add(key, value, sequence);
    } else {
      Insert({key, sequence, type}, value);
    }
    entries_.fetch_add(1, std::memory_order_relaxed);
    if (IsDeletion(type)) deletions_.fetch_add(1, std::memory_order_relaxed);
    LowerTo(smallest_sequence_, sequence);
    RaiseTo(largest_sequence_, sequence);
  }

  bool Get(Lookup* lookup) const override {
    if (lookup->done()) return true;
    if (tombstones_.empty()) return FindOne(lookup);
    Cover(*tombstones_.Snapshot(), lookup);
    return FindOne(lookup) || lookup->EndIfCovered();
  }

  void MultiGet(std::span<Lookup*> sorted) const override {
    DCHECK(AreSorted(index_.order(), sorted));
    const auto tombstones = Tombstones();
    if (tombstones != nullptr) {
      for (Lookup* lookup : sorted) {
        if (!lookup->done()) Cover(*tombstones, lookup);
      }
    }
    const MemTableHashIndex* const hash = HashFor(sorted.size());
    hash == nullptr ? Find(sorted) : FindByHash(*hash, sorted);
    if (tombstones == nullptr) return;
    for (Lookup* lookup : sorted) lookup->EndIfCovered();
  }

  std::unique_ptr<InternalIterator> NewIterator() const override {
    return std::make_unique<MemTableIterator<Index>>(&index_, shared_from_this());
  }

  std::shared_ptr<const TombstoneLists> Tombstones() const override {
    return tombstones_.Snapshot();
  }

  uint64_t MemoryUsage() const override {
    return sizeof(*this) + (points_ == nullptr ? 0 : sizeof(*points_)) + arena_.MemoryUsage() +
           tombstones_.MemoryUsage();
  }
  uint64_t entries() const override { return entries_.load(std::memory_order_relaxed); }
  uint64_t deletions() const override { return deletions_.load(std::memory_order_relaxed); }
  Sequence smallest_sequence() const override {
    return smallest_sequence_.load(std::memory_order_relaxed);
  }
  Sequence largest_sequence() const override {
    return largest_sequence_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr bool kIsSkipList = std::is_same_v<Index, SkipList>;
  // Only with these orders are equal keys equal bytes.
  static constexpr bool kMayHash = !kIsSkipList && !std::is_same_v<Order, VirtualOrder>;

  void Insert(const InternalKey& key, std::string_view value) {
    auto* const hint = HintOfThread<typename Index::Hint>(serial_);
    if constexpr (kIsSkipList) {
      index_.Insert(key, value, Mix(key.sequence), hint);
    } else {
      if (points_ != nullptr) points_->BeginAdd(key.user_key);
      const MemTableEntry* const entry = MemTableEntry::Make(key, value, &arena_);
      index_.Insert(entry, hint);
      if (points_ != nullptr) points_->EndAdd(entry);
    }
  }

  // Null: use the ordered index.
  const MemTableHashIndex* HashFor(size_t lookups) const {
    if constexpr (kMayHash) return points_ == nullptr ? nullptr : points_->ForLookups(lookups);
    return nullptr;
  }

  bool FindOne(Lookup* lookup) const {
    const MemTableHashIndex* const hash = HashFor(1);
    if (hash != nullptr && FeedByHash(*hash, lookup)) return lookup->done();
    return FeedFrom(index_.FirstNotBefore(TargetOf(*lookup)), lookup);
  }

  // Without the hash index.
  void Find(std::span<Lookup*> sorted) const {
    if (batch_lookup_ == MemtableBatchLookup::kInterleaved) return FindInterleaved(sorted);
    if constexpr (kIsSkipList) {
      if (batch_lookup_ == MemtableBatchLookup::kFinger) return FindByFinger(sorted);
    }
    for (Lookup* lookup : sorted) {
      if (!lookup->done()) FeedFrom(index_.FirstNotBefore(TargetOf(*lookup)), lookup);
    }
  }

  // Prefetches all buckets, then all entries; keys that are not answered go to the ordered index.
  void FindByHash(const MemTableHashIndex& hash, std::span<Lookup*> sorted) const {
    constexpr size_t kBatchMax = 64;
    std::array<Lookup*, kBatchMax> waiting;
    for (size_t next = 0; next < sorted.size();) {
      size_t count = 0;
      for (; next < sorted.size() && count < kBatchMax; ++next) {
        if (!sorted[next]->done()) waiting[count++] = sorted[next];
      }
      if (batch_lookup_ != MemtableBatchLookup::kOff) {
        for (size_t i = 0; i < count; ++i) hash.PrefetchBucket(waiting[i]->KeyHash());
        for (size_t i = 0; i < count; ++i) hash.PrefetchEntry(waiting[i]->KeyHash());
      }
      size_t left = 0;
      for (size_t i = 0; i < count; ++i) {
        if (!FeedByHash(hash, waiting[i])) waiting[left++] = waiting[i];
      }
      Find(std::span(waiting.data(), left));
    }
  }

  void FindInterleaved(std::span<Lookup*> sorted) const {
    constexpr size_t kBatchMax = Index::kBatchMax;
    std::array<Lookup*, kBatchMax> waiting;
    std::array<typename Index::Target, kBatchMax> targets;
    std::array<typename Index::Position, kBatchMax> found;
    for (size_t next = 0; next < sorted.size();) {
      size_t count = 0;
      for (; next < sorted.size() && count < kBatchMax; ++next) {
        if (sorted[next]->done()) continue;
        waiting[count] = sorted[next];
        targets[count++] = TargetOf(*sorted[next]);
      }
      index_.FirstNotBefore(std::span(targets.data(), count), found.data());
      for (size_t i = 0; i < count; ++i) FeedFrom(found[i], waiting[i]);
    }
  }

  void FindByFinger(std::span<Lookup*> sorted) const {
    SkipListFinger finger;
    for (Lookup* lookup : sorted) {
      if (lookup->done()) continue;
      FeedFrom(index_.FirstNotBefore(TargetOf(*lookup), &finger), lookup);
    }
  }

  auto TargetOf(const Lookup& lookup) const {
    return index_.MakeTarget(LookupKey(lookup.user_key, lookup.snapshot));
  }

  static void Cover(const TombstoneLists& tombstones, Lookup* lookup) {
    for (const auto& list : tombstones) {
      lookup->CoverBy(list->NewestCovering(lookup->user_key, lookup->snapshot));
    }
  }

  // Answers the lookup if the hash index has the complete answer. False: use the ordered index.
  bool FeedByHash(const MemTableHashIndex& hash, Lookup* lookup) const {
    const MemTableHashIndex::Answer answer = hash.Find(lookup->KeyHash(), lookup->user_key);
    if (answer.newest == nullptr) return answer.known;
    const MemTableEntry& entry = *answer.newest;
    DCHECK(entry.user_key() == lookup->user_key);
    if (entry.sequence() > lookup->snapshot || entry.type() == ValueType::kMerge) return false;
    Feed(entry, lookup);
    return true;
  }

  // Passes the versions of the lookup's key from `at` on.
  bool FeedFrom(typename Index::Position at, Lookup* lookup) const {
    for (; at.entry != nullptr; index_.Next(&at)) {
      const auto& entry = *at.entry;
      if (index_.order()(entry.user_key(), lookup->user_key) != 0) break;
      if (Feed(entry, lookup)) return true;
    }
    return false;
  }

  template <typename Entry>
  bool Feed(const Entry& entry, Lookup* lookup) const {
    const bool keeps_value = lookup->covered_by <= entry.sequence() && !IsDeletion(entry.type());
    std::shared_ptr<const void> pin;
    if (keeps_value) pin = shared_from_this();
    return lookup->Feed(entry.sequence(), entry.type(), entry.value(), pin);
  }

  const uint64_t serial_;
  const MemtableBatchLookup batch_lookup_;
  NodeArena arena_;
  Index index_;
  std::unique_ptr<PointIndex<Index>> points_;  // Null: this grade has none.
  MemTableTombstones tombstones_;
  std::atomic<uint64_t> entries_{0};
  std::atomic<uint64_t> deletions_{0};
  std::atomic<uint64_t> smallest_sequence_{kMaxSequence};
  std::atomic<uint64_t> largest_sequence_{0};
};

}  // namespace

std::shared_ptr<MemTable> MemTable::Create(const Comparator& comparator, uint64_t id,
                                           const MemTableGrades& grades) {
  if (grades.rep == MemtableRep::kSkipList) {
    return std::make_shared<IndexedMemTable<SkipList, VirtualOrder>>(VirtualOrder{&comparator},
                                                                     comparator, id, grades);
  }
  return WithKeyOrder(comparator, [&](auto order) -> std::shared_ptr<MemTable> {
    using Order = decltype(order);
    return std::make_shared<IndexedMemTable<BTree<Order>, Order>>(order, comparator, id, grades);
  });
}

}  // namespace varve
