// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/base/bytes/byte_writer.h"
#if defined(__x86_64__)
#include "core/base/hash/hash_avx2.h"
#endif

namespace varve {
namespace {

// MurmurHash1's loop over whole words and its tail. `TailByte` is the type through which a tail
// byte becomes a 32-bit number, the only difference between RocksDB and LevelDB.
template <typename TailByte>
uint32_t MurmurLike(std::string_view bytes, uint32_t seed) {
  constexpr uint32_t kMultiplier = 0xc6a4a793;
  const char* next = bytes.data();
  size_t left = bytes.size();
  const auto tail = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<int32_t>(static_cast<TailByte>(next[i])));
  };
  uint32_t hash = seed ^ (static_cast<uint32_t>(bytes.size()) * kMultiplier);
  for (; left >= 4; next += 4, left -= 4) {
    hash = (hash + LoadFixed32(next)) * kMultiplier;
    hash ^= hash >> 16;
  }
  if (left == 0) return hash;
  if (left == 3) hash += tail(2) << 16;
  if (left >= 2) hash += tail(1) << 8;
  hash = (hash + tail(0)) * kMultiplier;
  return hash ^ (hash >> 24);
}

using LongHash = uint64_t (*)(const void* bytes, size_t size);

LongHash FastestXxh3() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // Static initialisers of others may run before libgcc's.
  if (__builtin_cpu_supports("avx2")) return Xxh3Avx2;
#endif
  return [](const void* bytes, size_t size) -> uint64_t { return XXH3_64bits(bytes, size); };
}

// Shorter inputs have no loop that wide registers would speed up.
constexpr size_t kLoopFrom = 241;

}  // namespace

uint64_t Xxh3_64(std::string_view bytes) {
  if (bytes.size() < kLoopFrom) return XXH3_64bits(bytes.data(), bytes.size());
  static const LongHash long_hash = FastestXxh3();
  return long_hash(bytes.data(), bytes.size());
}
uint64_t Xxh64(std::string_view bytes) { return XXH64(bytes.data(), bytes.size(), 0); }
uint32_t Xxh32(std::string_view bytes) { return XXH32(bytes.data(), bytes.size(), 0); }

Hash128 Xxh3_128(std::string_view bytes, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {.low = hash.low64, .high = hash.high64};
}

uint32_t Hash32(std::string_view bytes, uint32_t seed) { return MurmurLike<int8_t>(bytes, seed); }

uint32_t Hash32LevelDb(std::string_view bytes, uint32_t seed) {
  return MurmurLike<uint8_t>(bytes, seed);
}

}  // namespace varve
