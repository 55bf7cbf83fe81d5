// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace varve::cli::bench {

// A value of 8 + e bits lies in the group that drops its e low bits.
unsigned Histogram::BucketOf(uint64_t value) {
  const int width = std::bit_width(value);
  const unsigned drop = width <= 8 ? 0 : static_cast<unsigned>(width - 8);
  return drop * kHalf + static_cast<unsigned>(value >> drop);
}

uint64_t Histogram::Begin(unsigned bucket) {
  if (bucket < 2 * kHalf) return bucket;
  const unsigned drop = bucket / kHalf - 1;
  return uint64_t{bucket - drop * kHalf} << drop;
}

void Histogram::Record(uint64_t value) {
  ++buckets_[BucketOf(value)];
  ++count_;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  sum_ += static_cast<double>(value);
}

void Histogram::Merge(const Histogram& other) {
  for (unsigned i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
}

double Histogram::mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

uint64_t Histogram::Percentile(double percent) const {
  if (count_ == 0) return 0;
  const double exact = std::ceil(static_cast<double>(count_) * percent / 100);
  const uint64_t wanted = std::clamp<uint64_t>(static_cast<uint64_t>(exact), 1, count_);
  uint64_t seen = 0;
  for (unsigned i = 0; i + 1 < kBuckets; ++i) {
    seen += buckets_[i];
    if (seen >= wanted) return std::min(Begin(i + 1) - 1, max_);
  }
  return max_;
}

std::vector<Histogram::Bucket> Histogram::Buckets() const {
  std::vector<Bucket> list;
  for (unsigned i = 0; i < kBuckets; ++i) {
    if (buckets_[i] == 0) continue;
    list.push_back({Begin(i), i + 1 < kBuckets ? Begin(i + 1) : ~uint64_t{0}, buckets_[i]});
  }
  return list;
}

}  // namespace varve::cli::bench
