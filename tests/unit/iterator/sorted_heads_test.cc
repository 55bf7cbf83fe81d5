// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/sorted_heads.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace varve {
namespace {

constexpr uint64_t kLargest = std::numeric_limits<uint64_t>::max();

std::vector<uint64_t> Draw(uint64_t shape, size_t count, std::mt19937_64& random) {
  std::vector<uint64_t> heads(count);
  std::lognormal_distribution<double> skewed(0, 2);
  for (size_t i = 0; i < count; ++i) {
    switch (shape) {
      case 0:  // Even, with a little noise: a line.
        heads[i] = 1000 + i * 4096 + random() % 64;
        break;
      case 1:
        heads[i] = random();
        break;
      case 2:
        heads[i] = static_cast<uint64_t>(skewed(random) * 1e12);
        break;
      case 3:  // Many of each.
        heads[i] = random() % 20;
        break;
      case 4:  // Both ends of the range.
        heads[i] = random() % 2 == 0 ? random() % 50 : kLargest - random() % 50;
        break;
      default:  // All one.
        heads[i] = 77;
    }
  }
  std::sort(heads.begin(), heads.end());
  return heads;
}

TEST_CASE("SortedHeads: finds what std::lower_bound finds, one by one and in batches") {
  for (uint64_t seed = 0; seed < 240; ++seed) {
    std::mt19937_64 random(seed);
    const size_t count = seed < 60 ? random() % 40 : random() % 3000;
    const std::vector<uint64_t> heads = Draw(seed % 6, count, random);
    CAPTURE(seed);
    CAPTURE(count);
    const SortedHeads sorted(heads);
    REQUIRE_EQ(sorted.size(), count);
    std::vector<uint64_t> sought = {0, 1, kLargest, kLargest - 1};
    for (int i = 0; i < 300; ++i) {
      uint64_t near = random();
      if (!heads.empty() && i % 4 != 0) near = heads[random() % heads.size()] + random() % 3 - 1;
      sought.push_back(near);
    }
    std::vector<uint32_t> found(sought.size());
    sorted.LowerBound(sought, found.data());
    for (size_t i = 0; i < sought.size(); ++i) {
      CAPTURE(sought[i]);
      const auto expected = static_cast<size_t>(
          std::lower_bound(heads.begin(), heads.end(), sought[i]) - heads.begin());
      REQUIRE_EQ(sorted.LowerBound(sought[i]), expected);
      REQUIRE_EQ(found[i], expected);
    }
  }
}

TEST_CASE("SortedHeads: even heads make a line, others a radix table, few neither") {
  std::mt19937_64 random(1);
  CHECK_EQ(SortedHeads(Draw(0, 20, random)).kind(), SortedHeads::Kind::kWhole);
  CHECK_EQ(SortedHeads(Draw(0, 5000, random)).kind(), SortedHeads::Kind::kLine);
  CHECK_EQ(SortedHeads(Draw(1, 5000, random)).kind(), SortedHeads::Kind::kRadix);
  CHECK_EQ(SortedHeads(Draw(5, 5000, random)).kind(), SortedHeads::Kind::kRadix);
}

TEST_CASE("SortedHeads: a table is at most some twenty bytes for each head") {
  std::mt19937_64 random(1);
  for (uint64_t shape = 0; shape < 6; ++shape) {
    const SortedHeads sorted(Draw(shape, 10'000, random));
    CHECK_LE(sorted.memory_bytes(), 10'000 * 20);
  }
}

}  // namespace
}  // namespace varve
