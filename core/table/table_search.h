// SPDX-License-Identifier: Apache-2.0
// Point searches in one table: filter, index, data block, entries. Compiled per key order; nothing
// here allocates unless a block has to be read.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "core/iterator/lookup.h"
#include "core/table/block_cursor.h"
#include "core/table/table_state.h"

namespace varve {

// Can the next data block still hold the key? Not if the separator, which is below all its keys,
// is already past the key.
template <typename Order>
bool NextBlockMayHold(Order order, const TableReader::Impl& table, std::string_view separator,
                      std::string_view user_key) {
  if (table.index.encoding.user_keys) return false;  // No key spans blocks then.
  if (separator.size() < kPackedSize) return true;
  return order(separator.substr(0, separator.size() - kPackedSize), user_key) <= 0;
}

// Feeds the entries of one data block, from `target` on. True if the search is over.
template <typename Order>
bool FeedFromBlock(Order order, const TableReader::Impl& table, BlockHandle handle,
                   std::shared_ptr<const Block> block, const InternalKey& target, Lookup* lookup) {
  BlockCursor cursor(*block);
  bool on_entry = SeekInBlock(order, *block, target, table.bare_keys, &cursor);
  const std::shared_ptr<const void> pin = std::move(block);
  for (; on_entry; on_entry = cursor.Next()) {
    InternalKey found;
    if (!ParseStoredKey(cursor.key(), table.bare_keys, &found)) {
      lookup->Fail(table.Damaged(handle, cursor.offset()));
      return true;
    }
    if (order(found.user_key, lookup->user_key) != 0) return true;
    if (table.global_sequence != 0) found.sequence = table.global_sequence;
    if (lookup->Feed(found.sequence, found.type, cursor.value(), pin)) return true;
  }
  if (!cursor.damaged()) return false;
  lookup->Fail(table.Damaged(handle, cursor.offset()));
  return true;
}

// From where the index cursor stands to the end of the key's versions.
template <typename Order>
void SearchBlocks(Order order, const TableReader::Impl& table, const FetchOptions& options,
                  bool found, const InternalKey& target, IndexCursor* index, Lookup* lookup) {
  for (; found; found = index->Next()) {
    const BlockHandle handle = index->handle();
    if (!table.filter.is_per_block() ||
        table.filter.BlockMayMatch(handle.offset, lookup->user_key)) {
      Result<std::shared_ptr<const Block>> block =
          table.fetcher.Fetch(handle, BlockKind::kData, options);
      if (!block.ok()) return lookup->Fail(block.status());
      if (FeedFromBlock(order, table, handle, *std::move(block), target, lookup)) return;
    }
    if (!NextBlockMayHold(order, table, index->key(), lookup->user_key)) return;
  }
  if (!index->status().ok()) lookup->Fail(index->status());
}

// The first entry of the table that the lookup may see is at or after this.
inline InternalKey SearchTarget(const TableReader::Impl& table, const Lookup& lookup) {
  return LookupKey(lookup.user_key, table.global_sequence != 0 ? kMaxSequence : lookup.snapshot);
}

// Asks the filter of a table whose partitions are decoded.
template <typename Order>
bool FilterMayMatch(Order order, const TableReader::Impl& table, const FetchOptions& options,
                    PartitionMap::Place place, Lookup* lookup) {
  const std::vector<BlockHandle>& partitions = table.index.partitions->filter_partitions();
  if (partitions.empty()) return table.filter.MayMatch(order, table.fetcher, options, lookup);
  return table.filter.PartitionMayMatch(partitions[place.filter], table.fetcher, options, lookup);
}

template <typename Order>
void SearchEntries(Order order, const TableReader::Impl& table, const FetchOptions& options,
                   Lookup* lookup) {
  if (table.global_sequence > lookup->snapshot) return;
  const InternalKey target = SearchTarget(table, *lookup);
  IndexCursor index(table.index, table.fetcher, options);
  bool found = false;
  if (table.index.partitions != nullptr) {
    const PartitionMap::Place place = table.index.partitions->Find(order, target);
    if (!FilterMayMatch(order, table, options, place, lookup)) return;
    found = index.SeekInPartition(order, place.index, target);
  } else {
    if (!table.filter.MayMatch(order, table.fetcher, options, lookup)) return;
    found = index.Seek(order, target);
  }
  SearchBlocks(order, table, options, found, target, &index, lookup);
}

inline FetchOptions ToFetchOptions(const ReadOptions& options) {
  return {.verify_checksums = options.verify_checksums,
          .fill_cache = options.fill_cache,
          .cache_only = options.cache_only};
}

}  // namespace varve
