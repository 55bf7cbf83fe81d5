// SPDX-License-Identifier: Apache-2.0
// SHA-256, for comparing entry lists with the digests of tests/fixtures/sst/manifest.json.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/text/text.h"

namespace varve {

class Sha256 {
 public:
  Sha256() {
    // The first 32 bits of the fractions of the primes' square and cube roots.
    size_t found = 0;
    for (uint32_t n = 2; found < 64; ++n) {
      if (!IsPrime(n)) continue;
      if (found < 8) state_[found] = Fraction(std::sqrt(static_cast<long double>(n)));
      k_[found++] = Fraction(std::cbrt(static_cast<long double>(n)));
    }
  }

  void Update(std::string_view bytes) {
    total_ += bytes.size();
    pending_ += bytes;
    size_t at = 0;
    for (; at + 64 <= pending_.size(); at += 64) Compress(pending_.data() + at);
    pending_.erase(0, at);
  }

  std::string HexDigest() {
    const uint64_t bits = total_ * 8;
    std::string tail = "\x80";
    while ((total_ + tail.size()) % 64 != 56) tail += '\0';
    for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>(bits >> shift);
    Update(tail);
    std::string hex;
    for (const uint32_t word : state_) hex += Hex(word, 8);
    return hex;
  }

 private:
  static bool IsPrime(uint32_t n) {
    for (uint32_t d = 2; d * d <= n; ++d) {
      if (n % d == 0) return false;
    }
    return true;
  }
  static uint32_t Fraction(long double root) {
    return static_cast<uint32_t>((root - std::floor(root)) * 4294967296.0L);
  }

  void Compress(const char* block) {
    std::array<uint32_t, 64> w;
    for (size_t i = 0; i < 16; ++i) {
      w[i] = 0;
      for (size_t j = 0; j < 4; ++j) w[i] = w[i] << 8 | static_cast<uint8_t>(block[4 * i + j]);
    }
    for (size_t i = 16; i < 64; ++i) {
      const uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    std::array<uint32_t, 8> s = state_;
    for (size_t i = 0; i < 64; ++i) {
      const uint32_t e = s[4], a = s[0];
      const uint32_t t1 = s[7] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                          ((e & s[5]) ^ (~e & s[6])) + k_[i] + w[i];
      const uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
                          ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
      s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
    }
    for (size_t i = 0; i < 8; ++i) state_[i] += s[i];
  }

  std::array<uint32_t, 8> state_{};
  std::array<uint32_t, 64> k_{};
  std::string pending_;
  uint64_t total_ = 0;
};

}  // namespace varve
