// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/memtable_tombstones.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace varve {
namespace {

Sequence NewestCovering(const std::shared_ptr<const TombstoneLists>& lists, std::string_view key,
                        Sequence snapshot = kMaxSequence) {
  Sequence newest = 0;
  if (lists == nullptr) return newest;
  for (const auto& list : *lists) newest = std::max(newest, list->NewestCovering(key, snapshot));
  return newest;
}

size_t SizeOf(const std::shared_ptr<const TombstoneLists>& lists) {
  size_t size = 0;
  for (const auto& list : *lists) size += list->size();
  return size;
}

TEST_CASE("MemTableTombstones: none are no lists and no memory") {
  const MemTableTombstones tombstones(*BytewiseComparator());
  CHECK(tombstones.empty());
  CHECK_EQ(tombstones.Snapshot(), nullptr);
  CHECK_EQ(tombstones.MemoryUsage(), 0u);
}

TEST_CASE("MemTableTombstones: one covers its beginning, not its end, nor what is newer") {
  MemTableTombstones tombstones(*BytewiseComparator());
  tombstones.Add("b", "d", 5);
  CHECK_FALSE(tombstones.empty());
  const auto lists = tombstones.Snapshot();
  CHECK_EQ(NewestCovering(lists, "a"), 0u);
  CHECK_EQ(NewestCovering(lists, "b"), 5u);
  CHECK_EQ(NewestCovering(lists, "c\xff"), 5u);
  CHECK_EQ(NewestCovering(lists, "d"), 0u);
  CHECK_EQ(NewestCovering(lists, "b", 4), 0u);
}

TEST_CASE("MemTableTombstones: a snapshot does not change, and is the same until one is added") {
  MemTableTombstones tombstones(*BytewiseComparator());
  tombstones.Add("a", "c", 1);
  const auto first = tombstones.Snapshot();
  CHECK_EQ(tombstones.Snapshot(), first);
  tombstones.Add("b", "d", 2);
  CHECK_EQ(NewestCovering(first, "b"), 1u);
  CHECK_EQ(NewestCovering(tombstones.Snapshot(), "b"), 2u);
  CHECK_EQ(NewestCovering(tombstones.Snapshot(), "a"), 1u);
}

TEST_CASE("MemTableTombstones: an empty range is no tombstone, also in the reverse order") {
  for (const Comparator* order : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    MemTableTombstones tombstones(*order);
    tombstones.Add("k", "k", 1);
    tombstones.Add("a", "z", 2);
    tombstones.Add("z", "a", 3);
    const bool reverse = order == ReverseBytewiseComparator();
    CHECK_EQ(SizeOf(tombstones.Snapshot()), 1u);
    CHECK_EQ(NewestCovering(tombstones.Snapshot(), "k"), reverse ? 3u : 2u);
  }
}

TEST_CASE("MemTableTombstones: however writes and reads alternate, few lists say what all say") {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    const auto key = [&] { return std::string(1, static_cast<char>('a' + random() % 20)); };
    MemTableTombstones tombstones(*BytewiseComparator());
    std::vector<RangeTombstone> all;
    for (Sequence sequence = 1; sequence <= 600; ++sequence) {
      all.push_back({key(), key(), sequence});
      tombstones.Add(all.back().begin, all.back().end, sequence);
      if (random() % (1 + 10 * seed) != 0) continue;
      const auto lists = tombstones.Snapshot();
      for (size_t i = 1; i < lists->size(); ++i) {
        REQUIRE_GT((*lists)[i - 1]->size(), 2 * (*lists)[i]->size());
      }
      for (int i = 0; i < 20; ++i) {
        const std::string wanted = key();
        const Sequence snapshot = random() % (sequence + 1);
        Sequence newest = 0;
        for (const RangeTombstone& t : all) {
          if (t.sequence <= snapshot && t.begin <= wanted && wanted < t.end) newest = t.sequence;
        }
        REQUIRE_EQ(NewestCovering(lists, wanted, snapshot), newest);
      }
    }
  }
}

TEST_CASE("MemTableTombstones: memory grows with each, by at least its keys") {
  MemTableTombstones tombstones(*BytewiseComparator());
  uint64_t before = 0;
  for (Sequence i = 1; i <= 50; ++i) {
    tombstones.Add(std::string(100, 'a'), std::string(100, 'b'), i);
    CHECK_GE(tombstones.MemoryUsage(), before + 200);
    before = tombstones.MemoryUsage();
    tombstones.Snapshot();
    CHECK_EQ(tombstones.MemoryUsage(), before);  // Reading does not fill a memtable.
  }
}

TEST_CASE("MemTableTombstones: readers beside writers see each one that was published") {
  MemTableTombstones tombstones(*BytewiseComparator());
  constexpr Sequence kEach = 300;
  std::atomic<Sequence> published[2] = {};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (size_t w = 0; w < 2; ++w) {
    threads.emplace_back([&, w] {
      const std::string begin = w == 0 ? "a" : "m", end = w == 0 ? "m" : "z";
      for (Sequence i = 1; i <= kEach; ++i) {
        tombstones.Add(begin, end, 2 * i + w);
        published[w].store(2 * i + w);
      }
    });
  }
  threads.emplace_back([&] {
    for (bool done = false; !done;) {
      const Sequence seen[] = {published[0].load(), published[1].load()};
      done = seen[0] == 2 * kEach && seen[1] == 2 * kEach + 1;
      if (seen[0] + seen[1] != 0 && tombstones.empty()) ++wrong;
      const auto lists = tombstones.Snapshot();
      if (NewestCovering(lists, "b") < seen[0] || NewestCovering(lists, "n") < seen[1]) ++wrong;
    }
  });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(wrong.load(), 0);
  CHECK_EQ(SizeOf(tombstones.Snapshot()), 2 * kEach);
}

}  // namespace
}  // namespace varve
