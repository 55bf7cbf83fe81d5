// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/epoch.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "core/base/check.h"
#include "core/base/threads/of_this_thread.h"

namespace varve {
namespace {

constexpr uint64_t kIdle = 0;

// One per thread, in a list that only grows: when a thread ends, another one may reuse its entry.
struct alignas(64) Announcement {
  std::atomic<uint64_t> epoch{kIdle};
  std::atomic<bool> taken{true};
  uint32_t depth = 0;  // Of nested guards; accessed by its thread only.
  Announcement* next = nullptr;
};

std::atomic<uint64_t> present_epoch{kIdle + 1};
std::atomic<Announcement*> announcements{nullptr};

Announcement* TakeAnnouncement() {
  for (Announcement* a = announcements.load(std::memory_order_acquire); a != nullptr; a = a->next) {
    bool free = false;
    // Acquire: pairs with the release of the thread that used it before.
    if (a->taken.compare_exchange_strong(free, true, std::memory_order_acquire)) return a;
  }
  Announcement* const made = std::make_unique<Announcement>().release();
  made->next = announcements.load(std::memory_order_relaxed);
  // Sequentially consistent, as the load in the scan: the scan must not miss an entry in use.
  while (!announcements.compare_exchange_weak(made->next, made)) {
  }
  return made;
}

thread_local Announcement* mine = nullptr;

Announcement* TakeForThisThread() {
  CHECK(mine == nullptr);
  mine = TakeAnnouncement();
  CHECK_OP(mine->depth, ==, 0, "the thread that had it left no guard");
  AtThreadEnd(
      [](void* taken) {
        DCHECK_OP(static_cast<Announcement*>(taken)->depth, ==, 0);
        mine = nullptr;
        static_cast<Announcement*>(taken)->taken.store(false, std::memory_order_release);
      },
      mine);
  return mine;
}

Announcement* Mine() { return mine != nullptr ? mine : TakeForThisThread(); }

}  // namespace

EpochGuard::EpochGuard() {
  Announcement* const reader = Mine();
  // Acquire: pairs with EndEpoch(); a reader with this number sees everything unlinked before it.
  if (reader->depth++ == 0) reader->epoch.store(present_epoch.load(std::memory_order_acquire));
}

EpochGuard::~EpochGuard() {
  Announcement* const reader = Mine();
  DCHECK(reader->depth > 0);
  // Release: pairs with the scan; this thread's uses of objects happen before it.
  if (--reader->depth == 0) reader->epoch.store(kIdle, std::memory_order_release);
}

bool IsWithinEpoch() { return Mine()->depth > 0; }

uint64_t EndEpoch() { return present_epoch.fetch_add(1); }

uint64_t OldestEpochInUse() {
  uint64_t oldest = present_epoch.load();
  for (const Announcement* a = announcements.load(); a != nullptr; a = a->next) {
    const uint64_t epoch = a->epoch.load();
    if (epoch != kIdle) oldest = std::min(oldest, epoch);
  }
  return oldest;
}

}  // namespace varve
