// SPDX-License-Identifier: Apache-2.0
// ReadView is everything a reader of one column family pins: the memtables and the tables of one
// moment. Immutable; the entries of `memtable` grow, but a reader looks at nothing newer than its
// sequence number.
//
// A reader pins the view first and asks for the present sequence number second. In that order the
// view holds every write up to that number, or, if a memtable was sealed in between, everything up
// to the seal: a prefix of the commit order either way. The other order would allow a compaction
// to drop what the older number still needs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/engine/locks.h"
#include "core/engine/read/read_counters.h"
#include "core/memtable/memtable.h"
#include "core/version/version.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"

namespace varve {

class BlobReader;

struct ReadView {
  const Comparator* comparator = nullptr;
  const MergeOperator* merge_operator = nullptr;  // Null: none is known.
  std::shared_ptr<const BlobReader> blobs;        // Null: no blob file can be read.
  std::shared_ptr<MemTable> memtable;             // Where writes go; null in a read-only database.
  std::vector<std::shared_ptr<MemTable>> immutables;  // Sealed, newest first.
  std::shared_ptr<const Version> version;
  ReadaheadPolicy readahead;  // Of scans.
};

// ReadViewHolder publishes a family's present view to its readers.
//
// Each thread keeps the view it read last in a slot of its own, so a pin costs one atomic exchange
// on a cache line that no other thread touches. Publish() empties all slots, so that an idle thread
// keeps no sealed memtable or obsolete table alive.
//
//   slot:  empty --Acquire--> busy --release--> cached --Acquire--> busy ...
//                               \--Publish--> stale --release--> empty
//          cached --Publish--> stealing --> empty
//
// Thread-safe.
class ReadViewHolder {
  struct Slot;

 public:
  // A pinned view. Belongs to the thread that acquired it; destroy it there, before the holder.
  class Pin {
   public:
    Pin(Pin&& other) noexcept
        : counters_(other.counters_),
          slot_(std::exchange(other.slot_, nullptr)),
          owned_(std::move(other.owned_)) {}
    Pin& operator=(Pin&&) = delete;
    ~Pin() {
      if (slot_ != nullptr) ReleaseSlot(slot_);
    }

    const ReadView& operator*() const { return *Get(); }
    const ReadView* operator->() const { return Get().get(); }
    // Keeps the view beyond this pin and on other threads, e.g. for an iterator.
    const std::shared_ptr<const ReadView>& Share() const { return Get(); }
    // What this thread has read of the family; only this thread may add.
    ReadCounters& counters() const { return *counters_; }

   private:
    friend class ReadViewHolder;
    Pin(ReadCounters* counters, Slot* slot) : counters_(counters), slot_(slot) {}
    Pin(ReadCounters* counters, std::shared_ptr<const ReadView> owned)
        : counters_(counters), owned_(std::move(owned)) {}
    const std::shared_ptr<const ReadView>& Get() const {
      return slot_ != nullptr ? slot_->view : owned_;
    }

    ReadCounters* counters_;
    Slot* slot_ = nullptr;                   // Busy while pinned; null: owned_ is the pin.
    std::shared_ptr<const ReadView> owned_;  // When the slot was taken (a read within a read).
  };

  explicit ReadViewHolder(std::shared_ptr<const ReadView> first);
  ReadViewHolder(const ReadViewHolder&) = delete;
  // No pin may be left.
  ~ReadViewHolder();

  // Reads that start after this returns see `view`. Views that lose their last user are destroyed
  // outside of the mutex.
  void Publish(std::shared_ptr<const ReadView> view) EXCLUDES(mutex_);

  // No mutex unless the thread has no cached view.
  Pin Acquire() const EXCLUDES(mutex_);

  // Adds what all threads have read so far, those that have ended included.
  void AddCounters(FamilyStats* sum) const EXCLUDES(mutex_);

#ifdef VARVE_DEBUG_CHECKS
  // True once the holder is gone, and with it the database.
  std::shared_ptr<const std::atomic<bool>> gone() const { return gone_; }
#endif

  // For jobs and the publisher itself: a plain shared copy.
  std::shared_ptr<const ReadView> Current() const EXCLUDES(mutex_);

 private:
  enum State : int { kEmpty, kCached, kBusy, kStale, kStealing };

  // `view` belongs to whoever moved `state` to kBusy (its thread) or kStealing (anyone).
  struct alignas(64) Slot {
    explicit Slot(uint64_t holder) : holder_id(holder) {}
    const uint64_t holder_id;
    std::atomic<int> state{kEmpty};
    std::shared_ptr<const ReadView> view;
    ReadCounters counters;  // Its thread's, whatever the state.
  };
  using ThreadSlots = std::vector<std::shared_ptr<Slot>>;  // One per holder it has read from.

  static void ReleaseSlot(Slot* slot);
  static void Steal(Slot* slot);
  Slot* SlotOfThisThread() const EXCLUDES(mutex_);
  // Forgets the slots of threads that have ended, and sets how many more there may be until the
  // next time: a list of the threads that live costs each of them a constant time.
  void DropEnded() const REQUIRES(mutex_);

  static constexpr size_t kSlotsMaxAtFirst = 64;

  const uint64_t id_;   // Never reused in this process.
  const size_t index_;  // Of this holder's slot among a thread's slots; reused.
  mutable Mutex mutex_ ACQUIRED_AFTER(engine_mutex);
  std::shared_ptr<const ReadView> current_ GUARDED_BY(mutex_);
  mutable std::vector<std::shared_ptr<Slot>> slots_ GUARDED_BY(mutex_);
  mutable size_t slots_max_ GUARDED_BY(mutex_) = kSlotsMaxAtFirst;
  mutable FamilyStats ended_ GUARDED_BY(mutex_);  // Counted by threads that have ended.
#ifdef VARVE_DEBUG_CHECKS
  const std::shared_ptr<std::atomic<bool>> gone_ = std::make_shared<std::atomic<bool>>(false);
#endif
};

}  // namespace varve
