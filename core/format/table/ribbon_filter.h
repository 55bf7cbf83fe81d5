// SPDX-License-Identifier: Apache-2.0
// The Standard128 Ribbon filter: a linear system over GF(2) whose solution answers "maybe" for
// every key it was built from. About 30 % smaller than a Bloom filter with the same false positive
// rate, but three to four times the work, so it suits the last level.
//
//   | 16-byte segment [] | FE | seed | number of blocks, LE u24 |
//
// A block covers 128 slots and has `upper` segments (one per result column), the first
// `first_upper` blocks one fewer. Hash: XXPH3 (base/hash.h). Byte for byte what RocksDB 7.8 builds.
// Pure: thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace varve {

// RocksDB writes a Bloom filter for more entries: the block number would not fit.
inline constexpr uint64_t kRibbonEntriesMax = 950'000'000;

struct RibbonFilter {
  const uint8_t* segments = nullptr;
  uint64_t num_segments = 0;
  uint32_t num_blocks = 0;  // At least 2.
  uint32_t upper_columns = 0;
  uint32_t first_upper = 0;  // Blocks before this one have upper_columns - 1.
  uint64_t seed_mask = 0;    // XORed into a key's hash.

  // `segments` are the bytes before the trailer. nullopt if they cannot be such a filter, which
  // then always answers "maybe".
  static std::optional<RibbonFilter> Parse(std::string_view segments, uint8_t seed,
                                           uint32_t num_blocks);

  bool MayMatch(uint64_t hash) const;
  void Prefetch(uint64_t hash) const;
};

// The whole filter with its trailer, from the hashes in key order. nullopt if a Bloom filter must
// be written instead: it would be smaller, there are too many keys, or no seed gives a solution.
std::optional<std::string> BuildRibbon(std::span<const uint64_t> hashes, double bits_per_key);

// Size of BuildRibbon()'s result, or of the Bloom filter that replaces it.
uint64_t RibbonSize(uint64_t entries, double bits_per_key);

}  // namespace varve
