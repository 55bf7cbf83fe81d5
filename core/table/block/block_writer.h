// SPDX-License-Identifier: Apache-2.0
// BlockWriter appends blocks to a table file: compressed if that saves an eighth, followed by the
// trailer. It does not buffer: the file does (fs/buffered_writer.h, fs/background_writer.h). One
// thread.
//
//   raw -> [raw-size prefix | compressed] or raw -> | payload | type (1) | checksum (4) | -> file
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/codec/compression.h"
#include "core/format/table/block_handle.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

struct BlockChecksumming {
  ChecksumType type = ChecksumType::kXxh3;
  uint32_t base_context = 0;  // 0 below format_version 6.
};

class BlockWriter {
 public:
  BlockWriter(WritableFile* file, BlockChecksumming checksumming)
      : file_(file), checksumming_(checksumming) {}

  // With a null `compressor` the block is stored raw; `codec` is the compressor's.
  Result<BlockHandle> Write(std::string_view raw, Compressor* compressor, CompressionType codec);
  // Writes bytes that are not a block: the footer.
  Status WriteBytes(std::string_view bytes);

  uint64_t offset() const { return offset_; }  // Of the next block.
  bool compressed_any() const { return compressed_any_; }

 private:
  WritableFile* const file_;
  const BlockChecksumming checksumming_;
  uint64_t offset_ = 0;
  bool compressed_any_ = false;
  std::string compressed_;  // Reused.
  std::string prefixed_;    // Reused: raw size and compressed_.
};

}  // namespace varve
