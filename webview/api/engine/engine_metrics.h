// SPDX-License-Identifier: Apache-2.0
// Statistics of an engine as JSON (…/stats) and as Prometheus text (/metrics). Pure.
#pragma once

#include <string>
#include <vector>

#include "varve/stats.h"
#include "webview/api/json/json.h"

namespace varve::api {

// "tickers" and "histograms" have RocksDB's names where their meaning is the same; figures that
// only Varve has begin with "varve.".
Json StatsJson(const DbStats& stats, const std::vector<FamilyStats>& families);

// Version 0.0.4 of the text format: HELP and TYPE of each metric, then its samples.
std::string MetricsText(const DbStats& stats, const std::vector<FamilyStats>& families);

// The given percentile of the durations in nanoseconds, interpolated within a bucket; 0 if there
// are none.
double Percentile(const Durations& durations, double fraction);

}  // namespace varve::api
