// SPDX-License-Identifier: Apache-2.0
#include <zdict.h>
#include <zstd.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/base/codec/codec.h"
#include "core/base/hash/hash.h"
#include "core/base/threads/of_this_thread.h"

namespace varve {
namespace {

struct FreeZstd {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_DDict* dictionary) const { ZSTD_freeDDict(dictionary); }
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : context_(ZSTD_createCCtx()) {}

  bool Init(int level, std::string_view dictionary) {
    return context_ != nullptr &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level)) &&
           !ZSTD_isError(
               ZSTD_CCtx_loadDictionary(context_.get(), dictionary.data(), dictionary.size()));
  }

  bool Encode(std::string_view raw, std::string* out) override {
    // If this is too small, compression is not worthwhile.
    out->resize(LargestWorthwhile(raw.size()));
    const size_t size =
        ZSTD_compress2(context_.get(), out->data(), out->size(), raw.data(), raw.size());
    if (ZSTD_isError(size)) return false;
    out->resize(size);
    return true;
  }

 private:
  std::unique_ptr<ZSTD_CCtx, FreeZstd> context_;
};

// One per thread. Digesting a dictionary costs far more than a block, so the last one is kept and
// identified by its 128-bit hash, which does not collide by accident; a block decompressed with a
// wrong dictionary would still have to pass all checks of its contents.
class ZstdDecompressor {
 public:
  ZstdDecompressor() : context_(ZSTD_createDCtx()) {}

  bool Decompress(std::string_view payload, std::string_view dictionary, char* out,
                  uint64_t raw_size) {
    if (context_ == nullptr) return false;
    size_t size = 0;
    if (dictionary.empty()) {
      size = ZSTD_decompressDCtx(context_.get(), out, raw_size, payload.data(), payload.size());
    } else {
      if (!Digest(dictionary)) return false;
      size = ZSTD_decompress_usingDDict(context_.get(), out, raw_size, payload.data(),
                                        payload.size(), digested_.get());
    }
    return !ZSTD_isError(size) && size == raw_size;
  }

 private:
  bool Digest(std::string_view dictionary) {
    const Hash128 hash = Xxh3_128(dictionary, dictionary.size());
    if (digested_ != nullptr && hash.low == hash_.low && hash.high == hash_.high) return true;
    digested_.reset(ZSTD_createDDict(dictionary.data(), dictionary.size()));
    hash_ = hash;
    return digested_ != nullptr;
  }

  std::unique_ptr<ZSTD_DCtx, FreeZstd> context_;
  std::unique_ptr<ZSTD_DDict, FreeZstd> digested_;
  Hash128 hash_;
};

}  // namespace

std::unique_ptr<Compressor> MakeZstdCompressor(int level, std::string_view dictionary) {
  auto compressor = std::make_unique<ZstdCompressor>();
  if (!compressor->Init(level, dictionary)) return nullptr;
  return compressor;
}

bool DecompressZstd(std::string_view payload, std::string_view dictionary, char* out,
                    uint64_t raw_size) {
  return OfThisThread<ZstdDecompressor>().Decompress(payload, dictionary, out, raw_size);
}

Result<uint64_t> ZstdFrameRawSize(std::string_view payload) {
  const unsigned long long size = ZSTD_getFrameContentSize(payload.data(), payload.size());
  if (size == ZSTD_CONTENTSIZE_ERROR) {
    return Status::Corruption("zstd: the payload does not begin with a frame header");
  }
  if (size == ZSTD_CONTENTSIZE_UNKNOWN) {
    return Status::Corruption("zstd: the frame does not say its raw size");
  }
  return uint64_t{size};
}

Status ZstdDecompressStream(std::string_view frame, uint64_t limit, std::string* out) {
  // A frame specifies its window, which the decoder allocates before it outputs anything. The
  // windows of the default levels are at most 8 MiB.
  constexpr int kWindowLogMax = 25;
  constexpr uint64_t kFirstGuess = uint64_t{64} << 10;
  std::unique_ptr<ZSTD_DCtx, FreeZstd> context(ZSTD_createDCtx());
  if (context == nullptr ||
      ZSTD_isError(ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kWindowLogMax))) {
    return Status::IoError("zstd: the decompressor could not be set up");
  }
  ZSTD_inBuffer in = {frame.data(), frame.size(), 0};
  out->resize(std::min(limit + 1, std::max<uint64_t>(kFirstGuess, 4 * frame.size())));
  ZSTD_outBuffer room = {out->data(), out->size(), 0};
  while (true) {
    const size_t left = ZSTD_decompressStream(context.get(), &room, &in);
    if (ZSTD_isError(left)) {
      return Status::Corruption(std::string("zstd: ") + ZSTD_getErrorName(left));
    }
    DCHECK(room.pos <= room.size && in.pos <= in.size);
    if (room.pos > limit) {
      return Status::NotSupported("zstd: the frame holds more than " + std::to_string(limit) +
                                  " bytes");
    }
    if (left == 0) break;
    if (room.pos < room.size && in.pos == in.size) {
      return Status::Corruption("zstd: the frame is cut short");
    }
    if (room.pos == room.size) out->resize(std::min(limit + 1, 2 * uint64_t{out->size()}));
    room.dst = out->data();
    room.size = out->size();
  }
  if (in.pos != in.size) {
    return Status::Corruption("zstd: " + std::to_string(in.size - in.pos) +
                              " bytes follow the frame");
  }
  out->resize(room.pos);
  return {};
}

std::string TrainZstdDictionary(const std::vector<std::string>& samples, uint64_t bytes) {
  CHECK_OP(bytes, >, 0);
  std::string joined;
  std::vector<size_t> sizes;
  sizes.reserve(samples.size());
  for (const std::string& sample : samples) {
    joined += sample;
    sizes.push_back(sample.size());
  }
  std::string dictionary(bytes, '\0');
  const size_t size = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), joined.data(),
                                            sizes.data(), static_cast<unsigned>(sizes.size()));
  dictionary.resize(ZDICT_isError(size) ? 0 : size);
  return dictionary;
}

}  // namespace varve
