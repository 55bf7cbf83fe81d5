// SPDX-License-Identifier: Apache-2.0
#include "core/table/block_cache.h"

#include <doctest/doctest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "core/table/block.h"

namespace varve {
namespace {

std::shared_ptr<const Block> MakeBlock(uint64_t size, char fill = 'x') {
  auto bytes = std::make_unique<char[]>(size);
  std::memset(bytes.get(), fill, size);
  return std::make_shared<const Block>(std::move(bytes), size);
}

TEST_CASE("BlockCache: finds what was inserted, under its own table and offset only") {
  BlockCache cache(1 << 20);
  const auto block = cache.Insert({1, 0}, MakeBlock(100));
  CHECK(cache.Find({1, 0}) == block);
  CHECK(cache.Find({2, 0}) == nullptr);
  CHECK(cache.Find({1, 1}) == nullptr);
  CHECK(cache.hits() == 1);
  CHECK(cache.misses() == 2);
}

TEST_CASE("BlockCache: of two blocks for one key the first stays") {
  BlockCache cache(1 << 20);
  const auto first = cache.Insert({1, 0}, MakeBlock(100));
  CHECK(cache.Insert({1, 0}, MakeBlock(100)) == first);
}

TEST_CASE("BlockCache: stays within its capacity, and evicts what nobody asked for") {
  for (const uint64_t capacity : {uint64_t{100} << 10, uint64_t{4} << 20}) {
    BlockCache cache(capacity);
    const auto hot = cache.Insert({9, 9}, MakeBlock(1000));
    int lost = 0;
    for (uint64_t i = 0; i < 20'000; ++i) {
      cache.Insert({1, i}, MakeBlock(1000));
      if (cache.Find({9, 9}) == nullptr) {
        ++lost;
        cache.Insert({9, 9}, hot);
      }
      REQUIRE(cache.usage() <= capacity);
    }
    CHECK(cache.usage() > capacity * 8 / 10);
    CHECK(lost <= 1);
  }
}

TEST_CASE("BlockCache: a block larger than its share, or a cache of nothing, keeps nothing") {
  BlockCache cache(1000);
  CHECK(cache.Insert({1, 0}, MakeBlock(5000)) != nullptr);
  CHECK(cache.Find({1, 0}) == nullptr);
  BlockCache none(0);
  none.Insert({1, 0}, MakeBlock(1));
  CHECK(none.Find({1, 0}) == nullptr);
  CHECK(none.usage() == 0);
}

TEST_CASE("BlockCache: erasing keeps everything else findable") {
  BlockCache cache(64 << 20);
  for (uint64_t i = 0; i < 5000; ++i) cache.Insert({1, i * 4096}, MakeBlock(10));
  for (uint64_t i = 0; i < 5000; i += 3) cache.Erase({1, i * 4096});
  for (uint64_t i = 0; i < 5000; ++i) {
    REQUIRE((cache.Find({1, i * 4096}) == nullptr) == (i % 3 == 0));
  }
}

TEST_CASE("BlockCache: threads that insert, find and evict see only whole blocks") {
  BlockCache cache(200 << 10);
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
        if (i % 50 == 0) cache.Erase({1, id});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace varve
