// SPDX-License-Identifier: Apache-2.0
// FilterReader answers "not in this table" or "maybe" for a user key (sst-format section 10).
//
//   full         one filter for the table, held in memory
//   partitioned  an index (held) over filter partitions (in the block cache)
//   per block    LevelDB: one small filter for each 2 KiB of data blocks, asked after the index
//
// Damaged or unknown filters answer "maybe". Immutable once opened, thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/check.h"
#include "core/format/table/filter.h"
#include "core/format/table/leveldb_filter.h"
#include "core/format/table/metaindex.h"
#include "core/format/table/prefix_extractor.h"
#include "core/format/table/table_properties.h"
#include "core/iterator/lookup.h"
#include "core/table/block/block_fetcher.h"
#include "core/table/index/index_block_cursor.h"

namespace varve {

class FilterReader {
 public:
  // No filter: always "maybe".
  FilterReader() = default;
  // Replaces the current filter. On failure the reader answers "maybe".
  Status Open(const BlockFetcher& fetcher, const FilterEntry& entry,
              const TableProperties& properties, const IndexEncoding& index_encoding);

  // Whether the table may have lookup.user_key. Computes the lookup's filter hash if it is missing.
  template <typename Order>
  bool MayMatch(Order order, const BlockFetcher& fetcher, const FetchOptions& options,
                Lookup* lookup) const {
    return MayMatch(order, LookupKey(lookup->user_key, lookup->snapshot), fetcher, options, lookup);
  }
  // The same where keys have timestamps: the filter has keys without, as in `lookup`, but a
  // partition is found by the stored key.
  template <typename Order>
  bool MayMatch(Order order, const InternalKey& stored, const BlockFetcher& fetcher,
                const FetchOptions& options, Lookup* lookup) const {
    if (full_.has_value()) [[likely]]
      return ProbeMayMatch(*full_, lookup);
    if (top_ == nullptr) return true;
    const std::optional<BlockHandle> partition = FindPartition(order, stored);
    if (!partition.has_value()) return true;
    return PartitionMayMatch(*partition, fetcher, options, lookup);
  }
  // The same for one partition that the caller has located.
  bool PartitionMayMatch(BlockHandle handle, const BlockFetcher& fetcher,
                         const FetchOptions& options, Lookup* lookup) const;
  // Prefetches the memory that MayMatch() reads.
  void Prefetch(Lookup* lookup) const {
    if (full_.has_value()) PrefetchProbe(*full_, lookup);
  }
  // The same for one filter of this table.
  void PrefetchProbe(const FilterProbe& probe, Lookup* lookup) const {
    if (whole_keys_ && probe.uses_xxph3()) probe.Prefetch(lookup->KeyHash());
  }

  // The whole filter is in memory: no I/O needed.
  bool is_resident() const { return full_.has_value(); }
  bool ResidentMayMatch(Lookup* lookup) const {
    DCHECK(is_resident());
    return ProbeMayMatch(*full_, lookup);
  }

  // Checks one filter of this table for the key or its prefix.
  bool ProbeMayMatch(const FilterProbe& probe, Lookup* lookup) const {
    if (whole_keys_) [[likely]] {
      return Tell(lookup, probe.MayMatch(probe.uses_xxph3() ? lookup->KeyHash()
                                                            : probe.Hash(lookup->user_key)));
    }
    if (!prefix_.has_value()) return true;
    const std::optional<std::string_view> prefix = prefix_->Prefix(lookup->user_key);
    return !prefix.has_value() || Tell(lookup, probe.MayMatch(probe.Hash(*prefix)));
  }

  // Per-block filters only: whether the data block at `block_offset` may have the key.
  bool is_per_block() const { return per_block_.has_value(); }
  bool BlockMayMatch(uint64_t block_offset, std::string_view user_key) const {
    DCHECK(is_per_block());
    return per_block_->MayMatch(block_offset, per_block_->Hash(user_key));
  }

  const std::optional<FilterEntry>& entry() const { return entry_; }
  const Block* top() const { return top_.get(); }  // The partition index, if partitioned.
  const std::optional<FilterProbe>& full() const { return full_; }
  uint64_t memory_bytes() const {
    return (block_ == nullptr ? 0 : block_->memory_bytes()) +
           (top_ == nullptr ? 0 : top_->memory_bytes());
  }

 private:
  static bool Tell(Lookup* lookup, bool may_match) {
    lookup->filters.Asked(may_match);
    return may_match;
  }

  // The first partition with key >= target, or else the last one. nullopt: unknown.
  template <typename Order>
  std::optional<BlockHandle> FindPartition(Order order, const InternalKey& target) const {
    IndexBlockCursor cursor;
    cursor.Attach(*top_, encoding_);
    if (!cursor.Seek(order, target) && (cursor.damaged() || !cursor.SeekToLast())) {
      return std::nullopt;
    }
    return cursor.handle();
  }

  std::optional<FilterEntry> entry_;
  std::shared_ptr<const Block> block_;  // Memory behind full_ or per_block_.
  std::optional<FilterProbe> full_;
  std::optional<LevelDbFilter> per_block_;
  std::shared_ptr<const Block> top_;  // Partitioned only.
  IndexEncoding encoding_;
  bool whole_keys_ = true;
  std::optional<PrefixExtractor> prefix_;
};

}  // namespace varve
