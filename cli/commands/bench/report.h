// SPDX-License-Identifier: Apache-2.0
// The forms in which a RunResult is shown.
#pragma once

#include <string>
#include <string_view>

#include "cli/commands/bench/result.h"
#include "webview/api/json.h"

namespace varve::cli::bench {

api::Json ResultJson(const RunResult& result);  // varve.bench/1
std::string ResultTable(const RunResult& result);
std::string ResultRows(const RunResult& result, char separator);  // CSV or TSV, with a header.
// One HTML file with plots that fetches nothing: report.html with the JSON inside.
std::string ResultPage(const api::Json& result);

}  // namespace varve::cli::bench
