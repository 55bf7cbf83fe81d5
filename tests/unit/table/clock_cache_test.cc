// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/clock_cache.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "core/base/threads/epoch.h"
#include "core/table/block/block.h"

namespace varve {
namespace {

std::shared_ptr<const Block> MakeBlock(uint64_t size, char fill = 'x') {
  std::shared_ptr<Block> block = Block::Make({.bytes = size});
  std::memset(block->writable(), fill, size);
  return block;
}

TEST_CASE("ClockCache: finds what was inserted, under its own table and offset only") {
  ClockCache cache(1 << 20);
  const auto block = cache.Insert({1, 0}, MakeBlock(100));
  CHECK(cache.Find({1, 0}) == block);
  CHECK(cache.Find({2, 0}) == nullptr);
  CHECK(cache.Find({1, 1}) == nullptr);
  CHECK(cache.hits() == 1);
  CHECK(cache.misses() == 2);
}

TEST_CASE("ClockCache: keys with the same bits in a slot are distinguished") {
  constexpr uint64_t kBlocks = 8, kAbsent = 1'000'000;  // A few of them agree in slot and tag.
  ClockCache cache(1 << 18);
  for (uint64_t i = 0; i < kBlocks; ++i) cache.Insert({1, i}, MakeBlock(100));
  uint64_t found = 0;
  for (uint64_t i = 0; i < kAbsent; ++i) found += cache.Find({2, i}) != nullptr;
  CHECK_EQ(found, 0);
}

TEST_CASE("ClockCache: of two blocks for one key the first stays") {
  ClockCache cache(1 << 20);
  const auto first = cache.Insert({1, 0}, MakeBlock(100));
  CHECK(cache.Insert({1, 0}, MakeBlock(100)) == first);
}

TEST_CASE("ClockCache: stays within its capacity, and evicts unused blocks") {
  for (const uint64_t capacity : {uint64_t{100} << 10, uint64_t{4} << 20}) {
    ClockCache cache(capacity);
    cache.Insert({9, 9}, MakeBlock(1000));
    int lost = 0;
    for (uint64_t i = 0; i < 20'000; ++i) {
      cache.Insert({1, i}, MakeBlock(1000));
      if (cache.Find({9, 9}) == nullptr) {
        ++lost;
        cache.Insert({9, 9}, MakeBlock(1000));
      }
      REQUIRE(cache.usage() <= capacity);
    }
    CHECK(cache.usage() > capacity * 8 / 10);
    CHECK(lost <= 1);
  }
}

TEST_CASE("ClockCache: counts the bytes that readers hold") {
  ClockCache cache(1 << 20);
  CHECK_EQ(cache.PinnedBytes(), 0);
  auto first = cache.Insert({1, 0}, MakeBlock(1000));
  auto again = first;
  cache.Insert({1, 1}, MakeBlock(2000));
  CHECK_GT(cache.PinnedBytes(), 1000);
  CHECK_LT(cache.PinnedBytes(), 2000);
  const auto second = cache.Find({1, 1});
  CHECK_EQ(cache.PinnedBytes(), cache.usage());
  first.reset();
  again.reset();
  CHECK_GT(cache.PinnedBytes(), 2000);
  CHECK_LT(cache.PinnedBytes(), cache.usage());
}

TEST_CASE("ClockCache: a block larger than its share, or a cache of nothing, keeps nothing") {
  ClockCache cache(1000);
  CHECK(cache.Insert({1, 0}, MakeBlock(5000)) != nullptr);
  CHECK(cache.Find({1, 0}) == nullptr);
  ClockCache none(0);
  none.Insert({1, 0}, MakeBlock(1));
  CHECK(none.Find({1, 0}) == nullptr);
  CHECK(none.usage() == 0);
}

TEST_CASE("ClockCache: finds many at once, and says which are missing") {
  ClockCache cache(64 << 20);
  for (uint64_t i = 0; i < 500; i += 2) {
    cache.Insert({1, i}, MakeBlock(10, static_cast<char>(i)));
  }
  std::vector<ClockCache::Wanted> wanted;
  for (uint64_t i = 0; i < 500; ++i) wanted.push_back({{1, i}});
  cache.FindMany(wanted);
  for (uint64_t i = 0; i < 500; ++i) {
    REQUIRE((wanted[i].block != nullptr) == (i % 2 == 0));
    if (i % 2 == 0) REQUIRE(wanted[i].block->bytes()[0] == static_cast<char>(i));
  }
  CHECK(cache.hits() == 250);
  CHECK(cache.misses() == 250);
}

TEST_CASE("ClockCache: a stream of blocks that are used once does not push protected ones out") {
  ClockCache cache(400 << 10);
  for (uint64_t i = 0; i < 50; ++i) cache.Insert({1, i}, MakeBlock(1000), BlockRank::kProtected);
  for (uint64_t i = 0; i < 700; ++i) cache.Insert({2, i}, MakeBlock(1000));
  int left = 0;
  for (uint64_t i = 0; i < 50; ++i) left += cache.Find({1, i}) != nullptr ? 1 : 0;
  CHECK(left == 50);
}

TEST_CASE("ClockCache: what a reader holds outlives eviction and the cache") {
  auto cache = std::make_unique<ClockCache>(100 << 10);
  cache->Insert({1, 1}, MakeBlock(1000, 'h'));
  const auto held = cache->Find({1, 1});
  for (uint64_t i = 0; i < 1000; ++i) cache->Insert({2, i}, MakeBlock(1000));
  CHECK(cache->Find({1, 1}) == nullptr);
  CHECK(held->bytes() == std::string(1000, 'h'));
  cache.reset();
  CHECK(held->bytes() == std::string(1000, 'h'));
}

TEST_CASE("ClockCache: what is evicted is freed once no guard is left, and not before") {
  constexpr uint64_t kBlocks = 60, kOthers = 2'000;
  ClockCache cache(100 << 10);
  std::vector<std::weak_ptr<const Block>> blocks;
  for (uint64_t i = 0; i < kBlocks; ++i) {
    blocks.push_back(cache.Insert({1, i}, MakeBlock(1000, static_cast<char>(i))));
  }
  const auto left = [&] {
    return std::ranges::count_if(blocks, [](const auto& block) { return !block.expired(); });
  };
  {
    const EpochGuard guard;
    std::vector<const Block*> peeked;
    for (uint64_t i = 0; i < kBlocks; ++i) peeked.push_back(cache.Peek({1, i}));
    for (uint64_t i = 0; i < kOthers; ++i) cache.Insert({2, i}, MakeBlock(1000));
    for (uint64_t i = 0; i < kBlocks; ++i) CHECK_EQ(cache.Peek({1, i}), nullptr);
    REQUIRE_EQ(left(), kBlocks);
    for (uint64_t i = 0; i < kBlocks; ++i) {
      if (peeked[i] == nullptr) continue;  // It may miss.
      CHECK_EQ(peeked[i]->bytes(), std::string(1000, static_cast<char>(i)));
    }
  }
  for (uint64_t i = 0; i < kOthers; ++i) cache.Insert({3, i}, MakeBlock(1000));
  CHECK_EQ(left(), 0);
}

TEST_CASE("ClockCache: evictions keep everything else findable") {
  constexpr uint64_t kBlocks = 20'000;
  ClockCache cache(1 << 20);
  cache.Insert({1, 0}, MakeBlock(10));
  const uint64_t charge = cache.usage();
  for (uint64_t i = 1; i < kBlocks; ++i) cache.Insert({1, i * 4096}, MakeBlock(10));
  uint64_t found = 0;
  for (uint64_t i = 0; i < kBlocks; ++i) found += cache.Contains({1, i * 4096}) ? 1 : 0;
  CHECK_LT(found, kBlocks);
  CHECK_EQ(found * charge, cache.usage());  // What is charged for is found.
}

TEST_CASE("ClockCache: threads that insert, find and evict see only whole blocks") {
  ClockCache cache(200 << 10);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cache, &wrong, t] {
      for (uint64_t i = 0; i < 20'000; ++i) {
        const uint64_t id = (i * 7 + static_cast<uint64_t>(t)) % 500;
        const char fill = static_cast<char>(id);
        std::shared_ptr<const Block> block = cache.Find({1, id});
        if (block == nullptr) block = cache.Insert({1, id}, MakeBlock(1000, fill));
        if (block->bytes().front() != fill || block->bytes().back() != fill) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace varve
