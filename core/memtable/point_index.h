// SPDX-License-Identifier: Apache-2.0
// PointIndex is the hash index of a memtable, made when point reads ask for it and not before: a
// load that only writes pays nothing.
//
//   kNone --enough lookups--> kWanted --filled--> kComplete
//
// Once it is wanted, whoever adds an entry puts it into the index too. What was added before is
// filled in by the lookups themselves, some entries each, along the tree; until all is there the
// tree answers them. Filling begins at a moment when nobody is adding, so each entry is in the tree
// by then, or its writer sees that the index is wanted.
//
// When to begin is a ski-rental problem (A. Karlin et al., "Competitive snoopy caching", 1988): a
// lookup in the tree loses about what it costs to index kEntriesPerLookup entries, so once lookups
// have lost what the whole index costs, it is made; at worst that is twice what was best.
//
// Thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/base/mutex.h"
#include "core/memtable/hash_index.h"

namespace varve {

template <typename Tree>
class PointIndex {
 public:
  static constexpr uint64_t kEntriesPerLookup = 16;
  static constexpr uint64_t kLookupsMin = 64;  // Fewer never make an index.

  // Both outlive it.
  PointIndex(const Tree* tree, NodeArena* arena) : tree_(tree), index_(arena) {}

  // Around adding one entry to the tree.
  void BeginAdd(std::string_view user_key) {
    begun_.fetch_add(1);
    if (state_.load() != State::kNone) index_.PrefetchBucket(HashIndex::HashOf(user_key));
  }
  void EndAdd(const MemTableEntry* entry) {
    if (state_.load() != State::kNone) {
      index_.Insert(HashIndex::HashOf(entry->user_key()), entry);
    }
    [[maybe_unused]] const uint64_t before = added_.fetch_add(1);
    DCHECK_OP(before, <, begun_.load());
  }

  // Before `lookups` of them. Null: the tree has to answer.
  const HashIndex* ForLookups(uint64_t lookups) {
    if (state_.load(std::memory_order_acquire) == State::kComplete) [[likely]] {
      return &index_;
    }
    return IsDue(lookups) && Fill(lookups) ? &index_ : nullptr;
  }

 private:
  enum class State : uint8_t { kNone, kWanted, kComplete };

  bool IsDue(uint64_t lookups) {
    if (state_.load(std::memory_order_acquire) != State::kNone) return true;
    // Not exact if several threads count: it need not be.
    const uint64_t seen = lookups_.load(std::memory_order_relaxed) + lookups;
    lookups_.store(seen, std::memory_order_relaxed);
    if (seen < std::max(kLookupsMin, added_.load(std::memory_order_relaxed) / kEntriesPerLookup)) {
      return false;
    }
    State none = State::kNone;
    state_.compare_exchange_strong(none, State::kWanted);
    return true;
  }

  // Goes on filling, unless somebody else is at it. True: complete.
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

  // False: an Add is under way, or there is nothing to fill in.
  bool BeginFilling(bool* empty) REQUIRES(filling_) {
    // Every Add that these two do not count begins after, and sees that the index is wanted.
    const uint64_t added = added_.load();
    if (begun_.load() != added) return false;
    filled_to_ = tree_->First();
    *empty = filled_to_.entry == nullptr;
    return !*empty;
  }

  // Indexes the next entries, whose buckets are fetched together. True: there are no more.
  bool FillGroup() REQUIRES(filling_) {
    std::array<const MemTableEntry*, kGroup> entries;
    std::array<uint64_t, kGroup> hashes;
    size_t count = 0;
    for (; count < kGroup && filled_to_.entry != nullptr; tree_->Next(&filled_to_)) {
      entries[count] = filled_to_.entry;
      hashes[count] = HashIndex::HashOf(filled_to_.entry->user_key());
      index_.PrefetchBucket(hashes[count++]);
    }
    for (size_t i = 0; i < count; ++i) index_.Insert(hashes[i], entries[i]);
    return filled_to_.entry == nullptr;
  }

  static constexpr uint64_t kGroup = 16;

  const Tree* const tree_;
  HashIndex index_;
  std::atomic<State> state_{State::kNone};
  std::atomic<uint64_t> lookups_{0};  // While no index is wanted.
  Mutex filling_;
  typename Tree::Position filled_to_ GUARDED_BY(filling_);  // The next entry; none: not begun.
  // Of Adds. Away from what readers look at.
  alignas(64) std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> added_{0};
};

}  // namespace varve
