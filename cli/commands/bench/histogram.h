// SPDX-License-Identifier: Apache-2.0
// Histogram counts durations in buckets whose width grows with the value, so that any percentile
// is within 0.8 % of the truth from a nanosecond to centuries, in a fixed 58 KiB.
//
//   value            0 .. 255        256 .. 511       512 .. 1023      ...
//   bucket width         1                2                4
//   buckets             256              128              128
//
// These are the buckets of an HdrHistogram of two significant digits (hdr_encoding.h).
//
// One thread records; any may copy it meanwhile, and gets what was recorded so far.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace varve::cli::bench {

class Histogram {
 public:
  struct Bucket {
    uint64_t from = 0, to = 0;  // Values in [from, to).
    uint64_t count = 0;
  };

  Histogram() = default;
  Histogram(const Histogram& other) { Merge(other); }
  Histogram& operator=(const Histogram& other);

  void Record(uint64_t value) {
    buckets_[BucketOf(value)].Add(1);
    sum_.store(sum_.load(std::memory_order_relaxed) + static_cast<double>(value),
               std::memory_order_relaxed);
    if (value < min_.Get()) min_.Set(value);
    if (value > max_.Get()) max_.Set(value);
  }
  void Merge(const Histogram& other);
  // The values recorded since `earlier`, an older copy of this histogram. Least and greatest value
  // are the bounds of their buckets.
  Histogram Since(const Histogram& earlier) const;

  uint64_t count() const;
  uint64_t min() const { return min_.Get() == kNone ? 0 : min_.Get(); }
  uint64_t max() const { return max_.Get(); }
  double mean() const;
  // The value that `percent` of all recorded values do not exceed, rounded up to the end of its
  // bucket, at most max(). 0 if empty.
  uint64_t Percentile(double percent) const;
  std::vector<Bucket> Buckets() const;  // Those that are not empty, ascending.
  // The counts of all buckets up to the last that is not empty.
  std::vector<uint64_t> Counts() const;

 private:
  static constexpr unsigned kHalf = 128;  // Buckets for each power of two.
  static constexpr unsigned kBuckets = 57 * kHalf + kHalf;
  static constexpr uint64_t kNone = ~uint64_t{0};

  // Written by one thread, so that adding takes no locked instruction.
  class Cell {
   public:
    explicit Cell(uint64_t value = 0) : value_(value) {}
    uint64_t Get() const { return value_.load(std::memory_order_relaxed); }
    void Set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }
    void Add(uint64_t n) { Set(Get() + n); }

   private:
    std::atomic<uint64_t> value_;
  };

  static unsigned BucketOf(uint64_t value);
  static uint64_t Begin(unsigned bucket);
  static uint64_t End(unsigned bucket) { return bucket + 1 < kBuckets ? Begin(bucket + 1) : kNone; }

  std::array<Cell, kBuckets> buckets_;
  Cell min_{kNone}, max_;
  std::atomic<double> sum_ = 0;
};

}  // namespace varve::cli::bench
