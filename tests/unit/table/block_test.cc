// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "block_maker.h"

namespace varve {
namespace {

TEST_CASE("Block: the room for heads begins on a cache line, and is in front of the bytes") {
  for (const uint64_t size : {0u, 1u, 63u, 64u, 5000u}) {
    for (const uint32_t room : {0u, 1u, 200u}) {
      const auto block = Block::Make({size, room});
      CHECK_EQ(reinterpret_cast<uintptr_t>(block->bytes().data() - room) % 64, 0u);
      CHECK(block->owns_bytes());
      CHECK_EQ(block->bytes().size(), size);
      CHECK_EQ(block->writable(), block->bytes().data());
      CHECK_GE(block->memory_bytes(), sizeof(Block) + size + room);
      std::fill_n(block->writable() - room, room + size, 'x');  // All of it is the block's.
    }
  }
}

TEST_CASE("Block: truncated, it has its first bytes") {
  const auto block = Block::Make({10, 0});
  std::copy_n("0123456789", 10, block->writable());
  block->Truncate(10);
  CHECK_EQ(block->bytes(), "0123456789");
  block->Truncate(3);
  CHECK_EQ(block->bytes(), "012");
  block->Truncate(0);
  CHECK_EQ(block->bytes(), "");
}

TEST_CASE("Block: over the bytes of others it owns nothing, and reads as any block") {
  const std::string bytes = PutsOf({"a", "b"}, 16);
  const auto block = Block::Over(bytes);
  CHECK_FALSE(block->owns_bytes());
  CHECK_EQ(block->writable(), nullptr);
  CHECK_EQ(block->bytes().data(), bytes.data());
  REQUIRE(block->ParseOutline().ok());
  CHECK_EQ(block->view().num_restarts, 1u);
  CHECK(block->hints().empty());
}

TEST_CASE("Block: bytes that are no block have no outline") {
  for (const std::string& bytes : {std::string(), std::string("abc"), std::string(8, '\xff')}) {
    const auto block = Block::Make({bytes.size(), 0});
    std::copy(bytes.begin(), bytes.end(), block->writable());
    CHECK_FALSE(block->ParseOutline().ok());
    CHECK(block->view().empty());
  }
}

TEST_CASE("Block: restart offsets are the stored ones, with complete hints and without") {
  for (const int count : {1, 5, 7, 8, 300}) {
    const auto block = BlockOf(PutsOf(NumberedKeys(count), 1));
    CHECK_EQ(block->hints().complete(), count <= 7);
    REQUIRE_EQ(block->view().num_restarts, static_cast<uint32_t>(count));
    for (uint32_t i = 0; i < block->view().num_restarts; ++i) {
      CHECK_EQ(block->restart_offset(i), block->view().restart_offset(i));
      block->PrefetchInterval(i);  // ASan: computes no address outside.
    }
  }
}

// A filter's probe lies where other blocks have their hints.
TEST_CASE("Block: a filter has a probe and no hints, whatever its bytes are") {
  for (const std::string& bytes : {std::string(), std::string("x"), std::string(69, '\xff')}) {
    const auto block = Block::Make({bytes.size(), 0});
    std::copy(bytes.begin(), bytes.end(), block->writable());
    CHECK_EQ(block->filter(), nullptr);
    block->ParseFilter();
    CHECK_EQ(block->kind(), BlockKind::kFilter);
    REQUIRE(block->filter() != nullptr);
    CHECK_EQ(block->filter()->kind(), FilterProbe::Parse(bytes).kind());
    CHECK(block->hints().empty());
    CHECK_EQ(block->heads(), nullptr);
  }
}

uint32_t RoomNeeded(const Block& block) {
  return static_cast<uint32_t>(BlockHeadsPlan(block.view()).bytes());
}

TEST_CASE("Block: the second lookup makes heads, if there is room") {
  const std::string bytes = PutsOf(NumberedKeys(50), 16);
  const uint32_t needed = RoomNeeded(*BlockOf(bytes));
  for (const uint32_t room : {0u, needed - 1, needed, needed + 64}) {
    CAPTURE(room);
    const auto block = BlockOf(bytes, BlockKind::kData, room);
    CHECK_EQ(block->heads(), nullptr);
    block->NoteLookup();
    CHECK_EQ(block->heads(), nullptr);
    block->NoteLookup();
    CHECK_EQ(block->heads() != nullptr, room >= needed);
    for (int i = 0; i < 3; ++i) block->NoteLookup();  // Refused once, refused for good.
    CHECK_EQ(block->heads() != nullptr, room >= needed);
    if (block->heads() != nullptr) CHECK_EQ(block->heads()->count(), 50u);
    CHECK_EQ(block->bytes(), bytes);  // The heads are beside them.
    block->PrefetchEntries("key100020");
    block->PrefetchEntries("z");
  }
}

// Two bytes of a key are not enough to see it in the second case, in which only the hints do.
TEST_CASE("Block: restart keys that do not ascend get no heads") {
  for (const std::vector<std::string>& keys :
       {std::vector<std::string>{"a", "c", "b", "d"}, {"aaz1", "aaz3", "aaz2", "ab"}}) {
    const auto block = BlockOf(PutsOf(keys, 1), BlockKind::kData, 4096);
    CHECK(block->hints().disordered());
    for (int i = 0; i < 4; ++i) block->NoteLookup();
    CHECK_EQ(block->heads(), nullptr);
  }
}

TEST_CASE("Block: threads that look up at once see no heads or whole ones") {
  const std::string bytes = PutsOf(NumberedKeys(100), 16);
  for (int round = 0; round < 30; ++round) {
    const std::shared_ptr<const Block> block = BlockOf(bytes, BlockKind::kData, 4096);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          block->NoteLookup();
          const BlockHeads* const heads = block->heads();
          if (heads == nullptr) continue;
          const BlockHeads::Range range = heads->Search("key100042");
          if (heads->count() != 100 || range.begin > 42 || range.end <= 42) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK_EQ(wrong.load(), 0);
    CHECK(block->heads() != nullptr);
  }
}

}  // namespace
}  // namespace varve
