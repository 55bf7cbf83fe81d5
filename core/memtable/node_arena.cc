// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/node_arena.h"

#include <algorithm>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace varve {
namespace {

// Ordinary memory for small blocks, whole huge pages for the others.
std::align_val_t AlignmentOf(size_t size) {
  return std::align_val_t{size < NodeArena::kLargestBlock ? size_t{64} : NodeArena::kLargestBlock};
}

}  // namespace

NodeArena::Block::Block(size_t bytes_wanted)
    : bytes(static_cast<char*>(::operator new(bytes_wanted, AlignmentOf(bytes_wanted))),
            FreeBytes{bytes_wanted}),
      size(bytes_wanted) {
#ifdef __linux__
  // Random inserts and reads touch a page each: huge pages avoid most of their TLB misses. Only
  // advice: correctness does not depend on it.
  if (size >= kLargestBlock) madvise(bytes.get(), size, MADV_HUGEPAGE);
#endif
  Poison(bytes.get(), size);
}

void NodeArena::FreeBytes::operator()(char* bytes) const {
  Poison(bytes, size);
  ::operator delete(bytes, AlignmentOf(size));
}

char* NodeArena::AllocateSlow(size_t bytes) {
  MutexLock lock(mu_);
  Block* const current = current_.load(std::memory_order_relaxed);
  const size_t current_size = current == nullptr ? 0 : current->size;
  if (current != nullptr && bytes <= current_size) {  // Another thread may have added a block.
    const size_t at = current->used.fetch_add(bytes, std::memory_order_relaxed);
    if (at <= current_size - bytes) return current->bytes.get() + at;
  }
  const size_t next_size = std::clamp(2 * current_size, kSmallestBlock, kLargestBlock);
  if (bytes > next_size / 4) {  // It would waste too much of a block: allocate one of its own.
    blocks_.push_back(std::make_unique<Block>(bytes));
    finished_bytes_.fetch_add(bytes, std::memory_order_relaxed);
    return blocks_.back()->bytes.get();
  }
  blocks_.push_back(std::make_unique<Block>(next_size));
  Block* const block = blocks_.back().get();
  block->used.store(bytes, std::memory_order_relaxed);
  finished_bytes_.fetch_add(current_size, std::memory_order_relaxed);
  current_.store(block, std::memory_order_release);
  return block->bytes.get();
}

uint64_t NodeArena::MemoryUsage() const {
  uint64_t usage = finished_bytes_.load(std::memory_order_relaxed);
  if (const Block* block = current_.load(std::memory_order_acquire); block != nullptr) {
    usage += std::min(block->size, block->used.load(std::memory_order_relaxed));
  }
  return usage;
}

}  // namespace varve
