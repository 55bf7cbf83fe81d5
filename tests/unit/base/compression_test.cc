// SPDX-License-Identifier: Apache-2.0
#include "core/base/codec/compression.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/codecs.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

std::string Repetitive(size_t size) {
  std::string bytes;
  while (bytes.size() < size) bytes += "key" + std::to_string(bytes.size() / 50) + "=value;";
  bytes.resize(size);
  return bytes;
}

std::string Compress(CompressionType type, std::string_view raw, std::string_view dictionary = "") {
  auto compressor = Compressor::Create(type, TableOptions::kDefaultCompressionLevel, dictionary);
  REQUIRE(compressor.ok());
  std::string payload;
  REQUIRE(
      (*compressor)->Compress("another block first; a block that leaves state behind", &payload) ==
      false);
  REQUIRE((*compressor)->Compress(raw, &payload));
  CHECK_LE(payload.size(), raw.size() - raw.size() / 8);
  return payload;
}

Status RoundTrip(CompressionType type, std::string_view payload, std::string_view raw,
                 std::string_view dictionary = "") {
  std::string out(raw.size(), '\0');
  Status status = Decompress(type, payload, dictionary, out.data(), out.size());
  if (status.ok()) CHECK(out == raw);
  return status;
}

TEST_CASE("Compressor: every codec gives back what it took") {
  for (const CompressionType type : kCodecs) {
    for (const size_t size : {200, 4096, 300000}) {
      const std::string raw = Repetitive(static_cast<size_t>(size));
      CAPTURE(CompressionName(type));
      CHECK(RoundTrip(type, Compress(type, raw), raw).ok());
    }
  }
}

TEST_CASE("Compressor: what does not shrink by an eighth is not compressed") {
  for (const CompressionType type : kCodecs) {
    auto compressor = Compressor::Create(type, TableOptions::kDefaultCompressionLevel, "");
    std::string payload;
    CHECK_FALSE((*compressor)->Compress(Noise(4096), &payload));
    CHECK_FALSE((*compressor)->Compress("", &payload));
    CHECK((*compressor)->Compress(Repetitive(4096), &payload));
  }
}

TEST_CASE("Compressor: a dictionary helps, and is needed to read") {
  // Without its dictionary the block is noise.
  const std::string dictionary = Noise(2000);
  const std::string raw = dictionary.substr(500, 1000);
  for (const CompressionType type : kDictionaryCodecs) {
    CAPTURE(CompressionName(type));
    const std::string payload = Compress(type, raw, dictionary);
    CHECK_LT(payload.size(), 200);
    CHECK(RoundTrip(type, payload, raw, dictionary).ok());
    CHECK_EQ(RoundTrip(type, payload, raw).code(), Code::kCorruption);
    const std::string other = Noise(4000, 99);  // A second dictionary on the same thread.
    CHECK(RoundTrip(type, Compress(type, other.substr(7, 900), other), other.substr(7, 900), other)
              .ok());
    CHECK(RoundTrip(type, payload, raw, dictionary).ok());
  }
}

TEST_CASE("Decompress: damage and wrong sizes are corruption, never a crash") {
  for (const CompressionType type : kCodecs) {
    CAPTURE(CompressionName(type));
    const std::string raw = Repetitive(3000);
    const std::string payload = Compress(type, raw);
    std::string out(raw.size() + 1, '\0');
    CHECK_EQ(Decompress(type, payload, "", out.data(), raw.size() - 1).code(), Code::kCorruption);
    CHECK_EQ(Decompress(type, payload, "", out.data(), raw.size() + 1).code(), Code::kCorruption);
    CHECK_EQ(Decompress(type, "", "", out.data(), raw.size()).code(), Code::kCorruption);
    for (size_t cut = 1; cut < payload.size(); ++cut) {
      CHECK_EQ(Decompress(type, payload.substr(0, cut), "", out.data(), raw.size()).code(),
               Code::kCorruption);
    }
    for (size_t i = 0; i < payload.size(); ++i) {
      std::string flipped = payload;
      flipped[i] = static_cast<char>(flipped[i] ^ 0x55);
      Decompress(type, flipped, "", out.data(), raw.size()).Ignore("only must not crash");
    }
  }
}

TEST_CASE("Decompress: a size beyond every codec is refused before anything is touched") {
  CHECK_EQ(Decompress(CompressionType::kZstd, "x", "", nullptr, uint64_t{1} << 40).code(),
           Code::kCorruption);
  CHECK_EQ(Decompress(CompressionType::kXpress, "x", "", nullptr, 1).code(), Code::kNotSupported);
  CHECK_EQ(Decompress(static_cast<CompressionType>(99), "x", "", nullptr, 1).code(),
           Code::kNotSupported);
  const std::string_view beyond("x", size_t{0x7e000001});  // Never read.
  for (const CompressionType type : kDictionaryCodecs) {
    CHECK_EQ(Decompress(type, "x", beyond, nullptr, 1).code(), Code::kCorruption);
    CHECK_EQ(Compressor::Create(type, 1, beyond).status().code(), Code::kInvalidArgument);
  }
}

TEST_CASE("RawSize: snappy and zstd payloads say their own") {
  const std::string raw = Repetitive(3000);
  CHECK_EQ(*SnappyRawSize(Compress(CompressionType::kSnappy, raw)), 3000u);
  CHECK_EQ(*ZstdFrameRawSize(Compress(CompressionType::kZstd, raw)), 3000u);
  CHECK_EQ(SnappyRawSize("").status().code(), Code::kCorruption);
  CHECK_EQ(ZstdFrameRawSize("nope").status().code(), Code::kCorruption);
}

TEST_CASE("ZstdDecompressStream: one whole frame within the limit, or corruption") {
  const std::string raw = Repetitive(300000);
  const std::string frame = Compress(CompressionType::kZstd, raw);
  std::string out;
  CHECK(ZstdDecompressStream(frame, raw.size(), &out).ok());
  CHECK(out == raw);
  CHECK_EQ(ZstdDecompressStream(frame, raw.size() - 1, &out).code(), Code::kNotSupported);
  CHECK_EQ(ZstdDecompressStream(frame + "x", raw.size(), &out).code(), Code::kCorruption);
  for (size_t size = 0; size < frame.size(); ++size) {
    CHECK_EQ(ZstdDecompressStream(frame.substr(0, size), raw.size(), &out).code(),
             Code::kCorruption);
  }
}

TEST_CASE("TrainZstdDictionary: trains on many samples and gives up on too few") {
  std::vector<std::string> samples;
  for (int i = 0; i < 2000; ++i) samples.push_back(Repetitive(60) + std::to_string(i * 7919));
  const std::string dictionary = TrainZstdDictionary(samples, 4096);
  CHECK_FALSE(dictionary.empty());
  CHECK_LE(dictionary.size(), 4096u);
  const std::string raw = Repetitive(400);
  CHECK(RoundTrip(CompressionType::kZstd, Compress(CompressionType::kZstd, raw, dictionary), raw,
                  dictionary)
            .ok());
  CHECK(TrainZstdDictionary({"a"}, 4096).empty());
}

}  // namespace
}  // namespace varve
