// SPDX-License-Identifier: Apache-2.0
// The compression codecs: what is compressed, with and without a dictionary, is decompressed to the
// same; any bytes as a payload give an error or exactly as many bytes as were asked for.
#include <iterator>
#include <string>
#include <string_view>

#include "core/base/codec/compression.h"
#include "tests/codecs.h"
#include "tests/fuzz/targets.h"
#include "varve/options.h"

namespace varve::fuzz {
namespace {

constexpr uint64_t kRawSizeMax = 64 << 10;

bool TakesDictionary(CompressionType codec) {
  return codec != CompressionType::kSnappy && codec != CompressionType::kBzip2;
}

void RoundTrip(CompressionType codec, std::string_view raw, std::string_view dictionary) {
  const auto compressor =
      Compressor::Create(codec, TableOptions::kDefaultCompressionLevel, dictionary);
  MustBeOk(compressor.status(), CompressionName(codec));
  std::string stored;
  if (!(*compressor)->Compress(raw, &stored)) return;  // Not worth it.
  std::string again(raw.size(), '\0');
  MustBeOk(Decompress(codec, stored, dictionary, again.data(), again.size()),
           "what was compressed is decompressed");
  Must(again == raw, "to the same");
}

void DecompressAny(CompressionType codec, std::string_view stored, std::string_view dictionary,
                   uint64_t raw_size) {
  std::string raw(raw_size, '\0');
  Decompress(codec, stored, dictionary, raw.data(), raw.size()).Ignore("any bytes");
  if (codec == CompressionType::kZlib || codec == CompressionType::kBzip2) {
    const auto size = MeasureRawSize(codec, stored, kRawSizeMax);
    if (!size.ok()) return;
    Must(*size <= kRawSizeMax, "what is measured is within the limit");
    std::string exact(*size, '\0');
    MustBeOk(Decompress(codec, stored, "", exact.data(), exact.size()),
             "what was measured is decompressed");
  }
}

void Run(std::string_view bytes) {
  Input in(bytes);
  const CompressionType codec = kCodecs[in.Number(kCodecs.size())];
  const uint64_t raw_size = in.Number(kRawSizeMax);
  const std::string_view dictionary = TakesDictionary(codec) && in.Flag() ? in.Bytes(200) : "";
  const std::string_view rest = in.rest();
  DecompressAny(codec, rest, dictionary, raw_size);
  SnappyRawSize(rest).status().Ignore("any bytes");
  ZstdFrameRawSize(rest).status().Ignore("any bytes");
  std::string streamed;
  if (ZstdDecompressStream(rest, kRawSizeMax, &streamed).ok()) {
    Must(streamed.size() <= kRawSizeMax, "a stream ends at its limit");
  }
  RoundTrip(codec, rest, dictionary);
  // Something to compress.
  RoundTrip(codec, std::string(rest) + std::string(rest) + std::string(500, 'x'), dictionary);
}

}  // namespace

const Target codec = {"codec", Run};

}  // namespace varve::fuzz
