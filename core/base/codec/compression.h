// SPDX-License-Identifier: Apache-2.0
// The codecs, behind one pair of functions. Bare payloads: the raw-size prefixes of tables
// (sst-format 5.2) are handled by table/block/block_fetcher.cc and table/block/block_writer.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "varve/options.h"
#include "varve/result.h"

namespace varve {

std::string_view CompressionName(CompressionType type);  // "ZSTD", as in rocksdb.compression.
bool CanCompress(CompressionType type);                  // This build has the codec.

// Contexts and dictionaries are expensive to set up: one Compressor per table being written.
// One thread.
class Compressor {
 public:
  // `dictionary` may be empty. `level`: TableOptions::kDefaultCompressionLevel = the codec's own.
  static Result<std::unique_ptr<Compressor>> Create(CompressionType type, int level,
                                                    std::string_view dictionary);
  virtual ~Compressor() = default;
  // Replaces *out. False if the codec failed or the result is not smaller than 7/8 of `raw`.
  bool Compress(std::string_view raw, std::string* out);

 private:
  // Compress(), of no more than the codecs can take (kMaxCodecBytes, codec.h).
  virtual bool Encode(std::string_view raw, std::string* out) = 0;
};

// Decompresses exactly `raw_size` bytes into `out` (which has that room), or Corruption.
// Thread-safe.
Status Decompress(CompressionType type, std::string_view payload, std::string_view dictionary,
                  char* out, uint64_t raw_size);
// Snappy stores its own raw size; so does a zstd frame of LevelDB.
Result<uint64_t> SnappyRawSize(std::string_view payload);
Result<uint64_t> ZstdFrameRawSize(std::string_view payload);
// Payloads of kZlib and kBzip2 in old tables have no stored size: decompresses to measure it, up to
// `limit`.
Result<uint64_t> MeasureRawSize(CompressionType type, std::string_view payload, uint64_t limit);

// For frames without a stored size, such as those of compressed WALs: replaces *out with the
// contents of `frame`, a single frame of at most `limit` bytes decompressed. NotSupported: it holds
// more; else returns Corruption.
Status ZstdDecompressStream(std::string_view frame, uint64_t limit, std::string* out);

// A zstd dictionary of at most `bytes`, trained from `samples`; empty if training fails.
std::string TrainZstdDictionary(const std::vector<std::string>& samples, uint64_t bytes);

}  // namespace varve
