// SPDX-License-Identifier: Apache-2.0
#include <bzlib.h>

#include "core/base/codec.h"

namespace varve {
namespace {

constexpr int kBlockSize100k = 9;  // Of the algorithm, not of the table: its maximum and default.
constexpr int kDefaultWorkFactor = 0;
constexpr int kQuiet = 0;
constexpr int kFast = 0;  // Not the low-memory variant.

class Bzip2Compressor final : public Compressor {
 public:
  bool Compress(std::string_view raw, std::string* out) override {
    if (raw.size() > kMaxCodecBytes) return false;
    out->resize(LargestWorthwhile(raw.size()));  // Running out of room is not worth storing.
    auto size = static_cast<unsigned int>(out->size());
    // The library's input is char* for want of a const; it is not written.
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

}  // namespace varve
