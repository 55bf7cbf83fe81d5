// SPDX-License-Identifier: Apache-2.0
// The basic encodings of all formats, appended to a string: the inverse of ByteReader. Integers are
// little-endian; a varint has 7 bits per byte, low bits first, the high bit set on all bytes except
// the last.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace varve {

static_assert(std::endian::native == std::endian::little,
              "fixed-width integers are copied as they are in memory");

inline constexpr size_t kMaxVarint32Size = 5;
inline constexpr size_t kMaxVarint64Size = 10;

// For hot paths whose bounds are already checked; everything else uses ByteReader.
inline uint32_t LoadFixed32(const char* bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}
inline uint64_t LoadFixed64(const char* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}
inline void StoreFixed32(char* out, uint32_t value) { std::memcpy(out, &value, sizeof(value)); }
inline void StoreFixed64(char* out, uint64_t value) { std::memcpy(out, &value, sizeof(value)); }

inline void AppendFixed16(std::string* out, uint16_t value) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}
inline void AppendFixed32(std::string* out, uint32_t value) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}
inline void AppendFixed64(std::string* out, uint64_t value) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Writes at most kMaxVarint64Size bytes and returns the end.
inline char* StoreVarint64(char* out, uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<char>(value);
  return out;
}

inline void AppendVarint64(std::string* out, uint64_t value) {
  char bytes[kMaxVarint64Size];
  out->append(bytes, static_cast<size_t>(StoreVarint64(bytes, value) - bytes));
}
inline void AppendVarint32(std::string* out, uint32_t value) { AppendVarint64(out, value); }

constexpr size_t VarintSize(uint64_t value) {
  return (static_cast<size_t>(std::bit_width(value | 1)) + 6) / 7;
}

// Maps small magnitudes to small varints: 0, -1, 1, -2 become 0, 1, 2, 3.
constexpr uint64_t ZigZagEncode(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t ZigZagDecode(uint64_t value) {
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}
inline void AppendSignedVarint64(std::string* out, int64_t value) {
  AppendVarint64(out, ZigZagEncode(value));
}

// | size (varint) | bytes |
inline void AppendLengthPrefixed(std::string* out, std::string_view bytes) {
  AppendVarint64(out, bytes.size());
  out->append(bytes);
}

}  // namespace varve
