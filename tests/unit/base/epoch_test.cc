// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/epoch.h"

#include <doctest/doctest.h>
#include <malloc.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace varve {
namespace {

TEST_CASE("Epoch: an unlinked object may be freed once all earlier readers have left") {
  uint64_t stamp = 0;
  {
    const EpochGuard outer;
    {
      const EpochGuard inner;
      stamp = EndEpoch();
    }
    CHECK(OldestEpochInUse() <= stamp);
  }
  CHECK(OldestEpochInUse() > stamp);
}

TEST_CASE("Epoch: a later reader does not delay freeing what was unlinked before") {
  const uint64_t stamp = EndEpoch();
  const EpochGuard late;
  CHECK(OldestEpochInUse() > stamp);
}

TEST_CASE("Epoch: threads that have ended cost nothing") {
  const auto guards_on_threads = [](int threads) {
    for (int i = 0; i < threads; ++i) std::thread([] { const EpochGuard guard; }).join();
  };
  guards_on_threads(100);
  const size_t before = mallinfo2().uordblks;
  guards_on_threads(2000);
  CHECK(mallinfo2().uordblks < before + 30'000);
}

// The line of a thread that ends goes to another one; what the first still does, in destructors, it
// does on a line of its own.
TEST_CASE("Epoch: a guard in the last destructor of a thread is not another thread's") {
  static std::latch ending(1), other_entered(1), entered(1), other_left(1), checked(1);
  struct GuardsAtItsEnd {
    ~GuardsAtItsEnd() {
      ending.count_down();
      other_entered.wait();
      const EpochGuard guard;
      entered.count_down();
      checked.wait();
    }
    int touched = 0;
  };
  std::thread first([] {
    thread_local GuardsAtItsEnd late;
    late.touched = 1;
    const EpochGuard guard;
  });
  uint64_t stamp = 0;
  std::thread other([&] {
    ending.wait();
    {
      const EpochGuard guard;
      stamp = EndEpoch();
      other_entered.count_down();
      entered.wait();
      CHECK(OldestEpochInUse() <= stamp);
    }
    other_left.count_down();
  });
  other_left.wait();
  CHECK(OldestEpochInUse() > stamp);
  checked.count_down();
  first.join();
  other.join();
}

// A pointer that a writer replaces, poisoning what nobody can see any more.
TEST_CASE("Epoch: readers never access a freed object") {
  struct Object {
    std::atomic<int> alive{1};
    int plain = 1;  // With tsan: freeing comes after all uses in the order of memory, too.
  };
  constexpr size_t kFreed = 5'000;
  std::vector<std::unique_ptr<Object>> objects;
  objects.push_back(std::make_unique<Object>());
  std::atomic<Object*> shared{objects[0].get()};
  std::atomic<bool> stop{false};
  std::atomic<int> dead{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      while (!stop.load(std::memory_order_relaxed)) {
        {
          const EpochGuard guard;
          const Object* const object = shared.load();
          for (int i = 0; i < 20; ++i) {
            if (object->alive.load(std::memory_order_relaxed) == 0) dead.fetch_add(1);
            if (object->plain == 0) dead.fetch_add(1);
          }
        }
        for (int i = 0; i < 8; ++i) std::this_thread::yield();  // Scans find it idle, too.
      }
    });
  }
  std::vector<std::pair<uint64_t, Object*>> retired;
  for (size_t freed = 0, i = 0; freed < kFreed; ++i) {
    objects.push_back(std::make_unique<Object>());
    Object* const old = shared.exchange(objects.back().get());
    retired.emplace_back(EndEpoch(), old);
    if (i % 16 != 0) continue;
    std::this_thread::yield();  // A reader may have been stopped within its guard.
    const uint64_t oldest = OldestEpochInUse();
    std::erase_if(retired, [&](const auto& r) {
      if (r.first >= oldest) return false;
      r.second->alive.store(0, std::memory_order_relaxed);
      r.second->plain = 0;
      ++freed;
      return true;
    });
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(dead == 0);
}

// The calling thread runs on that processor from now on.
void StayOn(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  ::sched_setaffinity(0, sizeof(set), &set);
}

// Stores reach other processors in order: the reader's announcement behind those to lines that the
// other thread has just written. Unless the loads behind it wait for it, the reader gets the old
// object, and the scan does not see the reader.
TEST_CASE("Epoch: a guard is announced before what it guards is read") {
  struct alignas(64) Line {
    std::atomic<int> written{0};
  };
  constexpr int kRounds = 200'000, kOver = INT_MAX;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  // A processor for each thread, where there are two.
  cpu_set_t allowed;
  REQUIRE_EQ(::sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  int first = 0;
  while (!CPU_ISSET(first, &allowed)) ++first;
  int second = first + 1;
  while (second < CPU_SETSIZE && !CPU_ISSET(second, &allowed)) ++second;
  if (second == CPU_SETSIZE) second = first;
  std::array<Line, 16> lines;
  std::atomic<int> begun{0}, read{0}, shared{0}, scanned{0}, found{0};
  const auto await = [&](const auto& done) {
    while (!done()) {
      if (first == second) std::this_thread::yield();
    }
  };
  std::thread reader([&] {
    StayOn(second);
    for (int round = 1;; ++round) {
      await([&] { return begun.load() >= round; });
      if (begun.load() == kOver) return;
      for (Line& line : lines) line.written.store(-round, std::memory_order_relaxed);
      const EpochGuard guard;
      found.store(shared.load(), std::memory_order_relaxed);
      read.store(round);
      await([&] { return scanned.load() >= round; });
    }
  });
  StayOn(first);
  int freed_too_early = 0;
  for (int round = 1;
       round <= kRounds && freed_too_early == 0 && std::chrono::steady_clock::now() < deadline;
       ++round) {
    for (Line& line : lines) line.written.store(round, std::memory_order_relaxed);
    begun.store(round);
    for (int i = round % 256; i > 0; --i) shared.load();
    shared.store(round);
    const uint64_t stamp = EndEpoch();
    const bool may_free = stamp < OldestEpochInUse();
    await([&] { return read.load() >= round; });
    if (may_free && found.load(std::memory_order_relaxed) < round) ++freed_too_early;
    scanned.store(round);
  }
  begun.store(kOver);
  reader.join();
  ::sched_setaffinity(0, sizeof(allowed), &allowed);
  CHECK_EQ(freed_too_early, 0);
}

}  // namespace
}  // namespace varve
