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

Histogram& Histogram::operator=(const Histogram& other) {
  if (this == &other) return *this;
  for (Cell& bucket : buckets_) bucket.Set(0);
  min_.Set(kNone);
  max_.Set(0);
  sum_ = 0;
  Merge(other);
  return *this;
}

void Histogram::Merge(const Histogram& other) {
  for (unsigned i = 0; i < kBuckets; ++i) buckets_[i].Add(other.buckets_[i].Get());
  min_.Set(std::min(min_.Get(), other.min_.Get()));
  max_.Set(std::max(max_.Get(), other.max_.Get()));
  sum_ = sum_ + other.sum_;
}

Histogram Histogram::Since(const Histogram& earlier) const {
  Histogram later;
  for (unsigned i = 0; i < kBuckets; ++i) {
    const uint64_t count = buckets_[i].Get() - earlier.buckets_[i].Get();
    if (count == 0) continue;
    later.buckets_[i].Set(count);
    later.min_.Set(std::min(later.min_.Get(), std::max(Begin(i), min())));
    later.max_.Set(std::min(End(i) - 1, max()));
  }
  later.sum_ = sum_ - earlier.sum_;
  return later;
}

uint64_t Histogram::count() const {
  uint64_t count = 0;
  for (const Cell& bucket : buckets_) count += bucket.Get();
  return count;
}

double Histogram::mean() const {
  const uint64_t n = count();
  return n == 0 ? 0 : sum_ / static_cast<double>(n);
}

uint64_t Histogram::Percentile(double percent) const {
  const uint64_t n = count();
  if (n == 0) return 0;
  const double exact = std::ceil(static_cast<double>(n) * percent / 100);
  const uint64_t wanted = std::clamp<uint64_t>(static_cast<uint64_t>(exact), 1, n);
  uint64_t seen = 0;
  for (unsigned i = 0; i < kBuckets; ++i) {
    seen += buckets_[i].Get();
    if (seen >= wanted) return std::min(End(i) - 1, max());
  }
  return max();
}

std::vector<Histogram::Bucket> Histogram::Buckets() const {
  std::vector<Bucket> list;
  for (unsigned i = 0; i < kBuckets; ++i) {
    const uint64_t count = buckets_[i].Get();
    if (count > 0) list.push_back({Begin(i), End(i), count});
  }
  return list;
}

std::vector<uint64_t> Histogram::Counts() const {
  std::vector<uint64_t> counts;
  for (unsigned i = 0; i < kBuckets; ++i) {
    const uint64_t count = buckets_[i].Get();
    if (count == 0) continue;
    counts.resize(i + 1);
    counts.back() = count;
  }
  return counts;
}

}  // namespace varve::cli::bench
