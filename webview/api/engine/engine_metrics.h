// SPDX-License-Identifier: Apache-2.0
// Statistics of an engine as Prometheus text (/metrics). Pure.
#pragma once

#include <string>

#include "webview/api/live_engine.h"

namespace varve::api {

// Version 0.0.4 of the text format: HELP and TYPE of each metric, then its samples.
std::string MetricsText(const EngineStats& engine);

}  // namespace varve::api
