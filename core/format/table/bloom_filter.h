// SPDX-License-Identifier: Apache-2.0
// The Bloom filters of the format, as functions of hashes: how they are laid out and built.
// format/table/filter.h selects and queries them.
//
// FastLocalBloom (format_version >= 5): 64-byte lines; all bits of a key are in one line, so that a
// query costs one cache miss. Its hash is XXPH3 (base/hash.h).
//
//   | 64-byte line [] | FF | 00 | probes | 00 00 |
//
// Legacy Bloom (format_version <= 4), Hash32 with seed BC9F1D34:
//
//   | line [] | probes (1..30) | number of lines, LE u32 |
//
// Byte for byte what RocksDB 7.8 builds. Pure functions: thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace varve {

inline constexpr uint32_t kLegacyBloomSeed = 0xBC9F1D34;
inline constexpr uint64_t kBloomLineSize = 64;
inline constexpr uint64_t kFilterTrailerSize = 5;
inline constexpr uint64_t kBloomSizeMax = 0xFFFFFFC0;  // Of the lines.

// floor(bits * 1000 + 0.5...), limited to 1..100 bits; 0 (no filter) below half a bit.
uint32_t MillibitsPerKey(double bits_per_key);

// Line bytes and probes of a FastLocalBloom for `entries` keys.
uint64_t FastLocalBloomSize(uint64_t entries, uint32_t millibits);
uint32_t FastLocalBloomProbes(uint32_t millibits);
// The expected false positive rate of a FastLocalBloom.
double FastLocalBloomFalsePositives(double bits_per_key, uint32_t probes);

// The whole filter with its trailer. Requires millibits > 0; "" for no hashes.
std::string BuildFastLocalBloom(std::span<const uint64_t> hashes, uint32_t millibits);
// `hashes` are Hash32 values.
std::string BuildLegacyBloom(std::span<const uint64_t> hashes, uint32_t millibits);

// First the line, then the bits in it. The two halves of an XXPH3 hash are independent.
inline uint64_t FastLocalBloomLine(uint64_t hash, uint32_t lines) {
  return (uint64_t{static_cast<uint32_t>(hash)} * lines) >> 32;
}

inline bool FastLocalBloomMayMatch(const uint8_t* line, uint64_t hash, uint32_t probes) {
  auto h = static_cast<uint32_t>(hash >> 32);
  for (uint32_t i = 0; i < probes; ++i, h *= 0x9E3779B9u) {
    const uint32_t bit = h >> 23;  // 0..511
    if ((line[bit >> 3] & (1u << (bit & 7))) == 0) return false;
  }
  return true;
}

// `line_bits` is a power of two.
inline bool LegacyBloomMayMatch(const uint8_t* line, uint32_t line_bits, uint32_t hash,
                                uint32_t probes) {
  const uint32_t delta = hash >> 17 | hash << 15;
  for (uint32_t i = 0; i < probes; ++i, hash += delta) {
    const uint32_t bit = hash & (line_bits - 1);
    if ((line[bit >> 3] & (1u << (bit & 7))) == 0) return false;
  }
  return true;
}

}  // namespace varve
