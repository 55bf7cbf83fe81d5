// SPDX-License-Identifier: Apache-2.0
// The promises of codec.h, which all codecs keep; compression_test.cc is about the functions in
// front.
#include "core/base/codec/codec.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/test_bytes.h"

namespace varve {
namespace {

struct Codec {
  const char* name;
  std::vector<int> levels;  // That it takes.
  std::function<std::unique_ptr<Compressor>(int level, std::string_view dictionary)> make;
  bool (*decompress)(std::string_view payload, std::string_view dictionary, char* out,
                     uint64_t raw_size);
  bool dictionaries = true;
};

const std::vector<Codec> kCodecs = {
    {"snappy",
     {0},
     [](int, std::string_view) { return MakeSnappyCompressor(); },
     [](std::string_view payload, std::string_view, char* out, uint64_t raw_size) {
       return DecompressSnappy(payload, out, raw_size);
     },
     false},
    {"bzip2",
     {0},
     [](int, std::string_view) { return MakeBzip2Compressor(); },
     [](std::string_view payload, std::string_view, char* out, uint64_t raw_size) {
       return DecompressBzip2(payload, out, raw_size);
     },
     false},
    {"zlib", {-1, 1, 6, 9}, MakeZlibCompressor, DecompressZlib},
    {"lz4", {-5, -1, 0, 1, 12}, MakeLz4Compressor, DecompressLz4},
    {"lz4hc", {-1, 0, 1, 9, 12, 100}, MakeLz4hcCompressor, DecompressLz4},
    {"zstd", {-7, 0, 1, 3, 19, 22}, MakeZstdCompressor, DecompressZstd},
};

// Every other piece is new, so that a codec has matches and literals to tell apart.
std::string Text(size_t size) {
  std::string text;
  for (uint32_t i = 0; text.size() < size; ++i) text += "some words again;" + Noise(6, i);
  text.resize(size);
  return text;
}

std::string Payload(const Codec& codec, std::string_view raw, std::string_view dictionary = "") {
  std::string payload;
  REQUIRE(codec.make(codec.levels.back(), dictionary)->Compress(raw, &payload));
  return payload;
}

TEST_CASE("codecs: at every level, of every size, what was compressed comes back") {
  for (const Codec& codec : kCodecs) {
    for (const int level : codec.levels) {
      CAPTURE(codec.name);
      CAPTURE(level);
      const auto compressor = codec.make(level, "");
      REQUIRE(compressor != nullptr);
      for (const size_t size : {1000u, 4096u, 70'000u}) {
        const std::string raw = Text(size);
        std::string payload = "what was there before", out(size, '\0');
        REQUIRE(compressor->Compress(raw, &payload));
        CHECK_LE(payload.size(), LargestWorthwhile(size));
        REQUIRE(codec.decompress(payload, "", out.data(), size));
        CHECK(out == raw);
      }
    }
  }
}

TEST_CASE("codecs: a block that does not shrink leaves nothing behind for the next") {
  for (const Codec& codec : kCodecs) {
    CAPTURE(codec.name);
    const auto compressor = codec.make(codec.levels.back(), "");
    const std::string raw = Text(5000);
    std::string payload, out(raw.size(), '\0');
    for (const size_t size : {0u, 1u, 7u, 100u, 4096u, 100'000u}) {
      CHECK_FALSE(compressor->Compress(Noise(size), &payload));
      REQUIRE(compressor->Compress(raw, &payload));
      REQUIRE(codec.decompress(payload, "", out.data(), out.size()));
      CHECK(out == raw);
    }
  }
}

TEST_CASE("codecs: a payload decodes to its own size and to no other") {
  for (const Codec& codec : kCodecs) {
    CAPTURE(codec.name);
    const std::string raw = Text(3000), payload = Payload(codec, raw);
    std::string out(2 * raw.size(), '\0');
    for (const size_t size : {0u, 1u, 2999u, 3001u, 6000u}) {
      CHECK_FALSE(codec.decompress(payload, "", out.data(), size));
    }
    CHECK_FALSE(codec.decompress("", "", out.data(), raw.size()));
    CHECK(codec.decompress(payload, "", out.data(), raw.size()));  // Failures left nothing behind.
  }
}

// The bytes behind `out` are ASan's to watch.
TEST_CASE("codecs: noise, and payloads with bytes changed, write no more than they may") {
  for (const Codec& codec : kCodecs) {
    const std::string raw = Text(800), payload = Payload(codec, raw);
    for (uint32_t seed = 0; seed < 500; ++seed) {
      std::string damaged = payload;
      damaged[seed * 7919 % damaged.size()] = static_cast<char>(Noise(1, seed)[0]);
      const auto out = std::make_unique<char[]>(raw.size());
      codec.decompress(damaged, "", out.get(), raw.size());
      codec.decompress(Noise(seed, seed), "", out.get(), raw.size());
    }
    CAPTURE(codec.name);
    std::string out(raw.size(), '\0');
    CHECK(codec.decompress(payload, "", out.data(), raw.size()));
    CHECK(out == raw);
  }
}

TEST_CASE("codecs: a dictionary is part of each block, not of the first alone") {
  const std::string dictionary = Noise(3000);
  for (const Codec& codec : kCodecs) {
    if (!codec.dictionaries) continue;
    CAPTURE(codec.name);
    const auto compressor = codec.make(codec.levels.back(), dictionary);
    for (const size_t offset : {0u, 1000u, 2000u}) {
      const std::string raw = dictionary.substr(offset, 900);
      std::string payload, out(raw.size(), '\0');
      REQUIRE(compressor->Compress(raw, &payload));
      CHECK_LT(payload.size(), 100u);
      REQUIRE(codec.decompress(payload, dictionary, out.data(), out.size()));
      CHECK(out == raw);
      CHECK_FALSE(codec.decompress(payload, "", out.data(), out.size()));
      CHECK_FALSE(compressor->Compress(Noise(500, 99), &payload));
    }
  }
}

TEST_CASE("codecs: a level that the library does not know makes no compressor") {
  CHECK_EQ(MakeZlibCompressor(10, ""), nullptr);
  CHECK_EQ(Compressor::Create(CompressionType::kZlib, 10, "abc").status().ToString(),
           "invalid_argument: Zlib refuses level 10 with a dictionary of 3 bytes");
}

struct Measure {
  CompressionType type;
  std::optional<uint64_t> (*measure)(std::string_view payload, uint64_t limit);
  const Codec& codec;
};
const Measure kMeasures[] = {{CompressionType::kBzip2, MeasureBzip2, kCodecs[1]},
                             {CompressionType::kZlib, MeasureZlib, kCodecs[2]}};

// Both measure through a window of 4,096 bytes.
TEST_CASE("measuring: the size is found if it is within the limit") {
  for (const Measure& m : kMeasures) {
    CAPTURE(m.codec.name);
    for (const size_t size : {1000u, 4095u, 4096u, 4097u, 8192u, 300'000u}) {
      CAPTURE(size);
      const std::string payload = Payload(m.codec, Text(size));
      CHECK_EQ(m.measure(payload, size), std::optional<uint64_t>(size));
      CHECK_EQ(m.measure(payload, ~uint64_t{0} - 4096), std::optional<uint64_t>(size));
      CHECK_EQ(m.measure(payload, size - 1), std::nullopt);
      CHECK_EQ(m.measure(payload, 0), std::nullopt);
      CHECK_EQ(*MeasureRawSize(m.type, payload, size), size);
    }
  }
}

TEST_CASE("measuring: what is cut short, or no payload, has no size") {
  for (const Measure& m : kMeasures) {
    CAPTURE(m.codec.name);
    const std::string payload = Payload(m.codec, Text(9000));
    for (size_t cut = 0; cut < payload.size(); cut += 1 + cut / 50) {
      CHECK_EQ(m.measure(payload.substr(0, cut), 1 << 20), std::nullopt);
    }
    for (uint32_t seed = 0; seed < 300; ++seed) {
      std::string damaged = payload;
      damaged[seed * 7919 % damaged.size()] = static_cast<char>(Noise(1, seed)[0]);
      CHECK_LE(m.measure(damaged, 20'000).value_or(0), 20'000u);
    }
    CHECK_EQ(MeasureRawSize(m.type, "nothing", 100).status().ToString(),
             "corruption: " + std::string(CompressionName(m.type)) +
                 " payload of 7 bytes does not decompress");
  }
  CHECK_EQ(MeasureRawSize(CompressionType::kLz4, "\x10x", 100).status().code(), Code::kCorruption);
}

// magic (4) | descriptor: no content size, no checksum | window of 2^log | the last block, raw
std::string FrameOfWindow(int log) {
  return std::string("\x28\xb5\x2f\xfd\x00", 5) + static_cast<char>((log - 10) << 3) +
         std::string("\x09\x00\x00x", 4);
}

TEST_CASE("zstd frames: a window beyond 32 MiB is not allocated, of however few bytes") {
  std::string out;
  CHECK(ZstdDecompressStream(FrameOfWindow(25), 100, &out).ok());
  CHECK_EQ(out, "x");
  CHECK_EQ(ZstdDecompressStream(FrameOfWindow(26), 100, &out).code(), Code::kCorruption);
  CHECK_EQ(ZstdFrameRawSize(FrameOfWindow(20)).status().message(),
           "zstd: the frame does not say its raw size");
}

TEST_CASE("zstd frames: limits are inclusive, and what is behind the frame is counted") {
  std::string out;
  CHECK(ZstdDecompressStream(FrameOfWindow(17), 1, &out).ok());
  CHECK_EQ(ZstdDecompressStream(FrameOfWindow(17), 0, &out).message(),
           "zstd: the frame holds more than 0 bytes");
  CHECK_EQ(ZstdDecompressStream(FrameOfWindow(17) + FrameOfWindow(17), 9, &out).message(),
           "zstd: 10 bytes follow the frame");
  CHECK_EQ(ZstdDecompressStream("", 9, &out).message(), "zstd: the frame is cut short");
}

}  // namespace
}  // namespace varve
