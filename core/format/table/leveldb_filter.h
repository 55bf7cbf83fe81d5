// SPDX-License-Identifier: Apache-2.0
// LevelDB's filter block: one small Bloom filter for each 2^lg bytes of file offset (lg = 11). The
// index is searched first, and the data block's offset selects the filter.
//
//   | filter [] | offset of each filter, LE u32 [] | offset of that array, LE u32 | lg (1) |
//   filter = | bits | probes (1) |
//
// Also used in tables of RocksDB up to 6.x, with RocksDB's variant of the hash. Read only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/hash/hash.h"
#include "core/format/table/bloom_filter.h"

namespace varve {

// A small value over bytes it does not own. Thread-compatible.
class LevelDbFilter {
 public:
  // nullopt if `block` is not such a block: then it is ignored.
  static std::optional<LevelDbFilter> Parse(std::string_view block, bool leveldb_hash);

  uint64_t filters() const { return filters_; }
  uint32_t Hash(std::string_view user_key) const {
    return leveldb_hash_ ? Hash32LevelDb(user_key, kLegacyBloomSeed)
                         : Hash32(user_key, kLegacyBloomSeed);
  }
  // Whether the data block at `block_offset` of the file may have a key with this Hash().
  bool MayMatch(uint64_t block_offset, uint32_t hash) const;

 private:
  std::string_view block_;
  uint64_t array_offset_ = 0;
  uint64_t filters_ = 0;
  uint8_t shift_ = 0;
  bool leveldb_hash_ = true;
};

}  // namespace varve
