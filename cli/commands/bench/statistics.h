// SPDX-License-Identifier: Apache-2.0
// Estimates the effect that paired measurements show, with a confidence interval.
//
// A pair is one measurement of A and one of B, taken next to each other, so that a disturbance of
// the machine affects both. The effect is the Hodges-Lehmann estimate of the log-ratios (the median
// of the means of all pairs of them) with the interval of Wilcoxon's signed-rank test: a single
// disturbed pair moves neither, whereas it would move a mean and widen a t interval.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "varve/result.h"

namespace varve::cli::bench {

struct Effect {
  double log_ratio = 0;      // Of B's rate to A's.
  double low = 0, high = 0;  // Confidence interval; infinite when there are too few pairs.
  size_t pairs = 0;

  bool shown() const { return low > 0 || high < 0; }  // The interval does not span zero.
};

constexpr double kConfidencePercent = 99;
constexpr size_t kPairsMin = 10;  // With fewer, no effect is significant at that confidence.
constexpr size_t kPairsDefault =
    40;  // Finds 5 % where pairs scatter by 2 % and some are disturbed.

// `log_ratios` holds log(rate of B / rate of A) of each pair; at least one.
Effect EstimateEffect(std::span<const double> log_ratios);

// Measures `pairs` pairs, A first in one and B first in the next. The arguments return seconds for
// the same work; their argument is the pair's number.
using Measure = std::function<Result<double>(size_t pair)>;
Result<Effect> ComparePairs(const Measure& a, const Measure& b, size_t pairs);

}  // namespace varve::cli::bench
