// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/histogram.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
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

TEST_CASE("Histogram: what came since a copy is the difference, in count, mean and percentiles") {
  Histogram all, later;
  RandomSource random(3);
  for (int i = 0; i < 5000; ++i) all.Record(1000 + random.Below(100));
  const Histogram earlier = all;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t value = 50'000 + random.Below(10'000);
    all.Record(value);
    later.Record(value);
  }
  const Histogram since = all.Since(earlier);
  CHECK(since.count() == 5000);
  CHECK(since.mean() == doctest::Approx(later.mean()));
  for (const double percent : {1.0, 50.0, 99.0, 99.9}) {
    CHECK(since.Percentile(percent) == later.Percentile(percent));
  }
  CHECK(since.min() <= later.min());
  CHECK(since.min() > 49'000);
  CHECK(since.max() >= later.max());
  CHECK(since.max() <= all.max());
  CHECK(all.Since(all).count() == 0);
  CHECK(all.Since(all).min() == 0);
}

TEST_CASE("Histogram: a copy made while another thread records is whole") {
  Histogram live;
  std::atomic<bool> stop = false;
  std::thread recorder([&] {
    for (uint64_t i = 0; !stop; ++i) live.Record(i % 5000);
  });
  uint64_t before = 0;
  for (int i = 0; i < 200; ++i) {
    const Histogram copy = live;
    uint64_t total = 0;
    for (const Histogram::Bucket& bucket : copy.Buckets()) total += bucket.count;
    CHECK(total == copy.count());
    CHECK(copy.count() >= before);
    before = copy.count();
  }
  stop = true;
  recorder.join();
}

}  // namespace varve::cli::bench
