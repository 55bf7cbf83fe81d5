// SPDX-License-Identifier: Apache-2.0
// XXPH3_64, the preview of XXH3 that RocksDB uses for filters; no library has it any more. Each
// function below is for one length class of sst-format 3.6.
#include <array>

#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/hash.h"

namespace varve {
namespace {

constexpr uint64_t kPrime32_1 = 0x9e3779b1;
constexpr uint64_t kPrime32_2 = 0x85ebca77;
constexpr uint64_t kPrime32_3 = 0xc2b2ae3d;
constexpr uint64_t kPrime64_1 = 0x9e3779b185ebca87;
constexpr uint64_t kPrime64_2 = 0xc2b2ae3d27d4eb4f;
constexpr uint64_t kPrime64_3 = 0x165667b19e3779f9;
constexpr uint64_t kPrime64_4 = 0x85ebca77c2b2ae63;
constexpr uint64_t kPrime64_5 = 0x27d4eb2f165667c5;

// The default secret of XXH3, preview and final.
alignas(64) constexpr unsigned char kSecretBytes[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

const char* Secret(size_t at) { return reinterpret_cast<const char*>(kSecretBytes) + at; }

uint64_t Fold(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t Avalanche(uint64_t hash) {
  hash ^= hash >> 37;
  hash *= kPrime64_3;
  return hash ^ (hash >> 32);
}

uint64_t Mix16(const char* in, size_t secret) {
  return Fold(LoadFixed64(in) ^ LoadFixed64(Secret(secret)),
              LoadFixed64(in + 8) ^ LoadFixed64(Secret(secret + 8)));
}

uint64_t HashUpTo3(const char* in, size_t size) {
  const auto byte = [in](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(in[i])); };
  const uint32_t combined =
      byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16 | static_cast<uint32_t>(size) << 24;
  return Avalanche(uint64_t{combined ^ LoadFixed32(Secret(0))} * kPrime64_1);
}

uint64_t HashUpTo8(const char* in, size_t size) {
  const uint64_t value = LoadFixed32(in) | uint64_t{LoadFixed32(in + size - 4)} << 32;
  const uint64_t keyed = value ^ LoadFixed64(Secret(0));
  const uint64_t mixed = size + (keyed ^ (keyed >> 51)) * kPrime32_1;
  return Avalanche((mixed ^ (mixed >> 47)) * kPrime64_2);
}

uint64_t HashUpTo16(const char* in, size_t size) {
  const uint64_t a = LoadFixed64(in) ^ LoadFixed64(Secret(0));
  const uint64_t b = LoadFixed64(in + size - 8) ^ LoadFixed64(Secret(8));
  return Avalanche(size + a + b + Fold(a, b));
}

uint64_t HashUpTo128(const char* in, size_t size) {
  uint64_t hash = size * kPrime64_1;
  // Pairs of 16 bytes, from both ends inwards.
  for (size_t i = 0; i <= (size - 1) / 32; ++i) {
    hash += Mix16(in + 16 * i, 32 * i) + Mix16(in + size - 16 * (i + 1), 32 * i + 16);
  }
  return Avalanche(hash);
}

uint64_t HashUpTo240(const char* in, size_t size) {
  uint64_t hash = size * kPrime64_1;
  for (size_t i = 0; i < 8; ++i) hash += Mix16(in + 16 * i, 16 * i);
  hash = Avalanche(hash);
  for (size_t i = 8; i < size / 16; ++i) hash += Mix16(in + 16 * i, 16 * (i - 8) + 3);
  hash += Mix16(in + size - 16, 119);
  return Avalanche(hash);
}

using Lanes = std::array<uint64_t, 8>;

void AddStripe(Lanes& lanes, const char* in, size_t secret) {
  for (size_t i = 0; i < lanes.size(); ++i) {
    const uint64_t data = LoadFixed64(in + 8 * i);
    const uint64_t keyed = data ^ LoadFixed64(Secret(secret + 8 * i));
    lanes[i] += data + (keyed & 0xffffffff) * (keyed >> 32);
  }
}

void Scramble(Lanes& lanes) {
  for (size_t i = 0; i < lanes.size(); ++i) {
    lanes[i] = (lanes[i] ^ (lanes[i] >> 47) ^ LoadFixed64(Secret(128 + 8 * i))) * kPrime32_1;
  }
}

uint64_t HashLong(const char* in, size_t size) {
  constexpr size_t kStripe = 64;
  constexpr size_t kStripesPerBlock = 16;
  Lanes lanes = {kPrime32_3, kPrime64_1, kPrime64_2, kPrime64_3,
                 kPrime64_4, kPrime32_2, kPrime64_5, kPrime32_1};
  const size_t stripes = size / kStripe;
  for (size_t i = 0; i < stripes; ++i) {
    AddStripe(lanes, in + i * kStripe, 8 * (i % kStripesPerBlock));
    if (i % kStripesPerBlock == kStripesPerBlock - 1) Scramble(lanes);
  }
  if (size % kStripe != 0) AddStripe(lanes, in + size - kStripe, 121);
  uint64_t hash = size * kPrime64_1;
  for (size_t i = 0; i < 4; ++i) {
    hash += Fold(lanes[2 * i] ^ LoadFixed64(Secret(11 + 16 * i)),
                 lanes[2 * i + 1] ^ LoadFixed64(Secret(19 + 16 * i)));
  }
  return Avalanche(hash);
}

}  // namespace

uint64_t Xxph3_64(std::string_view bytes) {
  const char* in = bytes.data();
  const size_t size = bytes.size();
  if (size == 0) return Fold(LoadFixed64(Secret(0)), kPrime64_2);  // RocksDB's own rule.
  if (size <= 3) return HashUpTo3(in, size);
  if (size <= 8) return HashUpTo8(in, size);
  if (size <= 16) return HashUpTo16(in, size);
  if (size <= 128) return HashUpTo128(in, size);
  if (size <= 240) return HashUpTo240(in, size);
  return HashLong(in, size);
}

}  // namespace varve
