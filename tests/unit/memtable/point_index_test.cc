// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/point_index.h"

#include <doctest/doctest.h>

#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "core/base/keys/key_order.h"
#include "core/memtable/btree.h"

namespace varve {
namespace {

using Tree = BTree<BytewiseOrder>;
using Points = PointIndex<Tree>;

struct Filled {
  const MemTableEntry* Add(const std::string& key, Sequence sequence, Tree::Hint* hint) {
    points.BeginAdd(key);
    const MemTableEntry* const entry =
        MemTableEntry::Make({key, sequence, ValueType::kValue}, "v", &arena);
    tree.Insert(entry, hint);
    points.EndAdd(entry);
    return entry;
  }
  const MemTableEntry* Add(const std::string& key, Sequence sequence) {
    return Add(key, sequence, &own_hint);
  }

  NodeArena arena;
  Tree tree{BytewiseOrder{}, &arena};
  Points points{&tree, &arena};
  Tree::Hint own_hint;
};

std::string KeyOf(uint64_t n) { return "key" + std::to_string(n * 7919 % 1'000'003); }

// How many lookups, one at a time, until there is an index; `most` if there is none by then.
uint64_t LookupsUntilComplete(Points* points, uint64_t most) {
  for (uint64_t lookups = 1; lookups < most; ++lookups) {
    if (points->ForLookups(1) != nullptr) return lookups;
  }
  return most;
}

TEST_CASE("PointIndex: is made once lookups have lost what it costs, and then holds everything") {
  for (const uint64_t entries : {0, 1, 100, 5000, 40'000}) {
    CAPTURE(entries);
    Filled t;
    std::vector<const MemTableEntry*> newest;
    for (uint64_t n = 0; n < entries; ++n) newest.push_back(t.Add(KeyOf(n), n + 1));
    const uint64_t wanted = std::max(Points::kLookupsMin, entries / Points::kEntriesPerLookup);
    const uint64_t filled = (entries + Points::kEntriesPerLookup) / Points::kEntriesPerLookup;
    const uint64_t lookups = LookupsUntilComplete(&t.points, 100'000);
    CHECK_GE(lookups, wanted);
    CHECK_LE(lookups, wanted + filled + 1);
    const MemTableHashIndex* const index = t.points.ForLookups(1);
    REQUIRE_NE(index, nullptr);
    for (uint64_t n = 0; n < entries; n += 2) newest[n] = t.Add(KeyOf(n), entries + n + 1);
    for (uint64_t n = 0; n < entries; ++n) {
      REQUIRE_EQ(index->Find(MemTableHashIndex::HashOf(KeyOf(n)), KeyOf(n)).newest, newest[n]);
    }
    CHECK_EQ(index->Find(MemTableHashIndex::HashOf("no key"), "no key").newest, nullptr);
  }
}

TEST_CASE("PointIndex: who hardly reads gets none") {
  Filled t;
  for (uint64_t n = 0; n < 50'000; ++n) {
    t.Add(KeyOf(n), n + 1);
    if (n % 20 == 0) REQUIRE_EQ(t.points.ForLookups(1), nullptr);
  }
}

TEST_CASE("PointIndex: is not begun while an entry is on its way into the tree") {
  Filled t;
  t.Add("a", 1);
  t.points.BeginAdd("b");
  CHECK_EQ(LookupsUntilComplete(&t.points, 1000), 1000);
  const MemTableEntry* const late = MemTableEntry::Make({"b", 2, ValueType::kValue}, "v", &t.arena);
  t.tree.Insert(late, &t.own_hint);
  t.points.EndAdd(late);
  const MemTableHashIndex* const index = t.points.ForLookups(1);
  REQUIRE_NE(index, nullptr);
  CHECK_EQ(index->Find(MemTableHashIndex::HashOf("b"), "b").newest, late);
}

// Each writer adds its keys, newer versions of the shared one among them, while readers make the
// index: once it is complete, it knows whatever was acknowledged before.
TEST_CASE("PointIndex: misses nothing that writers add while it is made") {
  constexpr uint64_t kTables = 60, kEach = 2000, kWriters = 2, kReaders = 2;
  std::atomic<uint64_t> faults{0}, completed{0};
  for (uint64_t table = 0; table < kTables; ++table) {
    Filled t;
    std::latch start(kWriters + kReaders);
    std::atomic<uint64_t> added[kWriters] = {};
    const auto key_of = [](uint64_t writer, uint64_t n) {
      return std::to_string(n * 7919 % kEach) + "/" + std::to_string(writer);
    };
    std::vector<std::thread> threads;
    for (uint64_t w = 0; w < kWriters; ++w) {
      threads.emplace_back([&, w] {
        Tree::Hint hint;
        start.arrive_and_wait();
        for (uint64_t n = 0; n < kEach; ++n) {
          t.Add(key_of(w, n), 1 + n * kWriters + w, &hint);
          added[w].store(n + 1, std::memory_order_release);
        }
      });
    }
    for (uint64_t r = 0; r < kReaders; ++r) {
      threads.emplace_back([&, r] {
        start.arrive_and_wait();
        for (uint64_t i = 0; added[r].load(std::memory_order_acquire) < kEach; ++i) {
          const uint64_t there = added[r].load(std::memory_order_acquire);
          const MemTableHashIndex* const index = t.points.ForLookups(1);
          if (index == nullptr || there == 0) continue;
          completed.fetch_add(1, std::memory_order_relaxed);
          const std::string key = key_of(r, i * 31 % there);
          const MemTableHashIndex::Answer answer = index->Find(MemTableHashIndex::HashOf(key), key);
          if (answer.newest == nullptr && answer.known) faults.fetch_add(1);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  CHECK_EQ(faults.load(), 0);
  CHECK_GT(completed.load(), 0);
}

}  // namespace
}  // namespace varve
