// SPDX-License-Identifier: Apache-2.0
// Blob files: large values that are kept outside the tables (db-format section 9).
//
//   | header (30) | record* | footer (32; missing if the writer crashed) |
//
//   header: | magic u32 | version u32 | family u32 | flags u8 | compression u8
//           | expiration u64 x2 |
//   record: | key size u64 | value size u64 | expiration u64 | crc u32 | crc u32 | key | value |
//   footer: | magic u32 | blob count u64 | expiration u64 x2 | crc u32 |
//
// All LE. A record's first crc covers the 24 bytes in front of it, its second key and value; the
// footer's covers the rest of the footer. All are masked. The value is stored compressed.
//
// The value of a ValueType::kBlobIndex entry says where its blob is:
//
//   | 1 | file number varint64 | offset varint64 | size varint64 | compression u8 |
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/hash/crc32c.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

inline constexpr uint64_t kBlobFileHeaderSize = 30;
inline constexpr uint64_t kBlobRecordHeaderSize = 32;
inline constexpr uint64_t kBlobFileFooterSize = 32;

struct BlobFileHeader {
  ColumnFamilyId family = kDefaultColumnFamilyId;
  bool has_expiration = false;
  // Any byte; decompression rejects unknown codecs.
  CompressionType compression = CompressionType::kNone;
};

struct BlobRecordHeader {
  uint64_t key_size = 0;
  uint64_t value_size = 0;  // As stored.
  MaskedCrc blob_crc;
};

struct BlobFileFooter {
  uint64_t blobs = 0;
};

void AppendBlobFileHeader(const BlobFileHeader& header, std::string* out);
// The header of the record of `value`, as stored. The key and the value follow it.
void AppendBlobRecordHeader(std::string_view key, std::string_view value, std::string* out);
void AppendBlobFileFooter(const BlobFileFooter& footer, std::string* out);

// Each takes exactly as many bytes as the constants above say, and validates everything that can be
// checked. Corruption otherwise.
Result<BlobFileHeader> DecodeBlobFileHeader(std::string_view bytes);
Result<BlobRecordHeader> DecodeBlobRecordHeader(std::string_view bytes);
Result<BlobFileFooter> DecodeBlobFileFooter(std::string_view bytes);

// Corruption, naming both checksums, if `key` or the stored `value` does not match the record.
Status CheckBlob(const BlobRecordHeader& record, std::string_view key, std::string_view value);

struct BlobIndex {
  FileNumber file = 0;
  uint64_t offset = 0;  // Of the stored value, behind the record's header and key.
  uint64_t size = 0;    // Of the stored value.
  CompressionType compression = CompressionType::kNone;

  // Bytes of the record, as the MANIFEST counts them.
  uint64_t RecordSize(std::string_view key) const {
    return kBlobRecordHeaderSize + key.size() + size;
  }
  // Offset of the record that holds the value of `key`.
  uint64_t RecordOffset(std::string_view key) const {
    return offset - key.size() - kBlobRecordHeaderSize;
  }
};

void AppendBlobIndex(const BlobIndex& index, std::string* out);
// Corruption also if no record of `key` can be at the given offset. NotSupported: an index with an
// expiration (the old stackable BlobDB) or into its own table (RocksDB 11's embedded blobs).
Result<BlobIndex> DecodeBlobIndex(std::string_view bytes, std::string_view key);

}  // namespace varve
