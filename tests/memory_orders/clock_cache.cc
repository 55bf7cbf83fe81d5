// SPDX-License-Identifier: Apache-2.0
// The block cache: two threads find blocks without a lock while two insert and so evict them, and
// make the table grow. A found block is the one that was asked for, complete, and not freed.
#include "core/table/block/clock_cache.h"

#include <array>
#include <memory>
#include <utility>

#include "core/base/threads/epoch.h"
#include "core/table/block/block.h"
#include "tests/memory_orders/parts.h"

namespace varve::memory_orders {
namespace {

constexpr uint64_t kOfTable = 7;  // Blocks that fit a shard's first table.

BlockCacheKey KeyOf(uint64_t number) { return {.table = 1, .offset = number * 4096}; }

class Cached final : public Harness {
 public:
  Cached() {
    ResetEpochs();
    for (uint64_t i = 0; i < (grows_ ? kOfTable : 2); ++i) Insert(grows_ ? i : kOneSlot[i]);
  }
  ~Cached() override { cache_.reset(); }

  void Run(int thread) override {
    for (int i = 0; i < 3; ++i) {
      if (thread < 2) {
        Insert(SomeNumber());
      } else {
        Look();
      }
    }
  }

 private:
  static constexpr uint64_t kBlocks = 12;
  // Blocks whose slots follow one another, so that one moves when another is evicted.
  static constexpr std::array<uint64_t, 4> kOneSlot = {0, 7, 10, 17};

  uint64_t SomeNumber() const {
    return grows_ ? Random(kBlocks) : kOneSlot[Random(kOneSlot.size())];
  }

  void Insert(uint64_t number) {
    std::shared_ptr<Block> block = Block::Make({.bytes = kSize});
    *block->writable() = static_cast<char>(number);
    const auto rank = Random(4) == 0 ? BlockRank::kProtected : BlockRank::kPlain;
    Use(number, *cache_->Insert(KeyOf(number), std::move(block), rank));
  }

  static void Use(uint64_t number, const Block& block) {
    Expect(block.bytes()[0] == static_cast<char>(number), "a block is not the one of its key");
  }
  void Look() {
    const uint64_t number = SomeNumber();
    switch (Random(3)) {
      case 0: {
        const EpochGuard guard;
        if (const Block* block = cache_->Peek(KeyOf(number))) Use(number, *block);
        break;
      }
      case 1: {
        const std::shared_ptr<const Block> block = cache_->Find(KeyOf(number));
        if (block != nullptr) Use(number, *block);
        break;
      }
      default: {
        std::array<ClockCache::Wanted, 2> wanted = {
            {{KeyOf(number), nullptr}, {KeyOf(number + 1), nullptr}}};
        cache_->FindMany(wanted);
        if (wanted[0].block != nullptr) Use(number, *wanted[0].block);
        if (wanted[1].block != nullptr) Use(number + 1, *wanted[1].block);
      }
    }
  }

  static constexpr uint64_t kSize = 64;
  static constexpr uint64_t kCharge = sizeof(Block) + kSize + 16;
  // Of a few blocks, or of more than the table first has room for. What is evicted or replaced is
  // freed at once unless a reader may use it.
  const bool grows_ = Random(2) == 0;
  std::unique_ptr<ClockCache> cache_ = std::make_unique<ClockCache>((grows_ ? 10 : 3) * kCharge);
};

}  // namespace

const Part kClockCache = {"clock_cache", "core/table/block/clock_cache", 40000, Make<Cached>};

}  // namespace varve::memory_orders
