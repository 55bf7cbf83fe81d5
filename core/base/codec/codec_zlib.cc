// SPDX-License-Identifier: Apache-2.0
// Raw deflate: no zlib header, no Adler checksum (sst-format 5.2).
#define ZLIB_CONST
#include <zlib.h>

#include "core/base/codec/codec.h"
#include "core/base/threads/of_this_thread.h"

namespace varve {
namespace {

// As other implementations use for inflating; negative: no header.
constexpr int kRawWindowBits = -14;
constexpr int kMemoryLevel = 8;  // zlib's default.

const Bytef* Bytes(std::string_view bytes) { return reinterpret_cast<const Bytef*>(bytes.data()); }

class ZlibCompressor final : public Compressor {
 public:
  explicit ZlibCompressor(std::string_view dictionary) : dictionary_(dictionary) {}
  ~ZlibCompressor() override {
    if (ready_) deflateEnd(&stream_);
  }
  ZlibCompressor(const ZlibCompressor&) = delete;
  ZlibCompressor& operator=(const ZlibCompressor&) = delete;

  bool Init(int level) {
    ready_ = deflateInit2(&stream_, level, Z_DEFLATED, kRawWindowBits, kMemoryLevel,
                          Z_DEFAULT_STRATEGY) == Z_OK;
    return ready_;
  }

  bool Encode(std::string_view raw, std::string* out) override {
    if (deflateReset(&stream_) != Z_OK) return false;
    if (!dictionary_.empty() &&
        deflateSetDictionary(&stream_, Bytes(dictionary_), static_cast<uInt>(dictionary_.size())) !=
            Z_OK) {
      return false;
    }
    // If this is too small, compression is not worthwhile.
    out->resize(LargestWorthwhile(raw.size()));
    stream_.next_in = Bytes(raw);
    stream_.avail_in = static_cast<uInt>(raw.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out->data());
    stream_.avail_out = static_cast<uInt>(out->size());
    if (deflate(&stream_, Z_FINISH) != Z_STREAM_END) return false;
    out->resize(out->size() - stream_.avail_out);
    return true;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
  std::string dictionary_;
};

// Setting up inflate allocates its window, so each thread keeps one.
class Inflater {
 public:
  Inflater() { ready_ = inflateInit2(&stream_, kRawWindowBits) == Z_OK; }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  bool Inflate(std::string_view payload, std::string_view dictionary, char* out,
               uint64_t raw_size) {
    if (!ready_ || inflateReset(&stream_) != Z_OK) return false;
    if (!dictionary.empty() && inflateSetDictionary(&stream_, Bytes(dictionary),
                                                    static_cast<uInt>(dictionary.size())) != Z_OK) {
      return false;
    }
    stream_.next_in = Bytes(payload);
    stream_.avail_in = static_cast<uInt>(payload.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(raw_size);
    return inflate(&stream_, Z_FINISH) == Z_STREAM_END && stream_.avail_out == 0;
  }

  std::optional<uint64_t> Measure(std::string_view payload, uint64_t limit) {
    if (!ready_ || inflateReset(&stream_) != Z_OK) return std::nullopt;
    stream_.next_in = Bytes(payload);
    stream_.avail_in = static_cast<uInt>(payload.size());
    int code = Z_OK;
    while (code == Z_OK && stream_.total_out <= limit) {
      Bytef discarded[4096];
      stream_.next_out = discarded;
      stream_.avail_out = sizeof(discarded);
      code = inflate(&stream_, Z_NO_FLUSH);
    }
    if (code != Z_STREAM_END || stream_.total_out > limit) return std::nullopt;
    return stream_.total_out;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

}  // namespace

std::unique_ptr<Compressor> MakeZlibCompressor(int level, std::string_view dictionary) {
  auto compressor = std::make_unique<ZlibCompressor>(dictionary);
  if (!compressor->Init(level)) return nullptr;
  return compressor;
}

bool DecompressZlib(std::string_view payload, std::string_view dictionary, char* out,
                    uint64_t raw_size) {
  return OfThisThread<Inflater>().Inflate(payload, dictionary, out, raw_size);
}

std::optional<uint64_t> MeasureZlib(std::string_view payload, uint64_t limit) {
  return OfThisThread<Inflater>().Measure(payload, limit);
}

}  // namespace varve
