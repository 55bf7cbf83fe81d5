// SPDX-License-Identifier: Apache-2.0
// The hash functions of RocksDB's format (sst-format section 3).
#pragma once

#include <cstdint>
#include <string_view>

namespace varve {

// Final XXH3_64bits / XXH64 / XXH32, seed 0, and XXH3_128: from the xxHash library.
uint64_t Xxh3_64(std::string_view bytes);
uint64_t Xxh64(std::string_view bytes);
uint32_t Xxh32(std::string_view bytes);
struct Hash128 {
  uint64_t low = 0, high = 0;
};
Hash128 Xxh3_128(std::string_view bytes, uint64_t seed);

// The frozen preview of XXH3 (xxHash 0.7.2) that filters use: differs from the final one at every
// length (sst-format 3.6).
uint64_t Xxph3_64(std::string_view bytes);

// MurmurHash1-like, 32 bits (sst-format 3.4). RocksDB sign-extends the tail bytes, LevelDB does
// not.
uint32_t Hash32(std::string_view bytes, uint32_t seed);
uint32_t Hash32LevelDb(std::string_view bytes, uint32_t seed);

}  // namespace varve
