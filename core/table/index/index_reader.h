// SPDX-License-Identifier: Apache-2.0
// IndexReader is a table's index: separator -> data block, in one block or in two levels.
//
//   one level    top: [sep -> data block]*
//   two levels   top: [sep -> partition]*     partition: [sep -> data block]*
//
// The top level is in memory as long as the table is open, as a block or decoded (index_heads.h,
// partition_map.h); partitions go through the block cache. IndexReader is immutable and
// thread-safe; IndexCursor is for one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/options/grades.h"
#include "core/table/block/block_fetcher.h"
#include "core/table/index/index_block_cursor.h"
#include "core/table/index/partition_map.h"

namespace varve {

struct IndexReader {
  bool two_levels = false;
  IndexEncoding encoding;
  BlockHandle handle;  // Of the top block.
  std::shared_ptr<const Block> top;
  IndexHeads heads;  // Of `top`; empty unless the table's order is bytewise.
  // For two levels with PartitionSearch::kDecoded: replaces walking `top` and searching the
  // filter's top level.
  std::unique_ptr<const PartitionMap> partitions;

  // `heads` lists all data blocks: the index block is read for separators only.
  bool is_listed() const { return !two_levels && heads.has_handles(); }
  // Finds the data block of a key without reading the index block. kTie: it must be read.
  IndexHeads::Found LocateByHeads(std::string_view user_key, BlockHandle* data_block) const {
    if (!is_listed()) return IndexHeads::Found::kTie;
    return heads.Locate(user_key, data_block);
  }
};

// Walks the handles of a table's data blocks in file order. Moves return whether the cursor is on
// one; if not, status() distinguishes the end from a failure. A handle that is not behind the
// previous one is a failure: writers store blocks in key order, and an index that names one block
// repeatedly would make a small file as much work as a large one.
class IndexCursor {
 public:
  IndexCursor(const IndexReader& index, const BlockFetcher& fetcher, const FetchOptions& options)
      : index_(index), fetcher_(fetcher), options_(options) {
    if (index.is_listed()) return;
    if (index.two_levels) {
      options_.prefetcher = nullptr;  // The prefetcher is for data blocks.
      if (index.partitions != nullptr) return;
      top_ = std::make_unique<IndexBlockCursor>();
    }
    top().Attach(*index.top, index.encoding);
  }
  IndexCursor(const IndexCursor&) = delete;
  IndexCursor& operator=(const IndexCursor&) = delete;

  bool valid() const { return index_.is_listed() ? at_ < index_.heads.size() : leaf_.valid(); }
  const Status& status() const { return status_; }
  BlockHandle handle() const {
    return index_.is_listed() ? index_.heads.handle(static_cast<uint32_t>(at_)) : leaf_.handle();
  }
  // The separator as stored.
  std::string_view key() const { return index_.is_listed() ? ListedKey(at_) : leaf_.key(); }

  // Moves to the first block that may have a key >= target.
  template <typename Order>
  bool Seek(Order order, const InternalKey& target) {
    if (index_.is_listed()) return SeekInList(order, target);
    if (index_.partitions != nullptr) {
      return SeekInPartition(order, index_.partitions->Find(order, target).index, target);
    }
    if (!Begin(SeekTop(order, target))) return false;
    if (!index_.two_levels) return true;
    if (!OpenPartition()) return false;
    return leaf_.Seek(order, target) || SkipForward();
  }
  // The same if the partition that covers the target is known from index.partitions.
  template <typename Order>
  bool SeekInPartition(Order order, uint32_t partition, const InternalKey& target) {
    at_ = partition;
    if (!StandsOnPartition() || !OpenPartition()) return false;
    return leaf_.Seek(order, target) || SkipForward();
  }
  bool SeekToFirst() {
    at_ = 0;
    if (index_.is_listed()) return valid();
    if (!MoveTop(&IndexBlockCursor::SeekToFirst)) return false;
    if (!index_.two_levels) return true;
    return OpenPartition() && (leaf_.SeekToFirst() || SkipForward());
  }
  bool SeekToLast() {
    if (index_.is_listed()) {
      at_ = index_.heads.size() - 1;
      return valid();
    }
    if (index_.partitions != nullptr) at_ = index_.partitions->index_partitions().size() - 1;
    if (!MoveTop(&IndexBlockCursor::SeekToLast)) return false;
    if (!index_.two_levels) return true;
    return OpenPartition() && (leaf_.SeekToLast() || SkipBackward());
  }
  bool Next() {
    DCHECK(valid());
    const BlockHandle before = handle();
    return Forward() && (Ascend(before, handle()) || FailUnordered(before, handle()));
  }
  bool Prev() {
    DCHECK(valid());
    const BlockHandle after = handle();
    return Backward() && (Ascend(handle(), after) || FailUnordered(handle(), after));
  }

