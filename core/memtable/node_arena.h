// SPDX-License-Identifier: Apache-2.0
// NodeArena allocates memory that is freed all at once with the arena: the entries of a memtable.
// Thread-safe; the common allocation is one atomic add.
//
//   block  | allocated, allocated, ... | free end |      used = number of used bytes
//
// Blocks double from kSmallestBlock to kLargestBlock, so that a small memtable takes little memory
// and a large one is in huge pages. Allocations that do not fit a normal block get their own.
//
// Unallocated memory, and all of it once the arena is destroyed, is poisoned (base/poison.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "core/base/check.h"
#include "core/base/poison.h"
#include "core/base/threads/mutex.h"

namespace varve {

class NodeArena {
 public:
  static constexpr size_t kAlignment = 8;
  static constexpr size_t kSmallestBlock = size_t{4} << 10;
  static constexpr size_t kLargestBlock = size_t{2} << 20;  // One huge page.

  NodeArena() = default;
  NodeArena(const NodeArena&) = delete;
  NodeArena& operator=(const NodeArena&) = delete;

  // Aligned to kAlignment, not initialised.
  char* Allocate(size_t wanted) {
    const size_t bytes = (wanted + kAlignment - 1) & ~(kAlignment - 1);
    // Pairs with the release store in AllocateSlow: the block's fields are seen with it.
    Block* const block = current_.load(std::memory_order_acquire);
    if (block != nullptr && bytes <= block->size) {
      // Concurrent losers increase `used` beyond the end by at most one request per thread.
      const size_t at = block->used.fetch_add(bytes, std::memory_order_relaxed);
      if (at <= block->size - bytes) return HandOut(block->bytes.get() + at, wanted);
    }
    return HandOut(AllocateSlow(bytes), wanted);
  }

  // Bytes in use: includes the unused ends of finished blocks but not that of the current one,
  // whose pages have not been touched.
  uint64_t MemoryUsage() const;

 private:
  struct FreeBytes {
    size_t size = 0;
    void operator()(char* bytes) const;
  };
  struct Block {
    explicit Block(size_t bytes_wanted);
    const std::unique_ptr<char, FreeBytes> bytes;
    const size_t size;
    std::atomic<size_t> used{0};
  };

  static char* HandOut(char* bytes, size_t size) {
    DCHECK(reinterpret_cast<uintptr_t>(bytes) % kAlignment == 0);
    Unpoison(bytes, size);
    return bytes;
  }
  char* AllocateSlow(size_t bytes) EXCLUDES(mu_);

  std::atomic<Block*> current_{nullptr};
  std::atomic<uint64_t> finished_bytes_{0};  // Of all blocks except the current one.
  Mutex mu_;
  std::vector<std::unique_ptr<Block>> blocks_ GUARDED_BY(mu_);
};

}  // namespace varve
