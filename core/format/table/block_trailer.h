// SPDX-License-Identifier: Apache-2.0
// Every block in a table file is followed by a 5-byte trailer.
//
//   offset         offset+size            +1                     +5
//   |   payload    | compression type (1) | checksum, LE u32 (4) |
//   |<------- checksummed --------------->|
//
// The checksum covers the block *as stored* (compressed) and the type byte, so a flipped bit is
// found before a decompressor sees it. From format_version 6 on a modifier derived from the file's
// base_context_checksum and the block's offset is added, so a valid block at the wrong offset or in
// the wrong file is detected as well.
//
// Written by: table/write/table_builder.cc.  Read by: table/block/block_fetcher.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/format/table/block_handle.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// "none", "crc32c", "xxhash", "xxhash64", "xxh3".
std::string_view ChecksumName(ChecksumType type);

// 0 if `base` is 0, which it is for every format_version below 6.
constexpr uint32_t ChecksumModifier(uint32_t base, uint64_t offset) {
  if (base == 0) return 0;
  return base ^ (static_cast<uint32_t>(offset) + static_cast<uint32_t>(offset >> 32));
}

// The value to store for `payload` followed by the type byte, at `offset` of the file.
uint32_t ComputeBlockChecksum(ChecksumType type, std::string_view payload, uint8_t compression,
                              uint32_t base_context, uint64_t offset);
// The same for bytes that already end with their type byte; 0 for "". Never copies.
uint32_t ComputeStringChecksum(ChecksumType type, std::string_view bytes, uint32_t base_context,
                               uint64_t offset);

// Extends an XXH3 of the payload, which does not include the type byte.
uint32_t FoldTypeIntoXxh3(uint64_t hash, uint8_t compression);

// Points into the bytes given to SplitTrailer().
struct StoredBlock {
  std::string_view payload;
  uint8_t compression = 0;  // As stored; CodecOf() interprets it.
};

// Splits a block from its trailer and verifies the checksum. `stored` is exactly both. Corruption
// names both values; the caller adds file@offset.
Result<StoredBlock> SplitTrailer(std::string_view stored, ChecksumType type, uint32_t base_context,
                                 uint64_t offset);
// The same without verification.
Result<StoredBlock> SplitTrailerUnverified(std::string_view stored);

// The codec that the type byte means. In a file with LevelDB's magic number, type 2 is zlib or zstd
// depending on the payload's first bytes (sst-format 5.2). NotSupported for unknown types, with the
// number.
Result<CompressionType> CodecOf(const StoredBlock& block, bool legacy_magic);

}  // namespace varve
