// SPDX-License-Identifier: Apache-2.0
// A small, fast, seeded source of numbers: its 8 bytes of state leave the cache to the measured
// code. (SplitMix64 of Steele, Lea and Flood.)
#pragma once

#include <cstdint>

namespace varve::cli::bench {

// A bijection of 64-bit numbers that looks random.
inline uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class RandomSource {
 public:
  explicit RandomSource(uint64_t seed) : state_(Mix(seed)) {}

  uint64_t Next() { return Mix(state_ += 0x9e3779b97f4a7c15); }
  // In [0, n), n > 0.
  uint64_t Below(uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * n) >> 64);
  }
  // In [0, 1).
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

}  // namespace varve::cli::bench
