// SPDX-License-Identifier: Apache-2.0
// The state of an open table, shared by the files of table/ that read it. Immutable after Open().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/keys/key_order.h"
#include "core/format/internal_key.h"
#include "core/format/table/metaindex.h"
#include "core/table/block/block_cursor.h"
#include "core/table/block/block_fetcher.h"
#include "core/table/filter/filter_reader.h"
#include "core/table/index/index_reader.h"
#include "core/table/point/point_index.h"
#include "core/table/read/table_reader.h"

namespace varve {

struct TableReader::Impl {
  Impl(std::unique_ptr<RandomAccessFile> file, uint64_t size, std::shared_ptr<ClockCache> cache)
      : fetcher(std::move(file), size, std::move(cache)) {}

  BlockFetcher fetcher;
  Metaindex metaindex;
  TableProperties properties;
  bool has_properties = false;
  const Comparator* comparator = nullptr;  // Null: unknown.
  std::string comparator_name;
  // All entries have this sequence number; 0: as stored.
  Sequence global_sequence = 0;
  // Keys have no packed part: made with LevelDB's TableBuilder outside a database (sst-format 12).
  bool bare_keys = false;
  IndexReader index;
  FilterReader filter;
  Status filter_status;
  std::unique_ptr<const PointIndex> point;  // Null: none, or one that cannot be used.
  Status point_status;                      // Not ok: why it cannot be used.
  std::vector<RangeTombstone> raw_tombstones;
  std::shared_ptr<const FragmentedTombstones> tombstones;

  // Whether key heads can be used in data blocks.
  bool searches_bytewise() const {
    return comparator != nullptr && comparator->kind() == Comparator::Kind::kBytewise && !bare_keys;
  }
  Status Damaged(BlockHandle block, uint64_t entry_offset) const {
    return Status::Corruption("entry at byte " + std::to_string(entry_offset) +
                              " of the data block is broken")
        .At(fetcher.Where(block.offset));
  }
  Status Disordered(BlockHandle block, uint64_t entry_offset) const {
    return Status::Corruption("entry at byte " + std::to_string(entry_offset) +
                              " of the data block is out of order")
        .At(fetcher.Where(block.offset));
  }
};

// The value types allowed in a data block, as bits (they are all below 32).
inline constexpr uint32_t kDataBlockTypes = 1u << 0x00 | 1u << 0x01 | 1u << 0x02 | 1u << 0x07 |
                                            1u << 0x11 | 1u << 0x14 | 1u << 0x16 | 1u << 0x18;

inline bool IsStoredType(uint64_t type) { return type < 32 && (kDataBlockTypes >> type & 1) != 0; }

// Parses a key of a data block. False if it is too short or its type is unknown.
[[gnu::always_inline]] inline bool ParseStoredKey(std::string_view stored, bool bare,
                                                  InternalKey* out) {
  if (bare) [[unlikely]] {
    *out = {stored, 0, ValueType::kValue};
    return true;
  }
  if (stored.size() < kPackedSize) [[unlikely]]
    return false;
  const size_t user_size = stored.size() - kPackedSize;
  const uint64_t packed = LoadFixed64(stored.data() + user_size);
  const uint32_t type = packed & 0xff;
  *out = {stored.substr(0, user_size), packed >> 8, static_cast<ValueType>(type)};
  return IsStoredType(type);
}

// For BlockCursor::Seek: compares a stored key with `target`. An invalid key counts as not before
// it, so that the seek stops there and the caller's ParseStoredKey() rejects it.
template <typename Order>
struct CompareStoredKey {
  Order order;
  const InternalKey& target;
  bool bare;

  int operator()(std::string_view stored) const {
    if (bare) [[unlikely]] {
      return CompareInternalKeys(order, {stored, 0, ValueType::kValue}, target);
    }
    if (stored.size() < kPackedSize) [[unlikely]]
      return 1;
    const size_t user_size = stored.size() - kPackedSize;
    if (const int c = order(stored.substr(0, user_size), target.user_key); c != 0) return c;
    const uint64_t packed = LoadFixed64(stored.data() + user_size), wanted = target.packed();
    return packed > wanted ? -1 : (packed < wanted ? 1 : 0);
  }
};

// With more entries of equal head, the block is searched without heads.
inline constexpr uint32_t kTiedHeadsMax = 16;

// Moves the cursor to the first entry of its block that is >= target.
template <typename Order>
bool SeekInBlock(Order order, const Block& block, const InternalKey& target, bool bare,
                 BlockCursor* cursor) {
  const CompareStoredKey<Order> compare{order, target, bare};
  if constexpr (std::is_same_v<Order, BytewiseOrder>) {
    const BlockHeads* const heads = bare ? nullptr : block.heads();
    if (heads != nullptr) {
      auto [begin, end] = heads->Search(target.user_key);
      if (end - begin <= kTiedHeadsMax) {
        bool on_entry = cursor->SeekToEntry(*heads, begin);
        for (; on_entry && begin < end && compare(cursor->key()) < 0; ++begin) {
          on_entry = cursor->Next();
        }
        return on_entry;
      }
    }
    if (!bare && !block.hints().empty()) {
      return cursor->SeekFrom(compare, block.hints().Narrow(target.user_key));
    }
    if (!bare && block.hints().disordered()) [[unlikely]]
      return cursor->Refuse();
  }
  return cursor->Seek(compare);
}

// The implementation of NewIterator(): table_iterator.cc.
std::unique_ptr<InternalIterator> NewTableIterator(const TableReader::Impl& table,
                                                   const TableIteratorOptions& options);

}  // namespace varve
