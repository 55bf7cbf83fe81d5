// SPDX-License-Identifier: Apache-2.0
// A BlockHandle is the position of a block in its table file.
//
//   | offset (varint64) | size (varint64) |
//
// `size` is the number of stored bytes without the 5-byte trailer that follows every block. (0, 0)
// is the null handle; any handle of size 0 means "absent" (an empty filter partition).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/bytes/byte_reader.h"
#include "varve/result.h"

namespace varve {

inline constexpr uint64_t kBlockTrailerSize = 5;
static_assert(kBlockTrailerSize == 1 + sizeof(uint32_t));  // Compression type and checksum.

struct BlockHandle {
  uint64_t offset = 0;
  uint64_t size = 0;

  bool is_null() const { return offset == 0 && size == 0; }
  // Where the next block begins without padding. Only valid for a handle that FitsBelow the file's
  // end.
  uint64_t end() const { return offset + size + kBlockTrailerSize; }
  // Whether block and trailer end at or before `limit` (the footer's offset). Safe for any values.
  bool FitsBelow(uint64_t limit) const {
    return limit >= kBlockTrailerSize && size <= limit - kBlockTrailerSize &&
           offset <= limit - kBlockTrailerSize - size;
  }
  bool operator==(const BlockHandle&) const = default;
};

inline constexpr uint64_t kBlockHandleSizeMax = 20;  // Two varint64 of ten bytes.

void AppendBlockHandle(std::string* out, BlockHandle handle);
bool ReadBlockHandle(ByteReader* in, BlockHandle* out);
// Decodes a handle at the start of `bytes`, ignoring what follows it, as other implementations do.
Result<BlockHandle> DecodeBlockHandle(std::string_view bytes);

}  // namespace varve
