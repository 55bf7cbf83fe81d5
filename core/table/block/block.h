// SPDX-License-Identifier: Apache-2.0
// Block is the contents of one block, verified and decompressed, with its outline (restart points).
// It is what the block cache holds: one allocation, aligned to a cache line.
//
//   | reference count, outline | room for BlockHeads | the bytes |
//
// The room stays empty while a data block is only scanned. When point lookups use the block
// repeatedly, MakeHeads() fills it in: a lookup then finds its entry without decoding others.
// Iterators read the same bytes as before.
//
//   heads:  none --MakeHeads--> making --> there      refused: they do not fit, or cannot be made
//
// A block that is scanned once and not cached may refer to the buffer of a prefetcher instead: see
// Over().
//
// Otherwise immutable, except for the cache's own fields. Thread-safe once it is shared.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/base/check.h"
#include "core/base/poison.h"
#include "core/base/prefetch.h"
#include "core/format/table/block_view.h"
#include "core/format/table/filter.h"
#include "core/table/block/block_heads.h"
#include "core/table/block/clock_cache.h"
#include "core/table/block/restart_hints.h"
#include "varve/result.h"

namespace varve {

enum class BlockKind : uint8_t {
  kData,      // Entries; the compression dictionary applies.
  kKeyValue,  // Entries: indexes and their partitions, range deletions.
  kFilter,    // A filter or a partition of one.
  kOpaque,    // The dictionary, LevelDB's filters.
};

class Block {
 public:
  // For ClockCache only. The cache owns the block through `self`.
  struct CachePlace {
    BlockCacheKey key;
    std::shared_ptr<const Block> self;
  };
  struct Size {
    uint64_t bytes = 0;
    uint32_t heads_room = 0;
  };

  // A block to be filled in through writable() before it is shared. Null: there is no memory for it
  // (a damaged file may ask for gigabytes, and a system may limit what a process gets).
  static std::shared_ptr<Block> Make(Size size);
  // A block over bytes that the caller keeps valid while the block is used. Has no room for heads.
  static std::shared_ptr<Block> Over(std::string_view bytes);
  explicit Block(Size size) : size_(size.bytes), heads_room_(size.heads_room) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    if (!owns_bytes_) return;
    Poison(bytes_ - heads_room_, heads_room_ + size_);
    bytes_in_memory_.fetch_sub(memory_bytes(), std::memory_order_relaxed);
  }
  // Of all blocks of the process that own their bytes.
  static uint64_t BytesInMemory() { return bytes_in_memory_.load(std::memory_order_relaxed); }

  // Null if the block does not own its bytes.
  char* writable() { return owns_bytes_ ? bytes_ : nullptr; }
  bool owns_bytes() const { return owns_bytes_; }
  // Drops all but the first `size` bytes.
  void Truncate(uint64_t size) {
    VARVE_CHECK(size <= size_);
    if (owns_bytes_) bytes_in_memory_.fetch_sub(size_ - size, std::memory_order_relaxed);
    size_ = size;
  }
  // Reads the outline of a key/value block; without it view() is empty (filters, dictionaries).
  Status ParseOutline() {
    Result<BlockView> view = ParseBlock(bytes());
    if (!view.ok()) return view.status();
    view_ = *view;
    return Status::Ok();
  }
  // The kind it was read as. A damaged file may use one block as two kinds, which are verified and
  // outlined differently, so a cached block of one kind must not answer a lookup for another.
  BlockKind kind() const { return kind_; }
  void set_kind(BlockKind kind) { kind_ = kind; }
  // For a data block, after ParseOutline().
  void MakeHints() {
    DCHECK(kind_ == BlockKind::kData);
    hints_ = RestartHints(view_);
  }
  // For a filter.
  void ParseFilter() {
    std::construct_at(&filter_, FilterProbe::Parse(bytes()));
    kind_ = BlockKind::kFilter;
  }

