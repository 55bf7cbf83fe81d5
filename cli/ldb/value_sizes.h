// SPDX-License-Identifier: Apache-2.0
// The distribution of sizes that `dump --count_only` prints, in the form of RocksDB's histograms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace varve::cli::ldb {

class ValueSizes {
 public:
  ValueSizes();
  void Add(uint64_t size);
  std::string Text() const;

 private:
  double Percentile(double percent) const;
  double StandardDeviation() const;

  std::vector<uint64_t> limits_;  // Of the buckets, inclusive.
  std::vector<uint64_t> counts_;
  uint64_t count_ = 0, sum_ = 0, sum_of_squares_ = 0;
  uint64_t smallest_ = 0, largest_ = 0;
};

}  // namespace varve::cli::ldb
