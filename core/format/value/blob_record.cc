// SPDX-License-Identifier: Apache-2.0
#include "core/format/value/blob_record.h"

#include <string>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve {
namespace {

constexpr uint32_t kMagic = 0x00248F37;
constexpr uint32_t kVersion = 1;
constexpr uint8_t kFlagHasExpiration = 1;
constexpr uint64_t kRecordCrcCovers = 24;
constexpr uint64_t kFooterCrcCovers = 28;

constexpr uint8_t kIndexInlinedWithExpiration = 0;
constexpr uint8_t kIndexBlob = 1;
constexpr uint8_t kIndexBlobWithExpiration = 2;

Status CheckCrc(std::string_view what, MaskedCrc computed, MaskedCrc stored) {
  if (computed == stored) return {};
  return Status::Corruption(std::string(what) + ": checksum is " + Hex(computed.value, 8) +
                            ", it says " + Hex(stored.value, 8));
}

Status WrongSize(std::string_view what, uint64_t size, uint64_t expected) {
  return Status::Corruption(std::string(what) + " of " + std::to_string(size) + " bytes, not " +
                            std::to_string(expected));
}

Status CheckMagic(std::string_view what, uint32_t magic) {
  if (magic == kMagic) return {};
  return Status::Corruption(std::string(what) + ": magic number is " + Hex(magic, 8) + ", not " +
                            Hex(kMagic, 8));
}

}  // namespace

void AppendBlobFileHeader(const BlobFileHeader& header, std::string* out) {
  AppendFixed32(out, kMagic);
  AppendFixed32(out, kVersion);
  AppendFixed32(out, header.family);
  out->push_back(static_cast<char>(header.has_expiration ? kFlagHasExpiration : 0));
  out->push_back(static_cast<char>(header.compression));
  AppendFixed64(out, 0);
  AppendFixed64(out, 0);
}

void AppendBlobRecordHeader(std::string_view key, std::string_view value, std::string* out) {
  const size_t begin = out->size();
  AppendFixed64(out, key.size());
  AppendFixed64(out, value.size());
  AppendFixed64(out, 0);
  const std::string_view covered = std::string_view(*out).substr(begin, kRecordCrcCovers);
  AppendFixed32(out, Mask(ComputeCrc32c(covered)).value);
  AppendFixed32(out, Mask(ExtendCrc32c(ComputeCrc32c(key), value)).value);
}

void AppendBlobFileFooter(const BlobFileFooter& footer, std::string* out) {
  const size_t begin = out->size();
  AppendFixed32(out, kMagic);
  AppendFixed64(out, footer.blobs);
  AppendFixed64(out, 0);
  AppendFixed64(out, 0);
  const std::string_view covered = std::string_view(*out).substr(begin, kFooterCrcCovers);
  AppendFixed32(out, Mask(ComputeCrc32c(covered)).value);
}

void AppendBlobIndex(const BlobIndex& index, std::string* out) {
  out->push_back(static_cast<char>(kIndexBlob));
  AppendVarint64(out, index.file);
  AppendVarint64(out, index.offset);
  AppendVarint64(out, index.size);
  out->push_back(static_cast<char>(index.compression));
}

Result<BlobFileHeader> DecodeBlobFileHeader(std::string_view bytes) {
  if (bytes.size() != kBlobFileHeaderSize) {
    return WrongSize("blob file header", bytes.size(), kBlobFileHeaderSize);
  }
  ByteReader in(bytes);
  uint32_t magic = 0, version = 0;
  uint8_t flags = 0, compression = 0;
  BlobFileHeader header;
  in.ReadFixed32(&magic);
  in.ReadFixed32(&version);
  in.ReadFixed32(&header.family);
  in.ReadByte(&flags);
  in.ReadByte(&compression);  // The two expirations that follow are zero or ignored.
  RETURN_IF_ERROR(CheckMagic("blob file header", magic));
  if (version != kVersion) {
    return Status::NotSupported("blob file of version " + std::to_string(version));
  }
  header.has_expiration = (flags & kFlagHasExpiration) != 0;
  header.compression = static_cast<CompressionType>(compression);
  return header;
}