  std::string_view bytes() const { return {bytes_, size_}; }
  const BlockView& view() const { return view_; }
  const RestartHints& hints() const { return is_filter() ? kNoHints : hints_; }
  const FilterProbe* filter() const { return is_filter() ? &filter_ : nullptr; }
  // Requires index < view().num_restarts.
  uint32_t restart_offset(uint32_t index) const {
    DCHECK_OP(index, <, view_.num_restarts);
    return hints().complete() ? hints().offset(index) : view_.restart_offset(index);
  }
  // Prefetches the cache lines of a restart interval at once: each entry says where the next one
  // starts, so a scan of cold memory would otherwise wait for one line after the other.
  void PrefetchInterval(uint32_t index) const {
    constexpr uint32_t kLine = 64, kBytesMax = 2048;
    const uint32_t start = restart_offset(index);
    const auto end = static_cast<uint32_t>(
        index + 1 < view_.num_restarts ? restart_offset(index + 1) : view_.entries.size());
    const char* const entries = view_.entries.data();
    for (uint32_t at = start; at < end && at < start + kBytesMax; at += kLine) {
      PrefetchLine(entries + at);
    }
  }

  // Null if there are none, or none yet.
  const BlockHeads* heads() const {
    // Acquire: pairs with MakeHeads().
    return heads_state_.load(std::memory_order_acquire) == kThere ? &heads_ : nullptr;
  }
  // Call when a lookup found this data block in the cache: makes the heads once that has happened
  // often enough. Requires internal keys in bytewise order.
  void NoteLookup() const {
    const uint8_t state = heads_state_.load(std::memory_order_relaxed);
    if (state >= kMaking) return;
    if (state == kUsedOnce) return MakeHeads();
    heads_state_.store(kUsedOnce, std::memory_order_relaxed);  // Losing a count is harmless.
  }
  // Prefetches what every lookup reads first, without accessing the block.
  void PrefetchForLookup() const {
    constexpr size_t kLine = 64, kLines = 3;
    const char* const room = reinterpret_cast<const char*>(this + 1) + kLine - 1;  // Approximately.
    PrefetchLine(this);
    PrefetchLine(&heads_);
    for (size_t line = 0; line < kLines; ++line) PrefetchLine(room + kLine * line);
  }

  // Prefetches what a seek in the block reads first: everything before the entries. Does not access
  // the block.
  void PrefetchForSeek() const {
    constexpr size_t kLine = 64, kRoomUsual = 3 * kLine;
    const char* const start = reinterpret_cast<const char*>(this);
    for (size_t at = 0; at < sizeof(*this) + kRoomUsual; at += kLine) PrefetchLine(start + at);
  }
  // Prefetches what a filter lookup reads before the filter bits. Does not access the block.
  void PrefetchFilter() const {
    PrefetchLine(this);
    PrefetchLine(&filter_);
  }
  // Prefetches the entries that a seek to `user_key` reads. Requires bytewise order.
  void PrefetchEntries(std::string_view user_key) const {
    if (const BlockHeads* heads = this->heads()) {
      const uint32_t first = heads->Search(user_key).begin;
      if (first < heads->count()) PrefetchRun(heads->entry(first), heads->limit());
    } else if (!hints().empty()) {
      PrefetchInterval(hints().Narrow(user_key).left);
    }
  }

  uint64_t memory_bytes() const { return sizeof(*this) + heads_room_ + size_; }
  CachePlace& cache_place() const { return place_; }

 private:
  enum HeadsState : uint8_t { kNone, kUsedOnce, kMaking, kThere, kRefused };

  static const RestartHints kNoHints;
  static std::atomic<uint64_t> bytes_in_memory_;

  bool is_filter() const { return kind_ == BlockKind::kFilter; }

  void MakeHeads() const;
  static void PrefetchRun(const char* from, const char* limit) {
    constexpr ptrdiff_t kLine = 64, kBytes = 512;
    const char* const end = from + std::min(limit - from, kBytes);
    for (; from < end; from += kLine) PrefetchLine(from);
  }

  mutable CachePlace place_;
  char* bytes_ = nullptr;  // Owned: behind the room for the heads, which is behind the Block.
  uint64_t size_;
  const uint32_t heads_room_;
  bool owns_bytes_ = false;
  BlockKind kind_ = BlockKind::kOpaque;
  mutable std::atomic<uint8_t> heads_state_{kNone};
  mutable BlockHeads heads_;
  BlockView view_;
  union {
    RestartHints hints_{};
    FilterProbe filter_;
  };
};
static_assert(sizeof(Block) <= 296, "with what shared_ptr keeps, a Block takes five cache lines");

}  // namespace varve
