// SPDX-License-Identifier: Apache-2.0
// RestartHints is a small index over a data block's restart points, stored with the block's
// outline:
//
//   | common prefix | head[0..7) | which restart point each head is of | offsets |
//
// A lookup in a cached block is a chain of cache misses: the outline, the restart array at the
// block's end, a restart key for each step of the binary search, the entries. With the hints it is
// the outline and the entries. A head is the 8 bytes after the prefix as a big-endian number; more
// than seven restart points are sampled. Every cached block has hints, so they are small; blocks
// with 64 KiB of entries or more have none. For the bytewise order only; a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/format/table/block_view.h"
#include "core/iterator/key_head.h"

namespace varve {

class RestartHints {
 public:
  // A range of restart points, both ends included.
  struct Range {
    uint32_t left = 0;
    uint32_t right = 0;
  };

  RestartHints() = default;  // Empty: Narrow() must not be called.
  // Keys are internal keys. Stays empty if they are malformed, which readers of the block report.
  explicit RestartHints(const BlockView& block);

  bool empty() const { return count_ == 0; }
  // Whether it is empty because user keys of restart points do not ascend, so that a binary search
  // may be wrong. Entries between the restart points are not checked.
  bool disordered() const { return disordered_; }
  // Whether it has the offsets of all restart points.
  bool complete() const { return complete_; }
  uint32_t offset(uint32_t restart) const {
    DCHECK(complete_ && restart < count_);
    return offsets_[restart];
  }

  // A range that contains the last restart key before `user_key`, or the first one if there is
  // none. Requires !empty().
  Range Narrow(std::string_view user_key) const {
    DCHECK(!empty());
    const std::string_view prefix(prefix_, prefix_size_);
    const int c = user_key.substr(0, prefix.size()).compare(prefix);
    if (c != 0) return c < 0 ? Range{0, 0} : Range{restarts_[count_ - 1], last_restart_};
    const uint64_t head = KeyHead(BytewiseOrder{}, user_key.substr(prefix_size_));
    uint32_t below = 0, not_above = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      below += heads_[i] < head;
      not_above += heads_[i] <= head;
    }
    return {
        below == 0 ? 0u : restarts_[below - 1],
        not_above == count_ ? last_restart_ : (not_above == 0 ? 0u : restarts_[not_above] - 1u)};
  }

 private:
  static constexpr uint32_t kHeadsMax = 7;
  static constexpr size_t kPrefixMax = 32;

  uint8_t count_ = 0;
  uint8_t prefix_size_ = 0;
  bool complete_ = false;
  bool disordered_ = false;
  uint16_t last_restart_ = 0;
  char prefix_[kPrefixMax];
  uint64_t heads_[kHeadsMax];
  uint16_t restarts_[kHeadsMax];
  uint16_t offsets_[kHeadsMax];
};

}  // namespace varve
