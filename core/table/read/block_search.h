// SPDX-License-Identifier: Apache-2.0
// The last part of a point search: the entries of one data block. Compiled per key order.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "core/base/check.h"
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

// Parses an entry of a block with heads. False if head and prefix do not supply what its key shares
// with the previous one, because that is more than both or extends beyond the user key.
[[gnu::always_inline]] inline bool ParseHeadedEntry(const BlockHeads& heads, uint32_t slot,
                                                    BlockEntry* entry) {
  return ParseBlockEntry(heads.entry(slot), heads.limit(), entry) &&
         entry->shared <= heads.prefix_size() + BlockHeads::kHeadSize &&
         entry->non_shared >= kPackedSize;
}

enum class FedEntry : uint8_t {
  kOtherKey,  // Not passed on.
  kGoOn,      // Passed on, or too new: older versions of the key are wanted.
  kDone,
};

// Passes on an entry that ParseHeadedEntry() accepted and whose head equals the key's.
[[gnu::always_inline]] inline FedEntry FeedHeadedEntry(const TableReader::Impl& table,
                                                       BlockHandle handle, const BlockHeads& heads,
                                                       uint32_t slot, const BlockEntry& entry,
                                                       const std::shared_ptr<const void>& pin,
                                                       const InternalKey& target, Lookup* lookup) {
  DCHECK_OP(entry.non_shared, >=, kPackedSize, "ParseHeadedEntry() refuses others");
  const std::string_view key = lookup->user_key;
  const size_t suffix_size = entry.non_shared - kPackedSize;
  if (key.size() != entry.shared + suffix_size ||
      std::memcmp(key.data() + entry.shared, entry.key_suffix, suffix_size) != 0) {
    return FedEntry::kOtherKey;
  }
  const uint64_t packed = LoadFixed64(entry.key_suffix + suffix_size);
  if (packed > target.packed()) return FedEntry::kGoOn;  // Too new.
  if (!IsStoredType(packed & 0xff)) [[unlikely]] {
    lookup->Fail(table.Damaged(handle, heads.offset(slot)));
    return FedEntry::kDone;
  }
  const Sequence sequence = table.global_sequence != 0 ? table.global_sequence : packed >> 8;
  const bool done =
      lookup->Feed(sequence, static_cast<ValueType>(packed & 0xff), entry.value(), pin);
  return done ? FedEntry::kDone : FedEntry::kGoOn;
}

// As FeedFromCursor() for a block with heads: reads only entries whose heads equal the key's.
template <typename Order>
bool FeedThroughHeads(Order order, const TableReader::Impl& table, BlockHandle handle,
                      const Block& block, const BlockHeads& heads,
                      const std::shared_ptr<const void>& pin, const InternalKey& target,
                      BlockHeads::Range tied, Lookup* lookup) {
  DCHECK(tied.begin <= tied.end && tied.end <= heads.count());
  for (uint32_t i = tied.begin; i < tied.end; ++i) {
    BlockEntry entry;
    if (!ParseHeadedEntry(heads, i, &entry)) [[unlikely]] {
      BlockCursor cursor(block);
      const bool on_entry = cursor.SeekToOffset(heads.offset(i));
      return FeedFromCursor(order, table, handle, pin, target, on_entry, &cursor, lookup);
    }
    const FedEntry fed = FeedHeadedEntry(table, handle, heads, i, entry, pin, target, lookup);
    if (fed == FedEntry::kDone) return true;
  }
  return tied.end < heads.count();  // Later entries are past the key.
}

// Passes on the entries of one data block, from `target` on. True if the search is over.
template <typename Order>
bool FeedFromBlock(Order order, const TableReader::Impl& table, BlockHandle handle,
                   std::shared_ptr<const Block> shared, const InternalKey& target, Lookup* lookup) {
  DCHECK(shared != nullptr);
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
