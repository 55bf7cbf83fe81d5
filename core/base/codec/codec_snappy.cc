// SPDX-License-Identifier: Apache-2.0
#include <snappy.h>

#include "core/base/codec/codec.h"

namespace varve {
namespace {

class SnappyCompressor final : public Compressor {
 public:
  bool Encode(std::string_view raw, std::string* out) override {
    snappy::Compress(raw.data(), raw.size(), out);
    return out->size() <= LargestWorthwhile(raw.size());
  }
};

}  // namespace

std::unique_ptr<Compressor> MakeSnappyCompressor() { return std::make_unique<SnappyCompressor>(); }

bool DecompressSnappy(std::string_view payload, char* out, uint64_t raw_size) {
  size_t stored = 0;
  return snappy::GetUncompressedLength(payload.data(), payload.size(), &stored) &&
         stored == raw_size && snappy::RawUncompress(payload.data(), payload.size(), out);
}

Result<uint64_t> SnappyRawSize(std::string_view payload) {
  size_t size = 0;
  if (!snappy::GetUncompressedLength(payload.data(), payload.size(), &size)) {
    return Status::Corruption("snappy: the payload does not begin with its raw size");
  }
  return uint64_t{size};
}

}  // namespace varve
