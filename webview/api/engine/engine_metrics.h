// SPDX-License-Identifier: Apache-2.0
// An engine's figures as JSON (…/stats) and as Prometheus text (/metrics). Pure.
#pragma once

#include <string>
#include <vector>

#include "varve/stats.h"
#include "webview/api/json/json.h"

namespace varve::api {

// "tickers" and "histograms" go by the names that RocksDB gives them, where it counts the same;
// what only Varve counts begins with "varve.".
Json StatsJson(const DbStats& stats, const std::vector<FamilyStats>& families);

// Version 0.0.4 of the text format: HELP and TYPE of each metric, then its samples.
std::string MetricsText(const DbStats& stats, const std::vector<FamilyStats>& families);

// The duration that `fraction` of those counted took at most, in nanoseconds, interpolated within a
// bucket; 0 if there are none.
double Percentile(const Durations& durations, double fraction);

}  // namespace varve::api
