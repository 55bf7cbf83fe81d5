// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_trailer.h"

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/hash/crc32c.h"
#include "core/base/hash/hash.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve {

namespace {

uint32_t FoldedXxh3(std::string_view payload, uint8_t last) {
  return FoldTypeIntoXxh3(Xxh3_64(payload), last);
}

uint32_t PlainStringChecksum(ChecksumType type, std::string_view bytes) {
  if (bytes.empty()) return 0;
  switch (type) {
    case ChecksumType::kNone:
      return 0;
    case ChecksumType::kCrc32c:
      return Mask(ComputeCrc32c(bytes)).value;
    case ChecksumType::kXxh32:
      return Xxh32(bytes);
    case ChecksumType::kXxh64:
      return static_cast<uint32_t>(Xxh64(bytes));
    case ChecksumType::kXxh3:
      return FoldedXxh3(bytes.substr(0, bytes.size() - 1), static_cast<uint8_t>(bytes.back()));
  }
  CHECK(false);
}

}  // namespace

uint32_t FoldTypeIntoXxh3(uint64_t hash, uint8_t compression) {
  return static_cast<uint32_t>(hash) ^ (compression * 0x6B9083D9u);
}

uint32_t ComputeStringChecksum(ChecksumType type, std::string_view bytes, uint32_t base_context,
                               uint64_t offset) {
  return PlainStringChecksum(type, bytes) + ChecksumModifier(base_context, offset);
}

uint32_t ComputeBlockChecksum(ChecksumType type, std::string_view payload, uint8_t compression,
                              uint32_t base_context, uint64_t offset) {
  const uint32_t modifier = ChecksumModifier(base_context, offset);
  const char last = static_cast<char>(compression);
  switch (type) {
    case ChecksumType::kNone:
      return modifier;
    case ChecksumType::kCrc32c:
      return Mask(ExtendCrc32c(ComputeCrc32c(payload), {&last, 1})).value + modifier;
    case ChecksumType::kXxh3:
      return FoldedXxh3(payload, compression) + modifier;
    case ChecksumType::kXxh32:
    case ChecksumType::kXxh64:
      break;
  }
  // These two have no incremental form; they are rarely used, so copying is acceptable.
  std::string whole;
  whole.reserve(payload.size() + 1);
  whole.append(payload).push_back(last);
  return PlainStringChecksum(type, whole) + modifier;
}

Result<StoredBlock> SplitTrailer(std::string_view stored, ChecksumType type, uint32_t base_context,
                                 uint64_t offset) {
  ASSIGN_OR_RETURN(const StoredBlock block, SplitTrailerUnverified(stored));
  const uint32_t expected = LoadFixed32(stored.data() + stored.size() - sizeof(uint32_t));
  const std::string_view covered = stored.substr(0, stored.size() - sizeof(uint32_t));
  const uint32_t computed = ComputeStringChecksum(type, covered, base_context, offset);
  if (computed != expected) {
    return Status::Corruption("the block's checksum is " + Hex(computed, 8) +
                              ", its trailer says " + Hex(expected, 8));
  }
  return block;
}

Result<StoredBlock> SplitTrailerUnverified(std::string_view stored) {
  if (stored.size() < kBlockTrailerSize) {
    return Status::Corruption("a block of " + std::to_string(stored.size()) +
                              " bytes has no room for its trailer");
  }
  const size_t size = stored.size() - kBlockTrailerSize;
  return StoredBlock{stored.substr(0, size), static_cast<uint8_t>(stored[size])};
}

Result<CompressionType> CodecOf(const StoredBlock& block, bool legacy_magic) {
  constexpr uint8_t kZstdBeforeItWasFinal = 0x40;
  constexpr uint8_t kFirstUserDefined = 0x80;
  constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

  const uint8_t type = block.compression;
  if (legacy_magic && type == static_cast<uint8_t>(CompressionType::kZlib) &&
      block.payload.starts_with(kZstdMagic)) {
    return CompressionType::kZstd;
  }
  if (type <= static_cast<uint8_t>(CompressionType::kZstd)) {
    return static_cast<CompressionType>(type);
  }
  if (type == kZstdBeforeItWasFinal) return CompressionType::kZstd;
  return Status::NotSupported(
      (type >= kFirstUserDefined ? "a user-defined compression, type 0x" : "compression type 0x") +
      Hex(type, 2));
}

std::string_view ChecksumName(ChecksumType type) {
  switch (type) {
    case ChecksumType::kNone:
      return "none";
    case ChecksumType::kCrc32c:
      return "crc32c";
    case ChecksumType::kXxh32:
      return "xxhash";
    case ChecksumType::kXxh64:
      return "xxhash64";
    case ChecksumType::kXxh3:
      return "xxh3";
  }
  return "unknown";
}

}  // namespace varve
