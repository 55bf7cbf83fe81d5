// SPDX-License-Identifier: Apache-2.0
// ReadView is everything that a reader of one column family pins: memtables and tables of one
// moment. Immutable; `memtable` still grows, but a reader ignores entries newer than its sequence
// number.
//
// A reader pins the view first and loads the visible sequence number second. In that order the view
// holds every write up to that number, or, if a memtable was sealed in between, everything up to
// the seal: a prefix of the commit order either way. In the opposite order, a compaction could drop
// versions that the older number still needs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/threads/mutex.h"
#include "core/engine/locks.h"
#include "core/engine/read/read_counters.h"
#include "core/memtable/memtable.h"
#include "core/version/version.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"

namespace varve {

class BlobReader;
class SnapshotList;

struct ReadView {
  const Comparator* comparator = nullptr;
  size_t timestamp_size = 0;                          // Of the keys; 0: they have none.
  std::string full_history_ts_low;                    // No reads at older timestamps; empty: any.
  const MergeOperator* merge_operator = nullptr;      // Null: unknown.
  std::shared_ptr<const BlobReader> blobs;            // Null: blob files cannot be read.
  std::shared_ptr<MemTable> memtable;                 // Takes writes; null in a read-only database.
  std::vector<std::shared_ptr<MemTable>> immutables;  // Sealed, newest first.
  std::shared_ptr<const Version> version;
  ReadaheadPolicy readahead;  // For scans.
  // Of a read-only database, which may catch up: the snapshots of this state. Null: all there are.
  std::shared_ptr<const SnapshotList> snapshots;
};

// ReadViewHolder publishes a family's current view to its readers.
//
// Each thread caches the view it read last in its own slot, so a pin costs one atomic exchange on a
// cache line that no other thread touches. Publish() empties all slots, so that an idle thread
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
  // A pinned view. Destroy it on the thread that acquired it, and before the holder.
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
    // Keeps the view beyond this pin and for other threads, e.g. for an iterator.
    const std::shared_ptr<const ReadView>& Share() const { return Get(); }
    // Statistics of this thread's reads of the family; only this thread may add.
    ReadCounters& counters() const { return *counters_; }

   private:
    friend class ReadViewHolder;
    Pin(ReadCounters* counters, Slot* slot) : counters_(counters), slot_(slot) {}
    Pin(ReadCounters* counters, std::shared_ptr<const ReadView> owned)
        : counters_(counters), owned_(std::move(owned)) {}
    const std::shared_ptr<const ReadView>& Get() const {
      DCHECK(slot_ != nullptr || owned_ != nullptr, "the reference was not moved from");
      return slot_ != nullptr ? slot_->view : owned_;
    }

    ReadCounters* counters_;
    Slot* slot_ = nullptr;                   // Busy while pinned; null: owned_ is the pin.
    std::shared_ptr<const ReadView> owned_;  // Used if the slot was busy (a read within a read).
  };

  explicit ReadViewHolder(std::shared_ptr<const ReadView> first);
  ReadViewHolder(const ReadViewHolder&) = delete;
  // Requires that no pin is left.
  ~ReadViewHolder();

  // Reads that start after this returns see `view`. Views that lose their last user are destroyed
  // outside the mutex.
  void Publish(std::shared_ptr<const ReadView> view) EXCLUDES(mutex_);

  // Takes the mutex only if the thread has no cached view.
  Pin Acquire() const EXCLUDES(mutex_);

  // Adds the reads of all threads so far, including those that have ended.
  void AddCounters(FamilyStats* sum) const EXCLUDES(mutex_);

#ifdef VARVE_DEBUG_CHECKS
  // True once the holder, and with it the database, is destroyed.
  std::shared_ptr<const std::atomic<bool>> gone() const { return gone_; }
#endif

  // A plain shared copy, for jobs and for the thread that publishes.
  std::shared_ptr<const ReadView> Current() const EXCLUDES(mutex_);

 private:
  enum State : int { kEmpty, kCached, kBusy, kStale, kStealing };

  // `view` may be accessed only by the thread that moved `state` to kBusy (the slot's own) or
  // kStealing (any).
  struct alignas(64) Slot {
    explicit Slot(uint64_t holder) : holder_id(holder) {}
    const uint64_t holder_id;
    const std::thread::id thread = std::this_thread::get_id();
    std::atomic<int> state{kEmpty};
    std::atomic<bool> ended{false};  // The thread, or its use of the slot.
    std::shared_ptr<const ReadView> view;
    ReadCounters counters;  // Written by the slot's thread only, whatever the state.
  };
  // One per holder that the thread has read from. The end of such a reference ends the slot.
  using ThreadSlots = std::vector<std::shared_ptr<Slot>>;

  static void ReleaseSlot(Slot* slot);
  static void Steal(Slot* slot);
  Slot* SlotOfThisThread() const EXCLUDES(mutex_);
  // Drops the slots of threads that have ended, and sets how many more there may be until the next
  // time, so that the amortized cost per live thread is constant.
  void DropEnded() const REQUIRES(mutex_);

  static constexpr size_t kSlotsMaxAtFirst = 64;

  const uint64_t id_;   // Never reused in this process.
  const size_t index_;  // This holder's index in each thread's slots; reused.
  mutable Mutex mutex_ ACQUIRED_AFTER(engine_mutex);
  std::shared_ptr<const ReadView> current_ GUARDED_BY(mutex_);
  mutable std::vector<std::shared_ptr<Slot>> slots_ GUARDED_BY(mutex_);
  mutable size_t slots_max_ GUARDED_BY(mutex_) = kSlotsMaxAtFirst;
  mutable FamilyStats ended_ GUARDED_BY(mutex_);  // Counts of threads that have ended.
#ifdef VARVE_DEBUG_CHECKS
  const std::shared_ptr<std::atomic<bool>> gone_ = std::make_shared<std::atomic<bool>>(false);
#endif
};

}  // namespace varve
