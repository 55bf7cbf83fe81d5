// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/distribution.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace varve::cli::bench {

TEST_CASE("Zipf: ranks are as frequent as 1 / (rank + 1)^0.99 says") {
  constexpr uint64_t kRecords = 1000, kDraws = 400000;
  RandomSource random(3);
  Zipf zipf;
  std::vector<uint64_t> seen(kRecords);
  for (uint64_t i = 0; i < kDraws; ++i) {
    const uint64_t rank = zipf.Rank(random, kRecords);
    REQUIRE(rank < kRecords);
    ++seen[rank];
  }
  double sum = 0;
  for (uint64_t rank = 0; rank < kRecords; ++rank) sum += std::pow(rank + 1, -0.99);
  for (const uint64_t rank : {0, 1, 2, 9, 99, 999}) {
    CAPTURE(rank);
    const double expected = kDraws * std::pow(rank + 1, -0.99) / sum;
    CHECK(std::abs(static_cast<double>(seen[rank]) - expected) < 5 * std::sqrt(expected));
  }
}

TEST_CASE("RecordChooser: stays among the records, which may be one or grow") {
  for (const auto kind : {Distribution::kUniform, Distribution::kZipfian, Distribution::kLatest}) {
    RecordChooser chooser(kind, 1);
    for (uint64_t records = 1; records < 2000; ++records) {
      REQUIRE(chooser.Next(records) < records);
    }
  }
}

TEST_CASE("RecordChooser: latest prefers the youngest, zipfian scatters its favourites") {
  constexpr uint64_t kRecords = 100000, kDraws = 20000;
  const auto in_youngest_tenth = [](Distribution kind) {
    RecordChooser chooser(kind, 5);
    uint64_t count = 0;
    for (uint64_t i = 0; i < kDraws; ++i) count += chooser.Next(kRecords) >= kRecords * 9 / 10;
    return static_cast<double>(count) / kDraws;
  };
  CHECK(in_youngest_tenth(Distribution::kUniform) == doctest::Approx(0.1).epsilon(0.1));
  CHECK(in_youngest_tenth(Distribution::kLatest) > 0.75);
  CHECK(in_youngest_tenth(Distribution::kZipfian) < 0.4);
}

TEST_CASE("Permutation: gives every number once, in an order that the seed decides") {
  for (const uint64_t n : {1, 2, 3, 16, 17, 1000, 4097}) {
    CAPTURE(n);
    const Permutation order(n, 9), other(n, 10);
    std::vector<bool> seen(n);
    uint64_t in_place = 0, alike = 0;
    for (uint64_t i = 0; i < n; ++i) {
      const uint64_t number = order.At(i);
      REQUIRE(number < n);
      REQUIRE_FALSE(seen[number]);
      seen[number] = true;
      in_place += number == i;
      alike += number == other.At(i);
    }
    if (n >= 1000) {
      CHECK(in_place < n / 50);
      CHECK(alike < n / 50);
    }
  }
}

}  // namespace varve::cli::bench
