// SPDX-License-Identifier: Apache-2.0
// The interface between compression.cc and the codecs: a factory and a decoder per codec, each in
// its own file, the only one that includes the codec's library. Payloads are bare.
//
// Factories return null if the library fails to set up; `level` is already the codec's own default
// if the caller chose none. Decoders return true if `payload` is valid and decodes to exactly
// `raw_size` bytes. compression.cc passes no size above kMaxCodecBytes to any of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/codec/compression.h"

namespace varve {

// The codecs use int or unsigned int for sizes; no block is larger.
inline constexpr uint64_t kMaxCodecBytes = 0x7e000000;  // LZ4's limit, the lowest.

// Compression must save at least an eighth to be worth decompressing.
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
