// SPDX-License-Identifier: Apache-2.0
// PointIndex is the hash index of a memtable, built only when there are point reads: write-only
// loads pay nothing.
//
//   kNone --enough lookups--> kWanted --filled--> kComplete
//
// Once it is wanted, writers add new entries to it as well. Older entries are filled in by the
// lookups, some entries each, in tree order; until all are there the tree answers lookups. Filling
// begins at a moment without running inserts, so each entry is either in the tree by then, or its
// writer sees that the index is wanted.
//
// When to begin is a ski-rental problem (A. Karlin et al., "Competitive snoopy caching", 1988): the
// extra cost of a lookup in the tree is about the cost of indexing kEntriesPerLookup entries, so
// the index is built once lookups have lost as much as the whole index costs; that is at most twice
// the optimum.
//
// Thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/base/threads/mutex.h"
#include "core/memtable/hash_index.h"

namespace varve {

template <typename Tree>
class PointIndex {
 public:
  static constexpr uint64_t kEntriesPerLookup = 16;
  static constexpr uint64_t kLookupsMin = 64;  // With fewer lookups no index is built.

  // Both must outlive it.
  PointIndex(const Tree* tree, NodeArena* arena) : tree_(tree), index_(arena) {}

  // Call these around adding one entry to the tree.
  void BeginAdd(std::string_view user_key) {
    begun_.fetch_add(1);
    if (state_.load() != State::kNone) index_.PrefetchBucket(MemTableHashIndex::HashOf(user_key));
  }
  void EndAdd(const MemTableEntry* entry) {
    if (state_.load() != State::kNone) {
      index_.Insert(MemTableHashIndex::HashOf(entry->user_key()), entry);
    }
    [[maybe_unused]] const uint64_t before = added_.fetch_add(1);
    DCHECK_OP(before, <, begun_.load());
  }

  // Call before `lookups` lookups. Null: use the tree.
  const MemTableHashIndex* ForLookups(uint64_t lookups) {
    if (state_.load(std::memory_order_acquire) == State::kComplete) [[likely]] {
      return &index_;
    }
    return IsDue(lookups) && Fill(lookups) ? &index_ : nullptr;
  }

 private:
  enum class State : uint8_t { kNone, kWanted, kComplete };

  bool IsDue(uint64_t lookups) {
    if (state_.load(std::memory_order_acquire) != State::kNone) return true;
    // Not exact if several threads count, which is acceptable.
    const uint64_t seen = lookups_.load(std::memory_order_relaxed) + lookups;
    lookups_.store(seen, std::memory_order_relaxed);
    if (seen < std::max(kLookupsMin, added_.load(std::memory_order_relaxed) / kEntriesPerLookup)) {
      return false;
    }
    State none = State::kNone;
    state_.compare_exchange_strong(none, State::kWanted);
    return true;
  }

  // Continues filling, unless another thread does. True: complete.
  bool Fill(uint64_t lookups) {
    if (!filling_.TryLock()) return false;
    uint64_t budget = lookups * kEntriesPerLookup;
    bool complete = state_.load(std::memory_order_acquire) == State::kComplete;
    if (!complete && (filled_to_.entry != nullptr || BeginFilling(&complete))) {
      while (!complete && budget > 0) {
        budget -= std::min(budget, kGroup);
        complete = FillGroup();
      }
    }
    if (complete) state_.store(State::kComplete, std::memory_order_release);
    filling_.Unlock();
    return complete;
  }

  // False: an Add is running, or there is nothing to fill in.
  bool BeginFilling(bool* empty) REQUIRES(filling_) {
    // Any Add not counted here begins later, and sees that the index is wanted.
    const uint64_t added = added_.load();
    if (begun_.load() != added) return false;
    filled_to_ = tree_->First();
    *empty = filled_to_.entry == nullptr;
    return !*empty;
  }

  // Indexes the next entries, prefetching their buckets together. True: there are no more.
  bool FillGroup() REQUIRES(filling_) {
    std::array<const MemTableEntry*, kGroup> entries;
    std::array<uint64_t, kGroup> hashes;
    size_t count = 0;
    for (; count < kGroup && filled_to_.entry != nullptr; tree_->Next(&filled_to_)) {
      entries[count] = filled_to_.entry;
      hashes[count] = MemTableHashIndex::HashOf(filled_to_.entry->user_key());
      index_.PrefetchBucket(hashes[count++]);
    }
    for (size_t i = 0; i < count; ++i) index_.Insert(hashes[i], entries[i]);
    return filled_to_.entry == nullptr;
  }

  static constexpr uint64_t kGroup = 16;

  const Tree* const tree_;
  MemTableHashIndex index_;
  std::atomic<State> state_{State::kNone};
  std::atomic<uint64_t> lookups_{0};  // Counted until an index is wanted.
  Mutex filling_;
  typename Tree::Position filled_to_ GUARDED_BY(filling_);  // The next entry; none: not begun.
  // Counts of Adds, on a cache line of their own.
  alignas(64) std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> added_{0};
};

}  // namespace varve
