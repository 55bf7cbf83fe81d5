// SPDX-License-Identifier: Apache-2.0
// The last part of a point search: the entries of one data block. Compiled per key order.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "core/iterator/lookup.h"
#include "core/table/block/block_cursor.h"
#include "core/table/read/table_state.h"

namespace varve {

// Passes on the entries from the cursor's position (`on_entry`), as long as they are `target` or
// older versions of its key. True if the search is over.
template <typename Order>
bool FeedFromCursor(Order order, const TableReader::Impl& table, BlockHandle handle,
                    const std::shared_ptr<const void>& pin, const InternalKey& target,
                    bool on_entry, BlockCursor* cursor, Lookup* lookup) {
  for (; on_entry; on_entry = cursor->Next()) {
    InternalKey found;
    if (!ParseStoredKey(cursor->key(), table.bare_keys, &found)) {
      lookup->Fail(table.Damaged(handle, cursor->offset()));
      return true;
    }
    if (const int c = order(found.user_key, lookup->user_key); c != 0) {
      if (c > 0) return true;
      continue;
    }
    if (found.packed() > target.packed()) continue;  // Too new.
    if (table.global_sequence != 0) found.sequence = table.global_sequence;
    if (lookup->Feed(found.sequence, found.type, cursor->value(), pin)) return true;
  }
  if (!cursor->damaged()) return false;
  lookup->Fail(table.Damaged(handle, cursor->offset()));
  return true;
}

// The same for a block with heads: reads only entries whose heads equal the key's.
template <typename Order>
bool FeedThroughHeads(Order order, const TableReader::Impl& table, BlockHandle handle,
                      const Block& block, const BlockHeads& heads,
                      const std::shared_ptr<const void>& pin, const InternalKey& target,
                      BlockHeads::Range tied, Lookup* lookup) {
  const std::string_view key = lookup->user_key;
  for (uint32_t i = tied.begin; i < tied.end; ++i) {
    BlockEntry entry;
    const bool fits = ParseBlockEntry(heads.entry(i), heads.limit(), &entry);
    // Prefix and head supply what the key shares with the previous one, unless that is more than
    // both or extends beyond the user key.
    if (!fits || entry.shared > heads.prefix_size() + BlockHeads::kHeadSize ||
        entry.non_shared < kPackedSize) [[unlikely]] {
      BlockCursor cursor(block);
      const bool on_entry = cursor.SeekToOffset(heads.offset(i));
      return FeedFromCursor(order, table, handle, pin, target, on_entry, &cursor, lookup);
    }
    const size_t suffix_size = entry.non_shared - kPackedSize;
    if (key.size() != entry.shared + suffix_size ||
        std::memcmp(key.data() + entry.shared, entry.key_suffix, suffix_size) != 0) {
      continue;
    }
    const uint64_t packed = LoadFixed64(entry.key_suffix + suffix_size);
    if (packed > target.packed()) continue;  // Too new.
    if (!IsStoredType(packed & 0xff)) [[unlikely]] {
      lookup->Fail(table.Damaged(handle, heads.offset(i)));
      return true;
    }
    const Sequence sequence = table.global_sequence != 0 ? table.global_sequence : packed >> 8;
    if (lookup->Feed(sequence, static_cast<ValueType>(packed & 0xff), entry.value(), pin)) {
      return true;
    }
  }
  return tied.end < heads.count();  // Later entries are past the key.
}

// Passes on the entries of one data block, from `target` on. True if the search is over.
template <typename Order>
bool FeedFromBlock(Order order, const TableReader::Impl& table, BlockHandle handle,
                   std::shared_ptr<const Block> shared, const InternalKey& target, Lookup* lookup) {
  const Block& block = *shared;
  const std::shared_ptr<const void> pin = std::move(shared);
  if (const BlockHeads* heads = block.heads()) {
    const BlockHeads::Range tied = heads->Search(lookup->user_key);
    if (tied.end - tied.begin <= kTiedHeadsMax) {
      return FeedThroughHeads(order, table, handle, block, *heads, pin, target, tied, lookup);
    }
  }
  BlockCursor cursor(block);
  const bool on_entry = SeekInBlock(order, block, target, table.bare_keys, &cursor);
  return FeedFromCursor(order, table, handle, pin, target, on_entry, &cursor, lookup);
}

}  // namespace varve
