// SPDX-License-Identifier: Apache-2.0
// What compression.cc dispatches to: a maker and a decoder per codec, in a file of its own that
// alone includes the codec's library. Payloads are bare.
//
// Makers return null if the library refuses to set up; `level` is already the codec's own default
// where the caller chose none. Decoders return whether `payload` is valid and gives exactly
// `raw_size` bytes. Sizes are below kMaxCodecBytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/compression.h"

namespace varve {

// The codecs count in int or unsigned int; no block is larger.
inline constexpr uint64_t kMaxCodecBytes = 0x7e000000;  // LZ4's limit, the lowest.

// Compression must save at least an eighth to be worth its decompression.
inline uint64_t LargestWorthwhile(uint64_t raw_size) { return raw_size - raw_size / 8; }

std::unique_ptr<Compressor> MakeSnappyCompressor();
bool DecompressSnappy(std::string_view payload, char* out, uint64_t raw_size);

std::unique_ptr<Compressor> MakeZlibCompressor(int level, std::string_view dictionary);
bool DecompressZlib(std::string_view payload, std::string_view dictionary, char* out,
                    uint64_t raw_size);
std::optional<uint64_t> MeasureZlib(std::string_view payload, uint64_t limit);

std::unique_ptr<Compressor> MakeBzip2Compressor();
bool DecompressBzip2(std::string_view payload, char* out, uint64_t raw_size);
std::optional<uint64_t> MeasureBzip2(std::string_view payload, uint64_t limit);

std::unique_ptr<Compressor> MakeLz4Compressor(int level, std::string_view dictionary);
std::unique_ptr<Compressor> MakeLz4hcCompressor(int level, std::string_view dictionary);
bool DecompressLz4(std::string_view payload, std::string_view dictionary, char* out,
                   uint64_t raw_size);

std::unique_ptr<Compressor> MakeZstdCompressor(int level, std::string_view dictionary);
bool DecompressZstd(std::string_view payload, std::string_view dictionary, char* out,
                    uint64_t raw_size);

}  // namespace varve
