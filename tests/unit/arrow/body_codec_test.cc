// SPDX-License-Identifier: Apache-2.0
// That other programs read and write such buffers: tests/arrow.
#include "core/arrow/body_codec.h"

#include <doctest/doctest.h>

#include "core/base/bytes/byte_writer.h"

namespace varve::arrow {
namespace {

std::string Decoded(BodyCodec codec, std::string_view stored) {
  std::unique_ptr<char[]> owned;
  const Result<std::string_view> bytes = DecodeBuffer(codec, stored, &owned);
  return std::string(bytes.ok() ? *bytes : bytes.status().message());
}

TEST_CASE("buffers are what they were, compressed if that is shorter") {
  for (const BodyCodec codec : {BodyCodec::kNone, BodyCodec::kLz4Frame, BodyCodec::kZstd}) {
    BodyEncoder encoder(codec);
    for (const std::string& raw : {std::string(), std::string("short"), std::string(100000, 'x')}) {
      std::string owned;
      const std::string_view stored = encoder.Encode(raw, &owned);
      CHECK_EQ(Decoded(codec, stored), raw);
      if (raw.size() > 1000 && codec != BodyCodec::kNone) CHECK_LT(stored.size(), 1000);
      CHECK_LE(stored.size(), raw.size() + 8);
    }
  }
}

TEST_CASE("buffers that are damaged") {
  for (const BodyCodec codec : {BodyCodec::kLz4Frame, BodyCodec::kZstd}) {
    BodyEncoder encoder(codec);
    std::string stored;
    encoder.Encode(std::string(5000, 'x'), &stored);
    const std::string_view wrong = "a compressed buffer is not valid";
    for (size_t size = 1; size < stored.size(); ++size) {
      CHECK_MESSAGE(Decoded(codec, stored.substr(0, size)).starts_with(wrong), size);
    }
    CHECK(Decoded(codec, stored + "x").starts_with(wrong));
    for (const uint64_t size : {uint64_t{0}, uint64_t{4999}, uint64_t{5001}, uint64_t{1} << 30,
                                uint64_t{1} << 40, UINT64_MAX - 1}) {
      StoreFixed64(stored.data(), size);
      CHECK_MESSAGE(Decoded(codec, stored).starts_with(wrong), size);
    }
  }
}

}  // namespace
}  // namespace varve::arrow
