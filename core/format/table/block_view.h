// SPDX-License-Identifier: Apache-2.0
// BlockView is the outline of a decompressed key/value block: the positions of its parts.
//
//   | entries | restart offsets, LE u32[] | [buckets, u8[] | bucket count, LE u16] | last word |
//   | keys | values | restart offsets | [hash index] | size of keys, LE u32 | last word |
//
//   last word, LE u32:  bit 31 hash index, bit 29 restart keys evenly spaced (a hint),
//                       bit 28 keys and values separated (the second form), bits 27-0 restarts
//
// ParseBlock() validates the outline once: the parts are within the block, restart offsets begin
// with 0, ascend strictly and point into the entries. Entries themselves are validated when they
// are read (block_entry.h). A view of immutable bytes that it does not own: thread-compatible.
//
// Written by: block_builder.cc.  Read by: table/block/block_cursor.h, block_walker.h.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/check.h"
#include "varve/result.h"

namespace varve {

struct BlockView {
  std::string_view block;
  std::string_view entries;        // Of the separated form: the keys.
  std::string_view values;         // Of the separated form only.
  const char* restarts = nullptr;  // num_restarts LE u32, unaligned.
  uint32_t num_restarts = 0;       // 0 if there are no entries.
  const uint8_t* buckets = nullptr;
  uint32_t num_buckets = 0;  // 0: no hash index.
  bool separated = false;
  bool evenly_spaced = false;

  bool empty() const { return entries.empty(); }
  const char* limit() const { return entries.data() + entries.size(); }
  // Requires i < num_restarts. The result is within the entries.
  uint32_t restart_offset(uint32_t i) const {
    DCHECK_OP(i, <, num_restarts);
    uint32_t offset;
    std::memcpy(&offset, restarts + size_t{4} * i, sizeof(offset));
    return offset;
  }
  const char* restart(uint32_t i) const { return entries.data() + restart_offset(i); }
  // The last restart point below `end`, or the first one. Requires a non-empty block.
  uint32_t RestartBelow(uint32_t end) const;
};

// Corruption: not a block. NotSupported: an unknown bit in the last word.
Result<BlockView> ParseBlock(std::string_view block);

// Maps user keys to restart intervals in a block with a hash index (sst-format 6.3).
inline constexpr uint32_t kHashIndexSeed = 397;
inline constexpr uint8_t kBucketEmpty = 255;  // No key of the block hashes here.
// Keys of several restart intervals do: search them all.
inline constexpr uint8_t kBucketCollision = 254;

}  // namespace varve
