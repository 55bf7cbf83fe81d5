// SPDX-License-Identifier: Apache-2.0
// Bytes that tests are made of, and numbers as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/bytes/byte_writer.h"

namespace varve {

// Bytes that do not repeat and that no codec makes smaller: always the same for the same seed.
inline std::string Noise(size_t size, uint32_t seed = 7) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) {
    seed = seed * 1664525 + 1013904223;
    byte = static_cast<char>(seed >> 24);
  }
  return bytes;
}

// The inputs of the checksums that RocksDB computed (fixtures/makers/make_vectors.py).
inline std::string VectorInput(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 37 + size * 11 + 5);
  return bytes;
}

inline std::string Fixed64(uint64_t number) {
  std::string bytes;
  AppendFixed64(&bytes, number);
  return bytes;
}
// Of the first eight bytes.
inline uint64_t FromFixed64(std::string_view bytes) { return LoadFixed64(bytes.data()); }

}  // namespace varve
