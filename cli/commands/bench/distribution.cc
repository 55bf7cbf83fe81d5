// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/distribution.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace varve::cli::bench {
namespace {

constexpr double kExponent = 0.99;

// The density x^-s, its integral and the integral's inverse.
double Density(double x) { return std::pow(x, -kExponent); }
double Integral(double x) { return std::pow(x, 1 - kExponent) / (1 - kExponent); }
double Inverse(double y) { return std::pow(y * (1 - kExponent), 1 / (1 - kExponent)); }

}  // namespace

std::optional<Distribution> ParseDistribution(std::string_view name) {
  for (const auto d : {Distribution::kUniform, Distribution::kZipfian, Distribution::kLatest}) {
    if (DistributionName(d) == name) return d;
  }
  return std::nullopt;
}

void Zipf::Prepare(uint64_t n) {
  n_ = n;
  low_ = Integral(1.5) - 1;
  high_ = Integral(static_cast<double>(n) + 0.5);
  shortcut_ = 2 - Inverse(Integral(2.5) - Density(2));
}

uint64_t Zipf::Rank(RandomSource& random, uint64_t n) {
  if (n != n_) Prepare(n);
  for (;;) {
    const double area = high_ + random.Unit() * (low_ - high_);
    const double x = Inverse(area);
    const double rounded = std::clamp(std::floor(x + 0.5), 1.0, static_cast<double>(n));
    if (rounded - x <= shortcut_ || area >= Integral(rounded + 0.5) - Density(rounded)) {
      return std::min(static_cast<uint64_t>(rounded), n) - 1;
    }
  }
}

uint64_t RecordChooser::Next(uint64_t records) {
  switch (distribution_) {
    case Distribution::kUniform:
      return random_.Below(records);
    case Distribution::kZipfian:
      return Mix(zipf_.Rank(random_, records)) % records;
    case Distribution::kLatest:
      return records - 1 - zipf_.Rank(random_, records);
  }
  return 0;
}

Permutation::Permutation(uint64_t n, uint64_t seed)
    : n_(n),
      seed_(seed),
      half_bits_(std::max(1u, (static_cast<unsigned>(std::bit_width(n - 1)) + 1) / 2)) {}

uint64_t Permutation::At(uint64_t index) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  do {
    uint64_t left = index >> half_bits_, right = index & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      const uint64_t next = left ^ (Mix(right + (seed_ + round) * 0x9e3779b97f4a7c15) & mask);
      left = right;
      right = next;
    }
    index = (left << half_bits_) | right;
  } while (index >= n_);
  return index;
}

}  // namespace varve::cli::bench
