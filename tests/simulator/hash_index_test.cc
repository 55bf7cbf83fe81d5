// SPDX-License-Identifier: Apache-2.0
// The hash index of a memtable alone, in orders of threads that are drawn. Without TSan, which
// makes each access to an atomic a point where threads change, there are few.
#include "core/memtable/hash_index.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/simulator/scheduler.h"

namespace varve::simulator {
namespace {

constexpr uint64_t kEach = 120;  // Keys of a writer. Buckets are split from the 64th on.
constexpr int kLookups = 400;

std::string KeyOf(uint64_t writer, uint64_t i) {
  return std::to_string(i) + "/" + std::to_string(writer);
}

class Table {
 public:
  void Write(uint64_t writer) {
    for (uint64_t i = 0; i < kEach; ++i) {
      const std::string key = KeyOf(writer, i);
      index_.Insert(MemTableHashIndex::HashOf(key),
                    MemTableEntry::Make({key, 1 + i, ValueType::kValue}, "v", &arena_));
      added_[writer].store(i + 1);
    }
  }
  void Read(uint64_t seed) {
    std::mt19937_64 random(seed);
    for (int left = kLookups; left > 0; --left) {
      const uint64_t writer = random() % added_.size();
      const uint64_t count = added_[writer].load();
      if (count == 0) continue;
      const std::string key = KeyOf(writer, random() % count);
      const MemTableHashIndex::Answer answer = index_.Find(MemTableHashIndex::HashOf(key), key);
      if (!answer.known) continue;
      if (answer.newest == nullptr || answer.newest->user_key() != key) ++missed_;
    }
  }
  int missed() const { return missed_; }

 private:
  NodeArena arena_;
  MemTableHashIndex index_{&arena_};
  std::array<std::atomic<uint64_t>, 2> added_{};
  std::atomic<int> missed_{0};
};

TEST_CASE("MemTableHashIndex: an added key is found or unknown in every order of threads") {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Table table;
    Scheduler(seed).Run([&] {
      std::vector<std::thread> threads;
      for (uint64_t i = 0; i < 2; ++i) {
        threads.emplace_back([&table, i] { table.Write(i); });
        threads.emplace_back([&table, seed, i] { table.Read(2 * seed + i); });
      }
      for (std::thread& thread : threads) thread.join();
    });
    CHECK_EQ(table.missed(), 0);
  }
}

}  // namespace
}  // namespace varve::simulator
