// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) of bytes in pieces: what clients of every language and system can compute.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace varve {

// One thread.
class Sha256 {
 public:
  void Add(std::string_view bytes);
  // Of all bytes so far, 64 hex digits in lower case. Nothing can be added after it.
  std::string HexDigest();

 private:
  void Compress(const char* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, 64> pending_{};  // The beginning of a block.
  size_t pending_size_ = 0;
  uint64_t total_ = 0;
};

// HexDigest() of these bytes.
std::string Sha256Of(std::string_view bytes);
// Whether it may be a HexDigest().
bool IsSha256(std::string_view text);

}  // namespace varve
