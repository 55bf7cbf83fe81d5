// SPDX-License-Identifier: Apache-2.0
// Prints a RunResult: as JSON, rows, or an HTML page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/bench/result.h"
#include "webview/api/json/json.h"

namespace varve::cli::bench {

// `value` with `digits` digits after the point.
std::string Fixed(double value, int digits);

api::Json MachineJson(const Machine& machine);
api::Json ResultJson(const RunResult& result);  // varve.bench/1 (bench.schema.json)
std::string ResultTable(const RunResult& result);
// CSV or TSV with a header: a row for each run of a workload.
std::string ResultRows(const RunResult& result, char separator);
// All of the JSON as CSV: the runs, their intervals, their histograms, and the environment.
struct NamedFile {
  std::string name, content;
};
std::vector<NamedFile> ResultFiles(const RunResult& result);
// One HTML file with plots and no external references: report.html with the JSON in it.
std::string ResultPage(const api::Json& result);

}  // namespace varve::cli::bench
