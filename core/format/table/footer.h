// SPDX-License-Identifier: Apache-2.0
// The footer ends a table file and is the only part found by position. Its last 8 bytes, the magic
// number, determine which of three forms it has.
//
// LevelDB and format_version 0, 48 bytes:
//   0   metaindex handle, index handle, zeros to 40
//   40  magic DB4775248B80FB57
//
// format_version 1-5, 53 bytes:
//   0   checksum type (1)
//   1   metaindex handle, index handle, zeros to 41
//   41  format_version, LE u32
//   45  magic 88E241B785F4CFF7
//
// format_version 6-7, 53 bytes:
//   0   checksum type (1)
//   1   3E 00 7A 00
//   5   checksum of the footer, LE u32, computed with these four bytes zero
//   9   base_context_checksum, LE u32, not 0
//   13  size of the metaindex block, LE u32; it ends with its trailer where the footer begins
//   17  24 zeros
//   41  format_version, LE u32
//   45  magic
// In this form the index handle is the metaindex entry "rocksdb.index".
//
// Written by: table/write/table_builder.cc.  Read by: table/read/table_reader.cc, inspect/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/format/table/block_handle.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

inline constexpr uint64_t kLegacyFooterSize = 48;
inline constexpr uint64_t kFooterSize = 53;  // Read this many bytes, or the whole smaller file.
inline constexpr uint32_t kFormatVersionMax = 7;

struct Footer {
  bool legacy_magic = false;  // LevelDB, or RocksDB's format_version 0.
  uint32_t format_version = 0;
  ChecksumType checksum = ChecksumType::kCrc32c;
  BlockHandle metaindex;
  std::optional<BlockHandle> index;    // Absent from format_version 6 on.
  uint32_t base_context_checksum = 0;  // 0 below format_version 6.
  // Offset of the footer in the file; all blocks end before it.
  uint64_t offset = 0;

  uint64_t size() const { return legacy_magic ? kLegacyFooterSize : kFooterSize; }
};

// `tail` is at least the last min(file_size, kFooterSize) bytes of the file. Corruption: too short,
// unknown magic number, a handle outside the file, a wrong footer checksum. NotSupported, naming
// it: PlainTable, CuckooTable, a newer format_version, an unknown checksum type.
Result<Footer> DecodeFooter(std::string_view tail, uint64_t file_size);

// Requires format_version 2-7 and what that implies: an index handle up to version 5; from 6 on a
// nonzero base and a metaindex that ends at `offset`.
void AppendFooter(std::string* out, const Footer& footer);

}  // namespace varve
