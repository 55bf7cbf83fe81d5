// SPDX-License-Identifier: Apache-2.0
// Blocks of tables that tests make by hand.
#pragma once

#include <string>

#include "core/base/bytes/byte_writer.h"
#include "core/format/table/block_trailer.h"

namespace varve {

// Appends the trailer to *block, which contains only the payload.
inline void AppendBlockTrailer(std::string* block, CompressionType compression, ChecksumType type,
                               uint32_t base_context, uint64_t offset) {
  block->push_back(static_cast<char>(compression));
  AppendFixed32(block, ComputeStringChecksum(type, *block, base_context, offset));
}

}  // namespace varve
