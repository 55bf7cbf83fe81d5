// SPDX-License-Identifier: Apache-2.0
// Point searches in one table: point index, or filter and index; data block, entries. Compiled per
// key order; nothing here allocates unless a block has to be read.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/iterator/lookup.h"
#include "core/table/read/block_search.h"
#include "core/table/read/point_search.h"
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

// Searches by filter and index.
template <typename Order>
void SearchByIndex(Order order, const TableReader::Impl& table, const FetchOptions& options,
                   FilterVerdict filter, Lookup* lookup) {
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

template <typename Order>
void SearchEntries(Order order, const TableReader::Impl& table, const FetchOptions& options,
                   FilterVerdict filter, Lookup* lookup) {
  if (table.global_sequence > lookup->snapshot) return;
  if constexpr (std::is_same_v<Order, BytewiseOrder>) {
    if (table.point != nullptr &&
        SearchByPoint(order, table, options, SearchTarget(table, *lookup), lookup)) {
      return;
    }
  }
  SearchByIndex(order, table, options, filter, lookup);
}

inline FetchOptions ToFetchOptions(const ReadOptions& options) {
  return {.verify_checksums = options.verify_checksums,
          .fill_cache = options.fill_cache,
          .cache_only = options.cache_only};
}

}  // namespace varve
