// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/body_codec.h"

#include <lz4frame.h>

#include <cstddef>
#include <utility>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/codec/compression.h"

namespace varve::arrow {
namespace {

constexpr size_t kSizeOfSize = 8;
constexpr uint64_t kNotCompressed = UINT64_MAX;
constexpr uint64_t kRawBytesMax = 0x7e000000;  // Of a buffer, as of other payloads: codec.h.
// What a compressed byte can stand for: of LZ4 a byte of a length; of zstd a quarter of the header
// of a block of 128 KiB.
constexpr uint64_t kLz4Ratio = 255, kZstdRatio = 32 << 10;
constexpr uint64_t kSmall = 1 << 20;  // Is allowed in any case.

Status Damaged(std::string_view what) {
  return Status::InvalidArgument("a compressed buffer is not valid: " + std::string(what));
}

struct FreeContext {
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

bool DecompressLz4Frame(std::string_view frame, char* out, uint64_t raw_size) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION))) return false;
  const std::unique_ptr<LZ4F_dctx, FreeContext> context(made);
  uint64_t done = 0;
  for (;;) {
    size_t room = raw_size - done, taken = frame.size();
    const size_t left =
        LZ4F_decompress(context.get(), out + done, &room, frame.data(), &taken, nullptr);
    if (LZ4F_isError(left)) return false;
    done += room;
    frame.remove_prefix(taken);
    if (left == 0) return done == raw_size && frame.empty();
    if (room == 0 && taken == 0) return false;  // It wants more, or more room.
  }
}

}  // namespace

Result<std::string_view> DecodeBuffer(BodyCodec codec, std::string_view stored,
                                      std::unique_ptr<char[]>* owned) {
  if (codec == BodyCodec::kNone || stored.empty()) return stored;
  if (stored.size() < kSizeOfSize) return Damaged("it has no size");
  const uint64_t size = LoadFixed64(stored.data());
  stored.remove_prefix(kSizeOfSize);
  if (size == kNotCompressed) return stored;
  const uint64_t ratio = codec == BodyCodec::kZstd ? kZstdRatio : kLz4Ratio;
  if (size > kRawBytesMax || (size > kSmall && size / ratio > stored.size())) {
    return Damaged("it claims " + std::to_string(size) + " bytes");
  }
  *owned = std::make_unique_for_overwrite<char[]>(size);
  const bool valid = codec == BodyCodec::kZstd
                         ? Decompress(CompressionType::kZstd, stored, "", owned->get(), size).ok()
                         : DecompressLz4Frame(stored, owned->get(), size);
  if (!valid) return Damaged("it does not have the bytes that it claims");
  return std::string_view(owned->get(), size);
}

BodyEncoder::BodyEncoder(BodyCodec codec) : codec_(codec) {
  if (codec != BodyCodec::kZstd) return;
  auto made =
      Compressor::Create(CompressionType::kZstd, TableOptions::kDefaultCompressionLevel, "");
  CHECK(made.ok(), "every build has zstd");
  zstd_ = *std::move(made);
}

BodyEncoder::~BodyEncoder() = default;

std::string_view BodyEncoder::Encode(std::string_view raw, std::string* owned) {
  if (codec_ == BodyCodec::kNone || raw.empty()) return raw;
  bool smaller = false;
  std::string payload;
  if (codec_ == BodyCodec::kZstd) {
    smaller = zstd_->Compress(raw, &payload);
  } else {
    payload.resize(LZ4F_compressFrameBound(raw.size(), nullptr));
    const size_t size =
        LZ4F_compressFrame(payload.data(), payload.size(), raw.data(), raw.size(), nullptr);
    smaller = !LZ4F_isError(size) && size < raw.size();
    if (smaller) payload.resize(size);
  }
  owned->clear();
  AppendFixed64(owned, smaller ? raw.size() : kNotCompressed);
  owned->append(smaller ? std::string_view(payload) : raw);
  return *owned;
}

}  // namespace varve::arrow
