// SPDX-License-Identifier: Apache-2.0
#include "cli/ldb/value_sizes.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <limits>

namespace varve::cli::ldb {
namespace {

// RocksDB's: each limit is half as much again as the one before, cut to two digits.
std::vector<uint64_t> BucketLimits() {
  std::vector<uint64_t> limits = {1, 2};
  constexpr auto kMax = static_cast<double>(std::numeric_limits<uint64_t>::max());
  for (double next = 3; next <= kMax; next *= 1.5) {
    auto digits = static_cast<uint64_t>(next);
    uint64_t power = 1;
    for (; digits / 10 > 10; digits /= 10) power *= 10;
    limits.push_back(digits * power);
  }
  return limits;
}

template <typename... Args>
std::string Formatted(const char* format, Args... args) {
  std::array<char, 200> text{};
  const int size = std::snprintf(text.data(), text.size(), format, args...);
  return {text.data(), static_cast<size_t>(size)};
}

}  // namespace

ValueSizes::ValueSizes() : limits_(BucketLimits()), counts_(limits_.size()) {}

void ValueSizes::Add(uint64_t size) {
  const auto bucket = std::lower_bound(limits_.begin(), limits_.end() - 1, size);
  ++counts_[static_cast<size_t>(bucket - limits_.begin())];
  smallest_ = count_ == 0 ? size : std::min(smallest_, size);
  largest_ = std::max(largest_, size);
  ++count_;
  sum_ += size;
  sum_of_squares_ += size * size;
}

double ValueSizes::Percentile(double percent) const {
  const double threshold = static_cast<double>(count_) * (percent / 100.0);
  uint64_t below = 0;
  for (size_t i = 0; i < counts_.size(); below += counts_[i++]) {
    if (static_cast<double>(below + counts_[i]) < threshold) continue;
    const double left = i == 0 ? 0 : static_cast<double>(limits_[i - 1]);
    const auto right = static_cast<double>(limits_[i]);
    const double share = counts_[i] == 0 ? 0
                                         : (threshold - static_cast<double>(below)) /
                                               static_cast<double>(counts_[i]);
    return std::clamp(left + (right - left) * share, static_cast<double>(smallest_),
                      static_cast<double>(largest_));
  }
  return static_cast<double>(largest_);
}

double ValueSizes::StandardDeviation() const {
  if (count_ == 0) return 0;
  const auto count = static_cast<double>(count_), sum = static_cast<double>(sum_);
  const double variance =
      (static_cast<double>(sum_of_squares_) * count - sum * sum) / (count * count);
  return std::sqrt(std::max(variance, 0.0));
}

std::string ValueSizes::Text() const {
  const double average = count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  std::string text =
      Formatted("Count: %" PRIu64 " Average: %.4f  StdDev: %.2f\n", count_, average,
                StandardDeviation()) +
      Formatted("Min: %" PRIu64 "  Median: %.4f  Max: %" PRIu64 "\n", smallest_, Percentile(50),
                largest_) +
      Formatted("Percentiles: P50: %.2f P75: %.2f P99: %.2f P99.9: %.2f P99.99: %.2f\n",
                Percentile(50), Percentile(75), Percentile(99), Percentile(99.9),
                Percentile(99.99)) +
      "------------------------------------------------------\n";
  uint64_t up_to = 0;
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    up_to += counts_[i];
    const double percent = 100.0 / static_cast<double>(count_);
    const double share = percent * static_cast<double>(counts_[i]);
    text += Formatted("%c %7" PRIu64 ", %7" PRIu64 " ] %8" PRIu64 " %7.3f%% %7.3f%% ",
                      i == 0 ? '[' : '(', i == 0 ? uint64_t{0} : limits_[i - 1], limits_[i],
                      counts_[i], share, percent * static_cast<double>(up_to));
    text += std::string(static_cast<size_t>(share / 5 + 0.5), '#') + "\n";
  }
  return text;
}

}  // namespace varve::cli::ldb
