// SPDX-License-Identifier: Apache-2.0
// IndexHeads narrows a search in a large index block before its entries are touched. The separators
// of one table mostly share a prefix; of what follows, 8 bytes of each restart key are kept as
// numbers in one array:
//
//   separators   user:0000017  user:0000042  user:0000108 ...
//   prefix       user:0000
//   heads        "017\0\0\0\0\0"  "042\0..."  "108\0..."      as big-endian u64
//
// Searching them touches a few lines of a small array where searching the block touches a cold one
// for each restart point it looks at. For the bytewise order only. Immutable, thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/iterator/key_head.h"
#include "core/table/block.h"

namespace varve {

class IndexHeads {
 public:
  // A range of restart points, both ends included.
  struct Range {
    uint32_t left = 0;
    uint32_t right = 0;
  };

  IndexHeads() = default;  // Empty: narrows nothing.
  // Stays empty if the block is small or its keys are not what they should be; whoever walks the
  // block reports that.
  IndexHeads(const Block& block, bool user_keys, bool delta_values);

  bool empty() const { return heads_.empty(); }
  uint64_t memory_bytes() const {
    return heads_.capacity() * sizeof(uint64_t) + prefix_.capacity();
  }

  // Where the last restart key before `user_key` is, or the first of all. Requires !empty().
  Range Narrow(std::string_view user_key) const {
    const auto last = static_cast<uint32_t>(heads_.size() - 1);
    const int c = user_key.substr(0, prefix_.size()).compare(prefix_);
    if (c != 0) return c < 0 ? Range{0, 0} : Range{last, last};
    const uint64_t head = KeyHead(BytewiseOrder{}, user_key.substr(prefix_.size()));
    const auto not_before = std::lower_bound(heads_.begin(), heads_.end(), head);
    auto after = not_before;  // Equal heads decide nothing; there are few.
    while (after != heads_.end() && *after == head) ++after;
    const auto lower = static_cast<uint32_t>(not_before - heads_.begin());
    const auto upper = static_cast<uint32_t>(after - heads_.begin());
    return {lower == 0 ? 0 : lower - 1, upper == 0 ? 0 : upper - 1};
  }

 private:
  std::string prefix_;
  std::vector<uint64_t> heads_;
};

}  // namespace varve
