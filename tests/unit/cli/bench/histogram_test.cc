// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/histogram.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/commands/bench/random.h"

namespace varve::cli::bench {

TEST_CASE("Histogram: an empty one is all zeros") {
  const Histogram histogram;
  CHECK(histogram.count() == 0);
  CHECK(histogram.min() == 0);
  CHECK(histogram.mean() == 0);
  CHECK(histogram.Percentile(99) == 0);
  CHECK(histogram.Buckets().empty());
}

TEST_CASE("Histogram: every value lies in the bucket that counts it") {
  std::vector<uint64_t> values = {0, 1, 255, 256, 257, 511, 512, ~uint64_t{0} - 1};
  for (int shift = 0; shift < 64; ++shift) values.push_back(uint64_t{1} << shift);
  for (const uint64_t value : values) {
    CAPTURE(value);
    Histogram histogram;
    histogram.Record(value);
    REQUIRE(histogram.Buckets().size() == 1);
    const Histogram::Bucket bucket = histogram.Buckets()[0];
    CHECK(bucket.from <= value);
    CHECK(value < bucket.to);
    CHECK(static_cast<double>(bucket.to - bucket.from) <=
          std::max(1.0, static_cast<double>(value) / 128));
    CHECK(histogram.Percentile(50) == value);  // Never beyond the largest seen.
  }
}

TEST_CASE("Histogram: percentiles are within a bucket of the sorted values") {
  RandomSource random(7);
  Histogram one, other;
  std::vector<uint64_t> values;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t value = random.Next() >> (20 + random.Below(40));
    values.push_back(value);
    (i % 2 == 0 ? one : other).Record(value);
  }
  one.Merge(other);
  std::sort(values.begin(), values.end());
  CHECK(one.count() == values.size());
  CHECK(one.min() == values.front());
  CHECK(one.max() == values.back());
  for (const double percent : {1.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    CAPTURE(percent);
    const auto rank =
        static_cast<size_t>(std::ceil(static_cast<double>(values.size()) * percent / 100));
    const double exact = static_cast<double>(values[rank - 1]);
    const double measured = static_cast<double>(one.Percentile(percent));
    CHECK(measured >= exact);
    CHECK(measured <= exact * 1.008 + 1);
  }
}

}  // namespace varve::cli::bench
