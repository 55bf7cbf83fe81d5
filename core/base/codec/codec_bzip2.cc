// SPDX-License-Identifier: Apache-2.0
#include <bzlib.h>

#include "core/base/codec/codec.h"

namespace varve {
namespace {

constexpr int kBlockSize100k = 9;  // Of the algorithm, not of the table: its maximum and default.
constexpr int kDefaultWorkFactor = 0;
constexpr int kQuiet = 0;
constexpr int kFast = 0;  // Not the low-memory variant.

class Bzip2Compressor final : public Compressor {
 public:
  bool Encode(std::string_view raw, std::string* out) override {
    // If this is too small, compression is not worthwhile.
    out->resize(LargestWorthwhile(raw.size()));
    auto size = static_cast<unsigned int>(out->size());
    // The library's input is char* although it is not written.
    const int code = BZ2_bzBuffToBuffCompress(out->data(), &size, const_cast<char*>(raw.data()),
                                              static_cast<unsigned int>(raw.size()), kBlockSize100k,
                                              kQuiet, kDefaultWorkFactor);
    if (code != BZ_OK) return false;
    out->resize(size);
    return true;
  }
};

}  // namespace

std::unique_ptr<Compressor> MakeBzip2Compressor() { return std::make_unique<Bzip2Compressor>(); }

bool DecompressBzip2(std::string_view payload, char* out, uint64_t raw_size) {
  auto size = static_cast<unsigned int>(raw_size);
  const int code =
      BZ2_bzBuffToBuffDecompress(out, &size, const_cast<char*>(payload.data()),
                                 static_cast<unsigned int>(payload.size()), kFast, kQuiet);
  return code == BZ_OK && size == raw_size;
}

std::optional<uint64_t> MeasureBzip2(std::string_view payload, uint64_t limit) {
  bz_stream stream{};
  if (BZ2_bzDecompressInit(&stream, kQuiet, kFast) != BZ_OK) return std::nullopt;
  stream.next_in = const_cast<char*>(payload.data());
  stream.avail_in = static_cast<unsigned int>(payload.size());
  uint64_t size = 0;
  int code = BZ_OK;
  while (code == BZ_OK && size <= limit) {
    char discarded[4096];
    stream.next_out = discarded;
    stream.avail_out = sizeof(discarded);
    code = BZ2_bzDecompress(&stream);
    const uint64_t produced = sizeof(discarded) - stream.avail_out;
    if (produced == 0 && code == BZ_OK) break;  // The stream is truncated.
    size += produced;
  }
  BZ2_bzDecompressEnd(&stream);
  if (code != BZ_STREAM_END || size > limit) return std::nullopt;
  return size;
}

}  // namespace varve
