// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/hash_index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <latch>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace varve {
namespace {

class Filled {
 public:
  Filled() : index(&arena) {}

  const MemTableEntry* Add(const std::string& key, Sequence sequence) {
    const MemTableEntry* const entry =
        MemTableEntry::Make({key, sequence, ValueType::kValue}, "v", &arena);
    index.Insert(MemTableHashIndex::HashOf(key), entry);
    return entry;
  }
  MemTableHashIndex::Answer Find(const std::string& key) const {
    return index.Find(MemTableHashIndex::HashOf(key), key);
  }

  NodeArena arena;
  MemTableHashIndex index;
};

std::string KeyOf(uint64_t n) { return "key" + std::to_string(n * 7919); }

// As many keys as asked for that fall into one bucket, of however many buckets.
std::vector<std::string> CollidingKeys(size_t count) {
  constexpr uint64_t kBits = (1 << 12) - 1;
  std::vector<std::string> keys;
  for (uint64_t n = 0; keys.size() < count; ++n) {
    if ((MemTableHashIndex::HashOf(KeyOf(n)) & kBits) == 77) keys.push_back(KeyOf(n));
  }
  return keys;
}

TEST_CASE("MemTableHashIndex: knows the newest entry of every key, from few keys to many") {
  Filled t;
  std::vector<const MemTableEntry*> newest;
  for (uint64_t n = 0; n < 100'000; ++n) {
    newest.push_back(t.Add(KeyOf(n), n + 1));
    if (n < 300 || n % 997 == 0) {  // Also while buckets are being split.
      for (uint64_t i = n < 300 ? 0 : n - 50; i <= n; ++i) {
        REQUIRE_EQ(t.Find(KeyOf(i)).newest, newest[i]);
      }
      const MemTableHashIndex::Answer absent = t.Find(KeyOf(n + 1));
      REQUIRE_EQ(absent.newest, nullptr);
      REQUIRE(absent.known);
    }
  }
  for (uint64_t n = 0; n < newest.size(); n += 3) newest[n] = t.Add(KeyOf(n), 200'000 + n);
  for (uint64_t n = 0; n < newest.size(); ++n) REQUIRE_EQ(t.Find(KeyOf(n)).newest, newest[n]);
}

TEST_CASE(
    "MemTableHashIndex: an older entry that comes later does not take the place of a newer one") {
  Filled t;
  const MemTableEntry* const newer = t.Add("key", 9);
  t.Add("key", 5);
  CHECK_EQ(t.Find("key").newest, newer);
  const MemTableEntry* const newest = t.Add("key", 10);
  CHECK_EQ(t.Find("key").newest, newest);
}

TEST_CASE(
    "MemTableHashIndex: keys that differ only at the end, and the empty key, are distinguished") {
  Filled t;
  std::vector<std::string> keys = {"", std::string(1, '\0'), std::string(2, '\0'), "a", "aa"};
  std::vector<const MemTableEntry*> entries;
  for (size_t i = 0; i < keys.size(); ++i) entries.push_back(t.Add(keys[i], i + 1));
  for (size_t i = 0; i < keys.size(); ++i) CHECK_EQ(t.Find(keys[i]).newest, entries[i]);
  CHECK_EQ(t.Find("aaa").newest, nullptr);
}

TEST_CASE(
    "MemTableHashIndex: colliding keys beyond a bucket's measure are unknown, not absent or old") {
  Filled t;
  const std::vector<std::string> keys = CollidingKeys(60);
  std::vector<const MemTableEntry*> newest;
  for (size_t i = 0; i < keys.size(); ++i) newest.push_back(t.Add(keys[i], i + 1));
  for (size_t i = 0; i < keys.size(); ++i) newest[i] = t.Add(keys[i], 1000 + i);
  // Splits make room where nothing must come in again: an older version of a key left out would be
  // taken for its newest.
  for (uint64_t n = 0; n < 20'000; ++n) t.Add("other" + std::to_string(n), 5000 + n);
  for (size_t i = 0; i < keys.size(); ++i) t.Add(keys[i], 500 + i);
  size_t unknown = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    const MemTableHashIndex::Answer answer = t.Find(keys[i]);
    if (answer.newest != nullptr) {
      CHECK_EQ(answer.newest, newest[i]);
    } else {
      CHECK_FALSE(answer.known);
      ++unknown;
    }
  }
  CHECK_GT(unknown, 0);
  CHECK_LT(unknown, keys.size());
}

// Small tables, many of them: where there are few buckets, a reader often looks into the one that
// is being split.
TEST_CASE("MemTableHashIndex: readers miss nothing that was added while buckets are split") {
  constexpr uint64_t kTables = 40, kEach = 3000;
  std::atomic<uint64_t> faults{0};
  for (uint64_t table = 0; table < kTables; ++table) {
    Filled t;
    std::latch start(4);
    std::array<std::atomic<uint64_t>, 2> added{};
    const auto key_of = [](uint64_t writer, uint64_t i) {
      return std::to_string(i) + "/" + std::to_string(writer);
    };
    std::vector<std::thread> threads;
    for (uint64_t w = 0; w < added.size(); ++w) {
      threads.emplace_back([&, w] {
        start.arrive_and_wait();
        for (uint64_t i = 0; i < kEach; ++i) {
          t.Add(key_of(w, i), 1 + i);
          t.Add("shared", 1 + i * added.size() + w);
          added[w].store(i + 1, std::memory_order_release);
        }
      });
    }
    for (uint64_t r = 0; r < 2; ++r) {
      threads.emplace_back([&, r] {
        std::mt19937_64 random(r);
        start.arrive_and_wait();
        for (uint64_t least = 0; least < kEach;) {
          least = kEach;
          for (uint64_t w = 0; w < added.size(); ++w) {
            const uint64_t count = added[w].load(std::memory_order_acquire);
            least = std::min(least, count);
            if (count == 0) continue;
            const std::string key = key_of(w, random() % count);
            const MemTableHashIndex::Answer answer = t.Find(key);
            if (answer.known && (answer.newest == nullptr || answer.newest->user_key() != key)) {
              ++faults;
            }
            const MemTableHashIndex::Answer shared = t.Find("shared");
            if (shared.newest == nullptr ||
                shared.newest->sequence() < 1 + (count - 1) * added.size() + w) {
              ++faults;
            }
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  CHECK_EQ(faults.load(), 0);
}

}  // namespace
}  // namespace varve
