// SPDX-License-Identifier: Apache-2.0
// Prints a RunResult: as JSON, rows, tables, or an HTML page. What its members are called and mean
// is described once (webview/api/schema/fields.h).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/commands/bench/result.h"
#include "cli/output/console.h"
#include "cli/output/text_table.h"
#include "webview/api/json/json.h"
#include "webview/api/schema/fields.h"

namespace varve::cli::bench {

const api::Fields<Machine>& MachineFields();
const api::Fields<Interval>& IntervalFields();
const api::Fields<WorkloadResult>& WorkloadResultFields();
const api::Fields<RunResult>& RunResultFields();  // varve.bench/1

// `value` with `digits` digits after the point.
std::string Fixed(double value, int digits);

api::Json ResultJson(const RunResult& result);
// Where it was measured and with which options, and a row for each run of a workload.
std::string ResultTable(const Terminal& terminal, const RunResult& result);
// The same rows as csv or tsv, with a header.
void WriteResultRows(Sink& out, Format format, const RunResult& result);
// All of the JSON as CSV: the runs, their intervals, their histograms, and the environment.
struct ResultFile {
  std::string_view name;
  void (*write)(Sink& out, const RunResult& result);
};
std::span<const ResultFile> ResultFiles();
// One HTML file with plots and no external references: report.html with the JSON in it.
std::string ResultPage(const api::Json& result);

}  // namespace varve::cli::bench
