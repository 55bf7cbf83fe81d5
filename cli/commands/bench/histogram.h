// SPDX-License-Identifier: Apache-2.0
// Histogram counts durations in buckets whose width grows with the value, so that any percentile
// is within 0.8 % of the truth from a nanosecond to centuries, in a fixed 58 KiB.
//
//   value            0 .. 255        256 .. 511       512 .. 1023      ...
//   bucket width         1                2                4
//   buckets             256              128              128
//
// Not thread-safe: one a thread, merged afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace varve::cli::bench {

class Histogram {
 public:
  struct Bucket {
    uint64_t from = 0, to = 0;  // Values in [from, to).
    uint64_t count = 0;
  };

  void Record(uint64_t value);
  void Merge(const Histogram& other);

  uint64_t count() const { return count_; }
  uint64_t min() const { return count_ == 0 ? 0 : min_; }
  uint64_t max() const { return max_; }
  double mean() const;
  // The smallest value that at least `percent` of all are not above, rounded up to its bucket's
  // end but never beyond max(). 0 when empty.
  uint64_t Percentile(double percent) const;
  std::vector<Bucket> Buckets() const;  // Those that are not empty, ascending.

 private:
  static constexpr unsigned kHalf = 128;  // Buckets for each power of two.
  static constexpr unsigned kBuckets = 57 * kHalf + kHalf;

  static unsigned BucketOf(uint64_t value);
  static uint64_t Begin(unsigned bucket);

  std::array<uint64_t, kBuckets> buckets_ = {};
  uint64_t count_ = 0, min_ = ~uint64_t{0}, max_ = 0;
  double sum_ = 0;
};

}  // namespace varve::cli::bench
