// SPDX-License-Identifier: Apache-2.0
// PartitionMap is the top level of a two-level index merged with that of its partitioned filter,
// decoded when the table is opened, so that one search finds the partitions of both:
//
//   index top     g            p                 z       separator of each partition's last block
//   filter top       k                     u     z       last key of each partition
//   merged        g  k         p           u     z
//   index part.   0  1         1           2     2       first whose separator is >= this one
//   filter part.  0  0         1           1     2
//
// A key belongs to the first merged separator that is not before it. For the built-in orders it is
// found by the separators' heads (sorted_heads.h); whole separators are compared only if heads are
// equal. Keys past the end are in no index partition; the last filter partition covers them.
// Immutable, thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_handle.h"
#include "core/iterator/key_head.h"
#include "core/iterator/sorted_heads.h"
#include "core/table/block/block.h"
#include "core/table/index/index_block_cursor.h"
#include "varve/comparator.h"

namespace varve {

class PartitionMap {
 public:
  struct Place {
    uint32_t index = 0;   // index_partitions().size(): past the end.
    uint32_t filter = 0;  // Meaningless without a filter.
  };

  // `filter_top` may be null. Returns null if a top level is damaged, empty or out of order
  // (readers of the block report that), and if it would take many times its stored size in memory.
  static std::unique_ptr<const PartitionMap> Make(const Comparator& comparator,
                                                  const Block& index_top, const Block* filter_top,
                                                  const IndexEncoding& encoding);

  const std::vector<BlockHandle>& index_partitions() const { return index_; }
  const std::vector<BlockHandle>& filter_partitions() const { return filter_; }
  uint64_t memory_bytes() const;

  // `order` is that of the comparator given to Make().
  template <typename Order>
  Place Find(Order order, const InternalKey& target) const {
    DCHECK_OP(places_.size(), ==, bounds_.size() + 1);
    size_t begin = 0, end = bounds_.size();
    if (heads_.size() != 0) {
      const int c = ToPrefix(order, target.user_key);
      if (c != 0) return places_[c < 0 ? 0 : end];
      const uint64_t head = KeyHead(order, target.user_key.substr(prefix_.size()));
      begin = end = heads_.LowerBound(head);
      while (end < heads_.size() && heads_[end] == head) ++end;
    }
    while (begin < end) {
      const size_t middle = begin + (end - begin) / 2;
      if (CompareToBound(order, middle, target) < 0) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return places_[begin];
  }

 private:
  struct Bound {
    uint64_t offset = 0;  // Of its user key in keys_.
    uint32_t size = 0;
    uint64_t packed = 0;  // Unless separators are bare user keys.
  };
  struct Top;

  std::string_view UserKey(size_t bound) const {
    DCHECK_OP(bound, <, bounds_.size());
    return std::string_view(keys_).substr(bounds_[bound].offset, bounds_[bound].size);
  }
  // < 0 if the bound is before the target.
  template <typename Order>
  int CompareToBound(Order order, size_t bound, const InternalKey& target) const {
    if (const int c = order(UserKey(bound), target.user_key); c != 0 || user_keys_) return c;
    const uint64_t packed = bounds_[bound].packed, wanted = target.packed();
    return packed > wanted ? -1 : (packed < wanted ? 1 : 0);
  }
  // Compares `user_key` with keys that begin with the common prefix.
  int ToPrefix(BytewiseOrder, std::string_view user_key) const {
    return user_key.substr(0, prefix_.size()).compare(prefix_);
  }
  int ToPrefix(ReverseBytewiseOrder, std::string_view user_key) const {
    return -ToPrefix(BytewiseOrder{}, user_key);
  }
  int ToPrefix(VirtualOrder, std::string_view) const { return 0; }

  void Append(const Top& top, size_t i);
  void MakeHeads(const Comparator& comparator);

  bool user_keys_ = false;
  std::string keys_;
  std::vector<Bound> bounds_;  // Merged, ascending.
  std::vector<Place> places_;  // One for each bound, and one past the end.
  std::vector<BlockHandle> index_, filter_;
  std::string prefix_;  // Of all user keys.
  SortedHeads heads_;   // Empty under an order that is not built in.
};

}  // namespace varve
