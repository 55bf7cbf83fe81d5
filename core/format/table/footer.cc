// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/footer.h"

#include <limits>
#include <utility>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/table/block_trailer.h"

namespace varve {

namespace {

constexpr uint64_t kLegacyMagic = 0xDB4775248B80FB57;
constexpr uint64_t kBlockBasedMagic = 0x88E241B785F4CFF7;
constexpr uint64_t kPlainTableMagic = 0x8242229663BF9564;
constexpr uint64_t kPlainTableLegacyMagic = 0x4F3418EB7A8F13B8;
constexpr uint64_t kCuckooTableMagic = 0x926789D0C5F17873;

constexpr size_t kMagicSize = 8;
constexpr size_t kVersionAt = 41;
constexpr size_t kHandlesSize = 40;
static_assert(kHandlesSize == 2 * kBlockHandleSizeMax);
static_assert(kLegacyFooterSize == kHandlesSize + kMagicSize);
static_assert(kFooterSize == 1 + kHandlesSize + 4 + kMagicSize);

// From format_version 6 on.
constexpr std::string_view kExtendedMagic("\x3E\x00\x7A\x00", 4);
constexpr size_t kChecksumAt = 5;
constexpr size_t kMustBeZeroAt = 33;
constexpr std::string_view kEightZeros("\0\0\0\0\0\0\0\0", 8);

Result<ChecksumType> ToChecksumType(uint8_t byte) {
  if (byte > static_cast<uint8_t>(ChecksumType::kXxh3)) {
    return Status::NotSupported("checksum type " + std::to_string(byte) +
                                ": the file was written by a newer version");
  }
  return static_cast<ChecksumType>(byte);
}

Status CheckHandle(const char* name, BlockHandle handle, uint64_t footer_offset) {
  if (handle.FitsBelow(footer_offset)) return Status::Ok();
  return Status::Corruption("the footer's " + std::string(name) + " handle (offset " +
                            std::to_string(handle.offset) + ", size " +
                            std::to_string(handle.size) + ") does not fit below the footer at " +
                            std::to_string(footer_offset));
}

// `bytes`: both handles and their padding.
Status DecodeHandles(std::string_view bytes, Footer* footer) {
  CHECK_OP(bytes.size(), ==, kHandlesSize);
  ByteReader in(bytes);
  BlockHandle index;
  if (!ReadBlockHandle(&in, &footer->metaindex) || !ReadBlockHandle(&in, &index)) {
    return Status::Corruption("the footer's block handles are broken");
  }
  footer->index = index;
  RETURN_IF_ERROR(CheckHandle("metaindex", footer->metaindex, footer->offset));
  return CheckHandle("index", index, footer->offset);
}

uint32_t FooterChecksum(std::string bytes, const Footer& footer) {
  CHECK_OP(bytes.size(), ==, kFooterSize);
  StoreFixed32(bytes.data() + kChecksumAt, 0);
  return ComputeStringChecksum(footer.checksum, bytes, footer.base_context_checksum, footer.offset);
}

Status DecodeExtended(std::string_view bytes, Footer* footer) {
  CHECK_OP(bytes.size(), ==, kFooterSize);
  if (bytes.substr(1, kExtendedMagic.size()) != kExtendedMagic) {
    return Status::Corruption("the footer lacks the extended magic of format_version 6");
  }
  const uint32_t stored = LoadFixed32(bytes.data() + kChecksumAt);
  footer->base_context_checksum = LoadFixed32(bytes.data() + kChecksumAt + 4);
  if (footer->base_context_checksum == 0) {
    return Status::Corruption("the footer's base_context_checksum is 0");
  }
  const uint32_t computed = FooterChecksum(std::string(bytes), *footer);
  if (computed != stored) {
    return Status::Corruption("the footer's checksum is " + Hex(computed, 8) + ", it says " +
                              Hex(stored, 8));
  }
  // Checked after the checksum: damage must not look like a newer version.
  if (bytes.substr(kMustBeZeroAt, kEightZeros.size()) != kEightZeros) {
    return Status::NotSupported("the footer uses bytes reserved for newer versions");
  }
  const uint64_t size = LoadFixed32(bytes.data() + kChecksumAt + 8);
  if (size + kBlockTrailerSize > footer->offset) {
    return Status::Corruption("a metaindex of " + std::to_string(size) +
                              " bytes does not fit below the footer at " +
                              std::to_string(footer->offset));
  }
  footer->metaindex = {footer->offset - kBlockTrailerSize - size, size};
  return Status::Ok();
}

Status UnknownMagic(uint64_t magic) {
  switch (magic) {
    case kPlainTableMagic:
    case kPlainTableLegacyMagic:
      return Status::NotSupported("a RocksDB PlainTable; only block-based tables can be read");
    case kCuckooTableMagic:
      return Status::NotSupported("a RocksDB CuckooTable; only block-based tables can be read");
    default:
      return Status::Corruption("not a table: it ends with " + Hex(magic, 16) +
                                " instead of a table's magic number (or its end is damaged)");
  }
}

}  // namespace

Result<Footer> DecodeFooter(std::string_view tail, uint64_t file_size) {
  CHECK(tail.size() <= file_size);
  CHECK(tail.size() == file_size || tail.size() >= kFooterSize);
  if (tail.size() < kLegacyFooterSize) {
    return Status::Corruption("a file of " + std::to_string(file_size) +
                              " bytes is too short to be a table");
  }
  const uint64_t magic = LoadFixed64(tail.data() + tail.size() - kMagicSize);
  Footer footer;
  if (magic == kLegacyMagic) {
    footer.legacy_magic = true;
    footer.offset = file_size - kLegacyFooterSize;
    RETURN_IF_ERROR(
        DecodeHandles(tail.substr(tail.size() - kLegacyFooterSize, kHandlesSize), &footer));
    return footer;
  }
  if (magic != kBlockBasedMagic) return UnknownMagic(magic);
  if (tail.size() < kFooterSize) {
    return Status::Corruption("a file of " + std::to_string(file_size) +
                              " bytes is too short for its footer");
  }
  const std::string_view bytes = tail.substr(tail.size() - kFooterSize);
  footer.offset = file_size - kFooterSize;
  footer.format_version = LoadFixed32(bytes.data() + kVersionAt);
  if (footer.format_version > kFormatVersionMax) {
    return Status::NotSupported("format_version " + std::to_string(footer.format_version) +
                                ": the file was written by a newer version");
  }
  ASSIGN_OR_RETURN(footer.checksum, ToChecksumType(static_cast<uint8_t>(bytes[0])));
  RETURN_IF_ERROR(footer.format_version >= 6
                      ? DecodeExtended(bytes, &footer)
                      : DecodeHandles(bytes.substr(1, kHandlesSize), &footer));
  return footer;
}

void AppendFooter(std::string* out, const Footer& footer) {
  CHECK(!footer.legacy_magic);
  CHECK(footer.format_version >= 2);
  CHECK(footer.format_version <= kFormatVersionMax);
  const bool extended = footer.format_version >= 6;
  std::string bytes(1, static_cast<char>(footer.checksum));
  if (extended) {
    CHECK(footer.base_context_checksum != 0);
    CHECK(footer.metaindex.end() == footer.offset);
    bytes.append(kExtendedMagic);
    AppendFixed32(&bytes, 0);
    AppendFixed32(&bytes, footer.base_context_checksum);
    CHECK_OP(footer.metaindex.size, <=, std::numeric_limits<uint32_t>::max());
    AppendFixed32(&bytes, static_cast<uint32_t>(footer.metaindex.size));
  } else {
    CHECK(footer.index.has_value());
    CHECK(footer.base_context_checksum == 0);
    AppendBlockHandle(&bytes, footer.metaindex);
    AppendBlockHandle(&bytes, *footer.index);
  }
  CHECK_OP(bytes.size(), <=, kVersionAt);
  bytes.resize(kVersionAt, '\0');
  AppendFixed32(&bytes, footer.format_version);
  AppendFixed64(&bytes, kBlockBasedMagic);
  CHECK(bytes.size() == kFooterSize);
  if (extended) StoreFixed32(bytes.data() + kChecksumAt, FooterChecksum(bytes, footer));
  out->append(bytes);
}

}  // namespace varve
