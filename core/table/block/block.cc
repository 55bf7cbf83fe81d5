// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block.h"

#include <cstdlib>

#include "core/base/check.h"

namespace varve {
namespace {

constexpr size_t kLine = 64;

// How many bytes TrailingAllocator adds, and where they are.
struct Trailer {
  size_t bytes = 0;
  char* start = nullptr;
};

// Makes std::allocate_shared allocate reference count, object and `trailer->bytes` more at once;
// each part begins on a cache line.
template <typename T>
struct TrailingAllocator {
  using value_type = T;

  explicit TrailingAllocator(Trailer* where) : trailer(where) {}
  template <typename U>
  TrailingAllocator(const TrailingAllocator<U>& other) : trailer(other.trailer) {}  // NOLINT

  T* allocate(size_t count) {
    const size_t own = (count * sizeof(T) + kLine - 1) / kLine * kLine;
    // Whole cache lines including malloc's header: then the next allocation is aligned as well and
    // leaves no gap.
    constexpr size_t kKept = sizeof(size_t);
    const size_t size = (own + trailer->bytes + kKept + kLine - 1) / kLine * kLine - kKept;
    void* memory = nullptr;
    CHECK(posix_memalign(&memory, kLine, size) == 0);
    trailer->start = static_cast<char*>(memory) + own;
    return static_cast<T*>(memory);
  }
  // Must not access `trailer`, which no longer exists.
  void deallocate(T* memory, size_t) { std::free(memory); }

  template <typename U>
  bool operator==(const TrailingAllocator<U>&) const {
    return true;
  }

  Trailer* trailer;
};

}  // namespace

const RestartHints Block::kNoHints{};

std::shared_ptr<Block> Block::Make(Size size) {
  Trailer trailer{.bytes = size.heads_room + size.bytes};
  auto block = std::allocate_shared<Block>(TrailingAllocator<Block>(&trailer), size);
  block->bytes_ = trailer.start + size.heads_room;
  block->owns_bytes_ = true;
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
