// SPDX-License-Identifier: Apache-2.0
#include "core/base/codec/compression.h"

#include <algorithm>

#include "core/base/codec/codec.h"

namespace varve {
namespace {

class NoCompressor final : public Compressor {
 public:
  bool Encode(std::string_view, std::string*) override { return false; }
};

// The meaning of RocksDB's default level.
int LevelOf(CompressionType type, int level) {
  if (level != TableOptions::kDefaultCompressionLevel) return level;
  switch (type) {
    case CompressionType::kZlib:
      return -1;  // The library's own.
    case CompressionType::kZstd:
      return 3;
    case CompressionType::kLz4:
      return 1;
    default:
      return 0;
  }
}

Status NotHere(CompressionType type) {
  return Status::NotSupported("compression type " + std::to_string(static_cast<int>(type)) + " (" +
                              std::string(CompressionName(type)) + ") is not built in");
}

}  // namespace

std::string_view CompressionName(CompressionType type) {
  switch (type) {
    case CompressionType::kNone:
      return "NoCompression";
    case CompressionType::kSnappy:
      return "Snappy";
    case CompressionType::kZlib:
      return "Zlib";
    case CompressionType::kBzip2:
      return "BZip2";
    case CompressionType::kLz4:
      return "LZ4";
    case CompressionType::kLz4hc:
      return "LZ4HC";
    case CompressionType::kXpress:
      return "Xpress";
    case CompressionType::kZstd:
      return "ZSTD";
  }
  return "Unknown";
}

Result<std::unique_ptr<Compressor>> Compressor::Create(CompressionType type, int level,
                                                       std::string_view dictionary) {
  level = LevelOf(type, level);
  if (dictionary.size() > kMaxCodecBytes) {
    return Status::InvalidArgument("a dictionary of " + std::to_string(dictionary.size()) +
                                   " bytes is larger than any codec accepts");
  }
  std::unique_ptr<Compressor> compressor;
  switch (type) {
    case CompressionType::kNone:
      compressor = std::make_unique<NoCompressor>();
      break;
    case CompressionType::kSnappy:
      compressor = MakeSnappyCompressor();
      break;
    case CompressionType::kZlib:
      compressor = MakeZlibCompressor(level, dictionary);
      break;
    case CompressionType::kBzip2:
      compressor = MakeBzip2Compressor();
      break;
    case CompressionType::kLz4:
      compressor = MakeLz4Compressor(level, dictionary);
      break;
    case CompressionType::kLz4hc:
      compressor = MakeLz4hcCompressor(level, dictionary);
      break;
    case CompressionType::kZstd:
      compressor = MakeZstdCompressor(level, dictionary);
      break;
    default:
      return NotHere(type);
  }
  if (compressor == nullptr) {
    return Status::InvalidArgument(std::string(CompressionName(type)) + " refuses level " +
                                   std::to_string(level) + " with a dictionary of " +
                                   std::to_string(dictionary.size()) + " bytes");
  }
  return compressor;
}

bool Compressor::Compress(std::string_view raw, std::string* out) {
  return raw.size() <= kMaxCodecBytes && Encode(raw, out);
}

bool CanCompress(CompressionType type) {
  return Compressor::Create(type, TableOptions::kDefaultCompressionLevel, "").ok();
}

CompressionType DefaultCompression() {
  static const CompressionType type = [] {
    for (const CompressionType candidate : {CompressionType::kLz4, CompressionType::kSnappy}) {
      if (CanCompress(candidate)) return candidate;
    }
    return CompressionType::kNone;
  }();
  return type;
}

Status Decompress(CompressionType type, std::string_view payload, std::string_view dictionary,
                  char* out, uint64_t raw_size) {
  if (std::max<uint64_t>({payload.size(), dictionary.size(), raw_size}) > kMaxCodecBytes) {
    return Status::Corruption("a compressed block of " + std::to_string(payload.size()) +
                              " bytes, " + std::to_string(raw_size) +
                              " raw, with a dictionary of " + std::to_string(dictionary.size()) +
                              " bytes, is larger than any codec accepts");
  }
  bool valid = false;
  switch (type) {
    case CompressionType::kSnappy:
      valid = DecompressSnappy(payload, out, raw_size);
      break;
    case CompressionType::kZlib:
      valid = DecompressZlib(payload, dictionary, out, raw_size);
      break;
    case CompressionType::kBzip2:
      valid = DecompressBzip2(payload, out, raw_size);
      break;
    case CompressionType::kLz4:
    case CompressionType::kLz4hc:
      valid = DecompressLz4(payload, dictionary, out, raw_size);
      break;
    case CompressionType::kZstd:
      valid = DecompressZstd(payload, dictionary, out, raw_size);
      break;
    default:
      return NotHere(type);
  }
  if (valid) return Status::Ok();
  return Status::Corruption(std::string(CompressionName(type)) + " payload of " +
                            std::to_string(payload.size()) + " bytes does not decompress to " +
                            std::to_string(raw_size) + " bytes");
}

Result<uint64_t> MeasureRawSize(CompressionType type, std::string_view payload, uint64_t limit) {
  std::optional<uint64_t> size;
  if (payload.size() <= kMaxCodecBytes) {
    if (type == CompressionType::kZlib) size = MeasureZlib(payload, limit);
    if (type == CompressionType::kBzip2) size = MeasureBzip2(payload, limit);
  }
  if (size.has_value()) return *size;
  return Status::Corruption(std::string(CompressionName(type)) + " payload of " +
                            std::to_string(payload.size()) + " bytes does not decompress");
}

}  // namespace varve
