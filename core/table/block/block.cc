// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block.h"

#include <cstdlib>
#include <limits>

#include "core/base/check.h"

namespace varve {
namespace {

constexpr size_t kLine = 64;

// For the Block and what shared_ptr keeps.
constexpr size_t kOwn = 5 * kLine;

// Makes std::allocate_shared put reference count and object at the beginning of `memory`, which
// holds more behind kOwn.
template <typename T>
struct PlacingAllocator {
  using value_type = T;

  explicit PlacingAllocator(void* where) : memory(where) {}
  template <typename U>
  PlacingAllocator(const PlacingAllocator<U>& other) : memory(other.memory) {}  // NOLINT

  T* allocate(size_t count) {
    CHECK_OP(count * sizeof(T), <=, kOwn);
    return static_cast<T*>(memory);
  }
  void deallocate(T* allocated, size_t) { std::free(allocated); }

  template <typename U>
  bool operator==(const PlacingAllocator<U>&) const {
    return true;
  }

  void* memory;
};

}  // namespace

const RestartHints Block::kNoHints{};

std::atomic<uint64_t> Block::bytes_in_memory_{0};

// One allocation, in which each part begins on a cache line.
std::shared_ptr<Block> Block::Make(Size size) {
  // Whole cache lines including malloc's header: then the next allocation is aligned as well and
  // leaves no gap.
  constexpr size_t kKept = sizeof(size_t);
  const uint64_t wanted = kOwn + size.heads_room + size.bytes + kKept + kLine - 1;
  if (wanted > std::numeric_limits<size_t>::max() / 2) return nullptr;
  void* memory = nullptr;
  if (posix_memalign(&memory, kLine, static_cast<size_t>(wanted) / kLine * kLine - kKept) != 0) {
    return nullptr;
  }
  auto block = std::allocate_shared<Block>(PlacingAllocator<Block>(memory), size);
  block->bytes_ = static_cast<char*>(memory) + kOwn + size.heads_room;
  block->owns_bytes_ = true;
  bytes_in_memory_.fetch_add(block->memory_bytes(), std::memory_order_relaxed);
  return block;
}

std::shared_ptr<Block> Block::Over(std::string_view bytes) {
  auto block = std::make_shared<Block>(Size{.bytes = bytes.size()});
  block->bytes_ = const_cast<char*>(bytes.data());  // Never written through: see writable().
  return block;
}

void Block::MakeHeads() const {
  uint8_t state = kUsedOnce;
  if (!heads_state_.compare_exchange_strong(state, kMaking, std::memory_order_relaxed)) return;
  const BlockHeadsPlan plan(view_);
  if (hints_.disordered() || !plan.possible() || plan.bytes() > heads_room_) {
    heads_state_.store(kRefused, std::memory_order_relaxed);
    return;
  }
  heads_ = plan.WriteTo(bytes_ - heads_room_);
  // Release: pairs with heads(); a thread that sees the state sees the heads.
  heads_state_.store(kThere, std::memory_order_release);
}

}  // namespace varve
