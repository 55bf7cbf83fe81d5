// SPDX-License-Identifier: Apache-2.0
// LZ4's bare block format; LZ4HC only differs in the encoder.
#include <lz4.h>
#include <lz4hc.h>

#include "core/base/codec/codec.h"

namespace varve {
namespace {

class Lz4Compressor final : public Compressor {
 public:
  Lz4Compressor(int level, std::string_view dictionary)
      : acceleration_(level < 0 ? -level : 1),  // As RocksDB: negative levels are faster ones.
        dictionary_(dictionary) {
    LZ4_initStream(&stream_, sizeof(stream_));
  }

  bool Encode(std::string_view raw, std::string* out) override {
    LZ4_resetStream_fast(&stream_);
    if (!dictionary_.empty()) {
      LZ4_loadDict(&stream_, dictionary_.data(), static_cast<int>(dictionary_.size()));
    }
    // If this is too small, compression is not worthwhile.
    out->resize(LargestWorthwhile(raw.size()));
    const int size =
        LZ4_compress_fast_continue(&stream_, raw.data(), out->data(), static_cast<int>(raw.size()),
                                   static_cast<int>(out->size()), acceleration_);
    if (size <= 0) {
      LZ4_initStream(&stream_, sizeof(stream_));  // A failed call leaves it undefined.
      return false;
    }
    out->resize(static_cast<size_t>(size));
    return true;
  }

 private:
  LZ4_stream_t stream_;
  int acceleration_;
  std::string dictionary_;
};

struct FreeLz4hc {
  void operator()(LZ4_streamHC_t* stream) const { LZ4_freeStreamHC(stream); }
};

class Lz4hcCompressor final : public Compressor {
 public:
  Lz4hcCompressor(int level, std::string_view dictionary)
      : stream_(LZ4_createStreamHC()), level_(level), dictionary_(dictionary) {}

  bool ready() const { return stream_ != nullptr; }

  bool Encode(std::string_view raw, std::string* out) override {
    LZ4_resetStreamHC_fast(stream_.get(), level_);
    if (!dictionary_.empty()) {
      LZ4_loadDictHC(stream_.get(), dictionary_.data(), static_cast<int>(dictionary_.size()));
    }
    out->resize(LargestWorthwhile(raw.size()));
    const int size =
        LZ4_compress_HC_continue(stream_.get(), raw.data(), out->data(),
                                 static_cast<int>(raw.size()), static_cast<int>(out->size()));
    if (size <= 0) return false;  // reset_fast recovers from a dirty stream.
    out->resize(static_cast<size_t>(size));
    return true;
  }

 private:
  std::unique_ptr<LZ4_streamHC_t, FreeLz4hc> stream_;
  int level_;
  std::string dictionary_;
};

}  // namespace

std::unique_ptr<Compressor> MakeLz4Compressor(int level, std::string_view dictionary) {
  return std::make_unique<Lz4Compressor>(level, dictionary);
}

std::unique_ptr<Compressor> MakeLz4hcCompressor(int level, std::string_view dictionary) {
  auto compressor = std::make_unique<Lz4hcCompressor>(level, dictionary);
  if (!compressor->ready()) return nullptr;
  return compressor;
}

bool DecompressLz4(std::string_view payload, std::string_view dictionary, char* out,
                   uint64_t raw_size) {
  const int size = LZ4_decompress_safe_usingDict(
      payload.data(), out, static_cast<int>(payload.size()), static_cast<int>(raw_size),
      dictionary.data(), static_cast<int>(dictionary.size()));
  return size >= 0 && static_cast<uint64_t>(size) == raw_size;
}

}  // namespace varve
