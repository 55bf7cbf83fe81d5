// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/read_view.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "core/base/check.h"
#include "core/base/threads/of_this_thread.h"

namespace varve {
namespace {

// Assigns live holders an index into every thread's slot array, lowest free one first, so the
// arrays are no longer than the largest number of holders that ever lived at once.
class HolderIndexes {
 public:
  size_t Take() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (returned_.empty()) return next_++;
    const size_t index = returned_.top();
    returned_.pop();
    return index;
  }
  void Return(size_t index) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    CHECK_OP(index, <, next_);
    CHECK_OP(returned_.size(), <, next_);
    returned_.push(index);
  }

 private:
  Mutex mutex_;
  size_t next_ GUARDED_BY(mutex_) = 0;  // All below are in use, except returned ones.
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> returned_ GUARDED_BY(mutex_);
};

// Never destroyed: the destructor of a global may close a database.
HolderIndexes& Indexes() {
  static HolderIndexes& indexes = *std::make_unique<HolderIndexes>().release();
  return indexes;
}

uint64_t NextHolderId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

ReadViewHolder::ReadViewHolder(std::shared_ptr<const ReadView> first)
    : id_(NextHolderId()), index_(Indexes().Take()), current_(std::move(first)) {}

ReadViewHolder::~ReadViewHolder() {
  Publish(nullptr);
  Indexes().Return(index_);
  MutexLock lock(mutex_);
  for (const std::shared_ptr<Slot>& slot : slots_) {
    const int state = slot->state.load(std::memory_order_relaxed);
    CHECK(state != kBusy && state != kStale, "a reader still uses the slot");
  }
#ifdef VARVE_DEBUG_CHECKS
  gone_->store(true, std::memory_order_release);
#endif
}

void ReadViewHolder::Publish(std::shared_ptr<const ReadView> view) {
  std::vector<std::shared_ptr<Slot>> slots;
  {
    MutexLock lock(mutex_);
    current_.swap(view);
    slots = slots_;  // Those of threads that end meanwhile as well: they may have the old view.
    DropEnded();
  }
  for (const std::shared_ptr<Slot>& slot : slots) Steal(slot.get());
}

// The slot of a thread that has ended is empty or has the current view: Publish() empties all
// others.
void ReadViewHolder::DropEnded() const {
  const auto living =
      std::partition(slots_.begin(), slots_.end(), [](const std::shared_ptr<Slot>& slot) {
        return !slot->ended.load(
            std::memory_order_acquire);  // All that the thread counted is there.
      });
  for (auto slot = living; slot != slots_.end(); ++slot) (*slot)->counters.AddTo(&ended_);
  slots_.erase(living, slots_.end());
  slots_max_ = std::max<size_t>(2 * slots_.size(), kSlotsMaxAtFirst);
}

// Empties a cached slot; marks a busy one, so that its user empties it.
void ReadViewHolder::Steal(Slot* slot) {
  int state = slot->state.load(std::memory_order_relaxed);
  while (true) {
    if (state == kCached) {
      // Acquire: pairs with the release that cached the view.
      if (slot->state.compare_exchange_weak(state, kStealing, std::memory_order_acquire,
                                            std::memory_order_relaxed)) {
        const std::shared_ptr<const ReadView> stolen = std::move(slot->view);
        DCHECK(stolen != nullptr);
        slot->state.store(kEmpty, std::memory_order_release);
        return;
      }
    } else if (state == kBusy) {
      if (slot->state.compare_exchange_weak(state, kStale, std::memory_order_relaxed)) return;
    } else {
      return;  // Empty, or another thread is about to empty it.
    }
  }
}

ReadViewHolder::Pin ReadViewHolder::Acquire() const {
  Slot* slot = SlotOfThisThread();
  int state = kCached;
  // Acquire: pairs with the release in ReleaseSlot() or Steal() that gave the view up.
  if (slot->state.compare_exchange_strong(state, kBusy, std::memory_order_acquire,
                                          std::memory_order_acquire)) {
    DCHECK(slot->view != nullptr);
    return Pin(&slot->counters, slot);
  }
  if (state != kEmpty || !slot->state.compare_exchange_strong(
                             state, kBusy, std::memory_order_acquire, std::memory_order_relaxed)) {
    return Pin(&slot->counters, Current());
  }
  slot->view = Current();
  return Pin(&slot->counters, slot);
}

void ReadViewHolder::AddCounters(FamilyStats* sum) const {
  MutexLock lock(mutex_);
  for (const std::shared_ptr<Slot>& slot : slots_) slot->counters.AddTo(sum);
  const FamilyStats& ended = ended_;
  sum->gets += ended.gets;
  sum->gets_found += ended.gets_found;
  sum->multigets += ended.multigets;
  sum->multiget_keys += ended.multiget_keys;
  sum->multiget_keys_found += ended.multiget_keys_found;
  sum->iterators += ended.iterators;
  sum->filter_negatives += ended.filter_negatives;
  sum->filter_positives += ended.filter_positives;
  sum->filter_true_positives += ended.filter_true_positives;
  sum->get_durations.Add(ended.get_durations);
  sum->multiget_durations.Add(ended.multiget_durations);
}

void ReadViewHolder::ReleaseSlot(Slot* slot) {
  DCHECK(slot->thread == std::this_thread::get_id());
  int state = kBusy;
  // Release: the thread that takes the slot next sees the view stored here.
  if (slot->state.compare_exchange_strong(state, kCached, std::memory_order_release,
                                          std::memory_order_relaxed)) {
    return;
  }
  DCHECK(state == kStale);
  const std::shared_ptr<const ReadView> stale = std::move(slot->view);
  slot->state.store(kEmpty, std::memory_order_release);
}

std::shared_ptr<const ReadView> ReadViewHolder::Current() const {
  MutexLock lock(mutex_);
  return current_;
}

ReadViewHolder::Slot* ReadViewHolder::SlotOfThisThread() const {
  std::vector<std::shared_ptr<Slot>>& slots = OfThisThread<ThreadSlots>();
  if (index_ < slots.size() && slots[index_] != nullptr && slots[index_]->holder_id == id_) {
    return slots[index_].get();
  }
  if (index_ >= slots.size()) slots.resize(index_ + 1);
  auto slot = std::make_shared<Slot>(id_);
  // The old slot belonged to a destroyed holder.
  slots[index_] = std::shared_ptr<Slot>(
      slot.get(), [slot](Slot* own) { own->ended.store(true, std::memory_order_release); });
  MutexLock lock(mutex_);
  if (slots_.size() >= slots_max_) DropEnded();
  slots_.push_back(std::move(slot));
  return slots[index_].get();
}

}  // namespace varve
