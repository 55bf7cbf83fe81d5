// SPDX-License-Identifier: Apache-2.0
// Point searches in one table: filter, index, data block, entries. Compiled per key order; nothing
// here allocates unless a block has to be read.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/iterator/lookup.h"
#include "core/table/block/block_cursor.h"
#include "core/table/read/table_state.h"

namespace varve {

// Whether the next data block may have versions of the key. The separator is below all keys of the
// next block, so not if it is past the key.
template <typename Order>
bool NextBlockMayHold(Order order, const TableReader::Impl& table, std::string_view separator,
                      std::string_view user_key) {
  if (table.index.encoding.user_keys) return false;  // Then no key spans blocks.
  if (separator.size() < kPackedSize) return true;
  return order(separator.substr(0, separator.size() - kPackedSize), user_key) <= 0;
}

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

// Searches from the index cursor's position to the end of the key's versions.
template <typename Order>
void SearchBlocks(Order order, const TableReader::Impl& table, const FetchOptions& options,
                  bool found, const InternalKey& target, IndexCursor* index, Lookup* lookup) {
  for (; found; found = index->Next()) {
    const BlockHandle handle = index->handle();
    if (!table.filter.is_per_block() ||
        table.filter.BlockMayMatch(handle.offset, lookup->user_key)) {
      Result<std::shared_ptr<const Block>> block = table.fetcher.FetchForLookup(handle, options);
      if (!block.ok()) return lookup->Fail(block.status());
      if (FeedFromBlock(order, table, handle, *std::move(block), target, lookup)) return;
    }
    if (!NextBlockMayHold(order, table, index->key(), lookup->user_key)) return;
  }
  if (!index->status().ok()) lookup->Fail(index->status());
}

// Searches the one block that may have the key.
template <typename Order>
void SearchOneBlock(Order order, const TableReader::Impl& table, const FetchOptions& options,
                    BlockHandle handle, const InternalKey& target, Lookup* lookup) {
  if (table.filter.is_per_block() && !table.filter.BlockMayMatch(handle.offset, lookup->user_key)) {
    return;
  }
  Result<std::shared_ptr<const Block>> block = table.fetcher.FetchForLookup(handle, options);
  if (!block.ok()) return lookup->Fail(block.status());
  FeedFromBlock(order, table, handle, *std::move(block), target, lookup);
}

// A target at or before the first entry of the table that the lookup may see.
inline InternalKey SearchTarget(const TableReader::Impl& table, const Lookup& lookup) {
  return LookupKey(lookup.user_key, table.global_sequence != 0 ? kMaxSequence : lookup.snapshot);
}

// Checks the filter of a table with decoded partitions, unless that was done before.
template <typename Order>
bool FilterMayMatch(Order order, const TableReader::Impl& table, const FetchOptions& options,
                    PartitionMap::Place place, FilterVerdict before, Lookup* lookup) {
  if (before == FilterVerdict::kMaybe) {
    lookup->filters.Enter();
    return true;
  }
  const std::vector<BlockHandle>& partitions = table.index.partitions->filter_partitions();
  if (partitions.empty()) return table.filter.MayMatch(order, table.fetcher, options, lookup);
  return table.filter.PartitionMayMatch(partitions[place.filter], table.fetcher, options, lookup);
}

template <typename Order>
void SearchEntries(Order order, const TableReader::Impl& table, const FetchOptions& options,
                   FilterVerdict filter, Lookup* lookup) {
  if (table.global_sequence > lookup->snapshot) return;
  const InternalKey target = SearchTarget(table, *lookup);
  if (table.index.partitions != nullptr) {
    const PartitionMap::Place place = table.index.partitions->Find(order, target);
    if (!FilterMayMatch(order, table, options, place, filter, lookup)) return;
    IndexCursor index(table.index, table.fetcher, options);
    const bool found = index.SeekInPartition(order, place.index, target);
    return SearchBlocks(order, table, options, found, target, &index, lookup);
  }
  if constexpr (std::is_same_v<Order, BytewiseOrder>) {
    table.index.heads.PrefetchStart(lookup->user_key);  // Loads while the filter is waited for.
  }
  if (filter == FilterVerdict::kMaybe) {
    lookup->filters.Enter();
  } else if (!table.filter.MayMatch(order, table.fetcher, options, lookup)) {
    return;
  }
  if constexpr (std::is_same_v<Order, BytewiseOrder>) {
    BlockHandle handle;
    const IndexHeads::Found where = table.index.LocateByHeads(lookup->user_key, &handle);
    if (where == IndexHeads::Found::kPastEnd) return;
    if (where == IndexHeads::Found::kHandle) {
      return SearchOneBlock(order, table, options, handle, target, lookup);
    }
  }
  IndexCursor index(table.index, table.fetcher, options);
  const bool found = index.Seek(order, target);
  SearchBlocks(order, table, options, found, target, &index, lookup);
}

inline FetchOptions ToFetchOptions(const ReadOptions& options) {
  return {.verify_checksums = options.verify_checksums,
          .fill_cache = options.fill_cache,
          .cache_only = options.cache_only};
}

}  // namespace varve
