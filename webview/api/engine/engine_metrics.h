// SPDX-License-Identifier: Apache-2.0
// Statistics of an engine as Prometheus text (/metrics). Pure.
#pragma once

#include <string>
#include <vector>

#include "varve/stats.h"

namespace varve::api {

// Version 0.0.4 of the text format: HELP and TYPE of each metric, then its samples.
std::string MetricsText(const DbStats& stats, const std::vector<FamilyStats>& families);

}  // namespace varve::api
