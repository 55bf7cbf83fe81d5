// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/try.h"

namespace varve::cli::bench {

Effect EstimateEffect(std::span<const double> log_ratios) {
  constexpr double kQuantile = 2.5758;  // Of the normal distribution, for 99 %.
  const size_t n = log_ratios.size();
  std::vector<double> means;
  means.reserve(n * (n + 1) / 2);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i; j < n; ++j) means.push_back((log_ratios[i] + log_ratios[j]) / 2);
  }
  std::sort(means.begin(), means.end());
  const size_t m = means.size();
  Effect effect;
  effect.pairs = n;
  effect.log_ratio = (means[(m - 1) / 2] + means[m / 2]) / 2;
  // The signed-rank statistic has mean n(n+1)/4 and variance n(n+1)(2n+1)/24.
  const double count = static_cast<double>(n);
  const double outside = std::floor(
      count * (count + 1) / 4 - kQuantile * std::sqrt(count * (count + 1) * (2 * count + 1) / 24));
  if (outside < 1) {
    effect.low = -std::numeric_limits<double>::infinity();
    effect.high = std::numeric_limits<double>::infinity();
    return effect;
  }
  const size_t rank = static_cast<size_t>(outside) - 1;
  effect.low = means[rank];
  effect.high = means[m - 1 - rank];
  return effect;
}

Result<Effect> ComparePairs(const Measure& a, const Measure& b, size_t pairs) {
  std::vector<double> log_ratios;
  for (size_t pair = 0; pair < pairs; ++pair) {
    const bool a_first = pair % 2 == 0;
    ASSIGN_OR_RETURN(const double first, (a_first ? a : b)(pair));
    ASSIGN_OR_RETURN(const double second, (a_first ? b : a)(pair));
    log_ratios.push_back(a_first ? std::log(first / second) : std::log(second / first));
  }
  return EstimateEffect(log_ratios);
}

}  // namespace varve::cli::bench