Result<BlobRecordHeader> DecodeBlobRecordHeader(std::string_view bytes) {
  if (bytes.size() != kBlobRecordHeaderSize) {
    return WrongSize("blob record header", bytes.size(), kBlobRecordHeaderSize);
  }
  ByteReader in(bytes);
  uint64_t expiration = 0;
  MaskedCrc crc;
  BlobRecordHeader header;
  in.ReadFixed64(&header.key_size);
  in.ReadFixed64(&header.value_size);
  in.ReadFixed64(&expiration);
  in.ReadFixed32(&crc.value);
  in.ReadFixed32(&header.blob_crc.value);
  CHECK(in.empty());
  RETURN_IF_ERROR(
      CheckCrc("blob record header", Mask(ComputeCrc32c(bytes.substr(0, kRecordCrcCovers))), crc));
  return header;
}

Result<BlobFileFooter> DecodeBlobFileFooter(std::string_view bytes) {
  if (bytes.size() != kBlobFileFooterSize) {
    return WrongSize("blob file footer", bytes.size(), kBlobFileFooterSize);
  }
  ByteReader in(bytes);
  uint32_t magic = 0;
  uint64_t expiration = 0;
  MaskedCrc crc;
  BlobFileFooter footer;
  in.ReadFixed32(&magic);
  in.ReadFixed64(&footer.blobs);
  in.ReadFixed64(&expiration);
  in.ReadFixed64(&expiration);
  in.ReadFixed32(&crc.value);
  CHECK(in.empty());
  RETURN_IF_ERROR(CheckMagic("blob file footer", magic));
  RETURN_IF_ERROR(
      CheckCrc("blob file footer", Mask(ComputeCrc32c(bytes.substr(0, kFooterCrcCovers))), crc));
  return footer;
}

Status CheckBlob(const BlobRecordHeader& record, std::string_view key, std::string_view value) {
  if (record.key_size != key.size() || record.value_size != value.size()) {
    return Status::Corruption("blob record of a key of " + std::to_string(record.key_size) +
                              " and a value of " + std::to_string(record.value_size) +
                              " bytes, expected " + std::to_string(key.size()) + " and " +
                              std::to_string(value.size()));
  }
  return CheckCrc("blob", Mask(ExtendCrc32c(ComputeCrc32c(key), value)), record.blob_crc);
}

Result<BlobIndex> DecodeBlobIndex(std::string_view bytes, std::string_view key) {
  ByteReader in(bytes);
  uint8_t kind = 0, compression = 0;
  if (!in.ReadByte(&kind)) return Status::Corruption("empty blob index");
  if (kind == kIndexInlinedWithExpiration || kind == kIndexBlobWithExpiration) {
    return Status::NotSupported("blob index with an expiration");
  }
  if (kind != kIndexBlob) {
    return Status::Corruption("blob index of unknown kind " + std::to_string(kind));
  }
  BlobIndex index;
  const bool fits = in.ReadVarint64(&index.file) && in.ReadVarint64(&index.offset) &&
                    in.ReadVarint64(&index.size) && in.ReadByte(&compression);
  if (!fits || !in.empty()) {
    return Status::Corruption("blob index of " + std::to_string(bytes.size()) +
                              " bytes does not hold exactly its fields");
  }
  if (index.file == 0) return Status::NotSupported("blob inside its own table");
  if (index.offset < kBlobFileHeaderSize + kBlobRecordHeaderSize + key.size()) {
    return Status::Corruption("blob index: offset " + std::to_string(index.offset) +
                              " is in front of any record of its key");
  }
  index.compression = static_cast<CompressionType>(compression);
  return index;
}

}  // namespace varve
