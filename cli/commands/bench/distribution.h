// SPDX-License-Identifier: Apache-2.0
// Chooses the record of each operation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/commands/bench/random.h"

namespace varve::cli::bench {

enum class Distribution : uint8_t {
  kUniform,  // Every record is equally likely.
  kZipfian,  // A few records, scattered over all keys, get most operations.
  kLatest,   // The same distribution, with the newest records the most popular.
};
std::optional<Distribution> ParseDistribution(std::string_view name);
inline constexpr std::array<std::string_view, 3> kDistributionNames = {"uniform", "zipfian",
                                                                       "latest"};
constexpr std::string_view DistributionName(Distribution distribution) {
  return kDistributionNames.at(static_cast<size_t>(distribution));
}

// Ranks 0, 1, 2, ... with probability proportional to 1 / (rank + 1)^0.99, YCSB's constant.
// Rejection-inversion (Hoermann and Derflinger 1996): exact, and without a table that would have to
// grow with the number of records.
class Zipf {
 public:
  uint64_t Rank(RandomSource& random, uint64_t n);  // In [0, n).

 private:
  void Prepare(uint64_t n);
  uint64_t n_ = 0;
  double low_ = 0, high_ = 0, shortcut_ = 0;
};

// Numbers of records.
class RecordChooser {
 public:
  RecordChooser(Distribution distribution, uint64_t seed)
      : distribution_(distribution), random_(seed) {}
  uint64_t Next(uint64_t records);  // In [0, records).
  RandomSource& random() { return random_; }

 private:
  Distribution distribution_;
  RandomSource random_;
  Zipf zipf_;
};

// The numbers 0 .. n-1 in an order that looks random, each once, without a table: a Feistel
// network over the next even power of two, walked until it lands below n.
class Permutation {
 public:
  Permutation(uint64_t n, uint64_t seed);
  uint64_t At(uint64_t index) const;

 private:
  uint64_t n_, seed_;
  unsigned half_bits_;
};

}  // namespace varve::cli::bench
