// SPDX-License-Identifier: Apache-2.0
// Point searches by a table's point index (table/point/point_index.h). What it says of a key that
// the table has is held against the entry at that place before anything is passed on. If that has
// another key, or cannot be read, the caller searches by filter and index, which also reports
// damage.
#pragma once

#include <memory>
#include <optional>

#include "core/base/check.h"
#include "core/table/read/block_search.h"

namespace varve {

// Passes on the entries of a key from its place on. `block` is the place's. True: the search is
// over.
template <typename Order>
bool FeedFromPlace(Order order, const TableReader::Impl& table, PointIndex::Place place,
                   const std::shared_ptr<const Block>& block, const InternalKey& target,
                   Lookup* lookup) {
  const BlockHandle handle = table.point->handle(place.block);
  DCHECK(block != nullptr);
  const BlockHeads* const heads = block->heads();
  const bool has_heads = heads != nullptr && place.slot < heads->count();
  if (has_heads && place.more == 0) {
    if (!heads->Matches(place.slot, lookup->user_key)) return false;
    BlockEntry entry;
    if (ParseHeadedEntry(*heads, place.slot, &entry)) [[likely]] {
      // The key has no older versions, so the search is over even if they are wanted.
      return FeedHeadedEntry(table, handle, *heads, place.slot, entry, block, target, lookup) !=
             FedEntry::kOtherKey;
    }
  }
  BlockCursor cursor(*block);
  const uint64_t interval = table.properties.data_block_restart_interval;
  const bool on_entry =
      has_heads ? cursor.SeekToEntry(*heads, place.slot) : cursor.SeekToSlot(place.slot, interval);
  InternalKey found;
  if (!on_entry || !ParseStoredKey(cursor.key(), table.bare_keys, &found) ||
      found.user_key != lookup->user_key) {
    return false;
  }
  FeedFromCursor(order, table, handle, block, target, /*on_entry=*/true, &cursor, lookup);
  return true;
}

// Whether versions of the key may be in the next block as well: then the index of blocks is
// searched.
inline bool SpansBlocks(const PointIndex& point, PointIndex::Place place) {
  return place.more > 0 && place.more >= point.entries_of(place.block) - place.slot;
}

// True: the search is over.
template <typename Order>
bool SearchByPoint(Order order, const TableReader::Impl& table, const FetchOptions& options,
                   const InternalKey& target, Lookup* lookup) {
  DCHECK(table.point != nullptr);
  const PointIndex& point = *table.point;
  lookup->filters.EnterUnasked();
  const std::optional<PointIndex::Place> place = point.Find(lookup);
  if (!place.has_value()) return true;
  if (SpansBlocks(point, *place)) [[unlikely]]
    return false;
  const Result<std::shared_ptr<const Block>> block =
      table.fetcher.FetchForLookup(point.handle(place->block), options);
  return block.ok() && FeedFromPlace(order, table, *place, *block, target, lookup);
}

}  // namespace varve