 private:
  // Next() and Prev() without the check of handle order.
  bool Forward() {
    if (index_.is_listed()) {
      ++at_;
      return valid();
    }
    if (!index_.two_levels) return Begin(top().Next());
    return leaf_.Next() || SkipForward();
  }
  bool Backward() {
    if (index_.is_listed()) {
      --at_;
      return valid();
    }
    if (!index_.two_levels) return Begin(top().Prev());
    return leaf_.Prev() || SkipBackward();
  }
  // Handles that exceed the file are rejected when they are read.
  static bool Ascend(BlockHandle a, BlockHandle b) {
    return a.offset < b.offset && a.size < b.offset - a.offset;
  }
  bool FailUnordered(BlockHandle a, BlockHandle b);

  // The cursor in the block that the footer names. Unused with a list or with index_.partitions.
  IndexBlockCursor& top() { return top_ != nullptr ? *top_ : leaf_; }
  template <typename Order>
  bool SeekInList(Order order, const InternalKey& target) {
    auto [begin, end] = index_.heads.Search(target.user_key);
    while (begin < end) {
      const uint32_t middle = begin + (end - begin) / 2;
      const bool before =
          CompareSeparator(order, ListedKey(middle), index_.encoding.user_keys, target) < 0;
      (before ? begin : end) = before ? middle + 1 : middle;
    }
    at_ = begin;
    return valid();
  }
  // The separator of a listed block; the block was verified when the list was made.
  std::string_view ListedKey(size_t at) const;
  template <typename Order>
  bool SeekTop(Order order, const InternalKey& target) {
    if constexpr (std::is_same_v<Order, BytewiseOrder>) {
      if (!index_.heads.empty()) {
        return top().SeekFrom(order, target, index_.heads.Narrow(target.user_key));
      }
    }
    return top().Seek(order, target);
  }
  // index_.partitions only: whether at_ is on a partition; otherwise the end is reached.
  bool StandsOnPartition() {
    if (at_ < index_.partitions->index_partitions().size()) return true;
    leaf_.Detach();
    status_ = Status::Ok();
    return false;
  }
  // Whether the move of at_ succeeded if that is in use; otherwise `move` moves top().
  bool MoveTop(bool (IndexBlockCursor::*move)()) {
    return index_.partitions != nullptr ? StandsOnPartition() : Begin((top().*move)());
  }
  BlockHandle PartitionHandle() const {
    return index_.partitions != nullptr ? index_.partitions->index_partitions()[at_]
                                        : top_->handle();
  }
  // After a move of top(): notes damage.
  bool Begin(bool moved) {
    if (moved) return true;
    return FailIfDamaged(top(), index_.handle.offset);
  }
  bool FailIfDamaged(const IndexBlockCursor& cursor, uint64_t block_offset);
  bool OpenPartition();
  bool SkipForward();  // From the end of a partition to the next non-empty one.
  bool SkipBackward();

  const IndexReader& index_;
  const BlockFetcher& fetcher_;
  FetchOptions options_;
  // With a list the block, with index_.partitions the partition that this is on; one before the
  // first is the largest number.
  size_t at_ = 0;
  std::unique_ptr<IndexBlockCursor> top_;  // Of two levels that are not decoded; else null.
  IndexBlockCursor leaf_;  // In a partition, or in the one block. Unused with a list.
  std::shared_ptr<const Block> partition_block_;
  uint64_t partition_offset_ = 0;
  Status status_;
};

}  // namespace varve
