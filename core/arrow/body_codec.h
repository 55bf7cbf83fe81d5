// SPDX-License-Identifier: Apache-2.0
// The compression of Arrow's IPC format: each buffer of a batch for itself, behind its size as a
// fixed64. The size -1 says that it is not compressed; an empty buffer has no size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve {
class Compressor;
}

namespace varve::arrow {

enum class BodyCodec : int8_t { kNone = -1, kLz4Frame = 0, kZstd = 1 };  // BodyCompression.

// The bytes of a buffer, in `stored` or in `*owned`. InvalidArgument if they are damaged, or more
// than the codec can make of so few: memory is needed only in proportion to the input.
Result<std::string_view> DecodeBuffer(BodyCodec codec, std::string_view stored,
                                      std::unique_ptr<char[]>* owned);

// One thread.
class BodyEncoder {
 public:
  explicit BodyEncoder(BodyCodec codec);
  ~BodyEncoder();

  BodyCodec codec() const { return codec_; }
  // How the buffer is stored. Without a codec, it is that itself.
  std::string_view Encode(std::string_view raw, std::string* owned);

 private:
  const BodyCodec codec_;
  std::unique_ptr<Compressor> zstd_;
};

}  // namespace varve::arrow
