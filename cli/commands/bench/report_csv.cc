// SPDX-License-Identifier: Apache-2.0
// The JSON's content as tables of one kind of row each, with the values that it has. Columns carry
// their units in their names.
#include <array>
#include <vector>

#include "cli/commands/bench/report.h"
#include "cli/output/json_rows.h"
#include "cli/output/report_columns.h"

namespace varve::cli::bench {
namespace {

using api::Fields;
using api::Json;
using api::Unit;
using Align = TextTable::Align;

struct RunRow {
  size_t run;  // From 1, over all workloads and repetitions.
  const WorkloadResult& workload;
};

struct IntervalRow {
  const RunRow& of;
  const Interval& interval;
};

const Fields<RunRow>& RunRowFields() {
  static const auto fields =
      Fields<RunRow>()
          .Number("run", Unit::kNone, &RunRow::run, "its number")
          .Include([](const RunRow& row) -> const WorkloadResult& { return row.workload; },
                   WorkloadResultFields());
  return fields;
}

const Fields<IntervalRow>& IntervalRowFields() {
  static const auto fields =
      Fields<IntervalRow>()
          .Number(
              "run", Unit::kNone, [](const IntervalRow& row) { return row.of.run; },
              "number of the run")
          .Text(
              "workload",
              [](const IntervalRow& row) { return std::string_view(row.of.workload.name); },
              "of the run")
          .Include([](const IntervalRow& row) -> const Interval& { return row.interval; },
                   IntervalFields());
  return fields;
}

template <typename Visit>
void ForEachRun(const RunResult& result, Visit visit) {
  size_t run = 0;
  for (const WorkloadResult& workload : result.workloads) visit(RunRow{++run, workload});
}

// "0:4:1048576 6:20:67108864": level, files and bytes.
std::string LevelsText(const TreeState& tree) {
  std::string text;
  for (const LevelInfo& level : tree.levels_with_tables()) {
    text += (text.empty() ? "" : " ") + std::to_string(level.level) + ":" +
            std::to_string(level.files) + ":" + std::to_string(level.bytes);
  }
  return text;
}

void ShowPercentile(ReportColumns<RunRow>* columns, const std::string& name, double percent) {
  columns->Show("latency_" + name + "_ns", Align::kRight, [percent](const RunRow& row) {
    return std::to_string(row.workload.latency.Percentile(percent));
  });
}

// `moment`: "start" or "end".
void ShowTree(ReportColumns<RunRow>* columns, const std::string& moment,
              TreeState WorkloadResult::* tree) {
  columns->Show(moment + "_levels", Align::kLeft,
                [tree](const RunRow& row) { return LevelsText(row.workload.*tree); });
  for (const char* name :
       {"table_bytes", "sorted_runs", "write_amplification", "space_amplification",
        "block_cache_bytes", "block_cache_hits", "block_cache_misses"}) {
    columns->ShowData(moment + "." + name, moment + "_" + name);
  }
}

ReportColumns<RunRow> RunColumns() {
  ReportColumns<RunRow> columns(Terminal(), RunRowFields());
  columns.ShowData("name", "workload")
      .ShowData("threads")
      .ShowData("seconds")
      .ShowData("operations")
      .ShowData("operations_per_second")
      .ShowData("found")
      .ShowData("bytes")
      .ShowData("latency.mean", "latency_mean_ns");
  ShowPercentile(&columns, "p50", 50);
  ShowPercentile(&columns, "p99", 99);
  ShowPercentile(&columns, "p99.9", 99.9);
  columns.ShowData("latency.max", "latency_max_ns")
      .ShowData("max_rss_bytes")
      .ShowData("end.table_bytes", "table_bytes")
      .ShowData("end.write_amplification", "write_amplification")
      .ShowData("run")
      .ShowData("distribution")
      .ShowData("latency.min", "latency_min_ns");
  ShowPercentile(&columns, "p90", 90);
  ShowPercentile(&columns, "p95", 95);
  ShowPercentile(&columns, "p99.99", 99.99);
  columns.ShowData("background_operations").ShowData("checksum");
  ShowTree(&columns, "start", &WorkloadResult::start);
  ShowTree(&columns, "end", &WorkloadResult::end);
  return columns;
}

ReportColumns<IntervalRow> IntervalColumns() {
  ReportColumns<IntervalRow> columns(Terminal(), IntervalRowFields());
  columns.ShowData("run")
      .ShowData("workload")
      .ShowData("seconds")
      .ShowData("length", "length_seconds")
      .ShowData("operations")
      .ShowData("operations_per_second")
      .ShowData("bytes")
      .ShowData("latency.count", "latency_count")
      .ShowData("latency.mean_ns", "latency_mean_ns")
      .ShowData("latency.p50_ns", "latency_p50_ns")
      .ShowData("latency.p90_ns", "latency_p90_ns")
      .ShowData("latency.p99_ns", "latency_p99_ns")
      .ShowData("latency.p99_9_ns", "latency_p99.9_ns")
      .ShowData("latency.max_ns", "latency_max_ns")
      .ShowData("flush_bytes")
      .ShowData("compaction_bytes")
      .ShowData("stall_micros")
      .ShowData("memtable_bytes")
      .ShowData("level0_files");
  return columns;
}

void WriteWorkloads(Sink& out, const RunResult& result) {
  WriteResultRows(out, Format::kCsv, result);
}

void WriteIntervals(Sink& out, const RunResult& result) {
  const ReportColumns<IntervalRow> columns = IntervalColumns();
  RowWriter rows(out, Format::kCsv, columns.Names());
  ForEachRun(result, [&](const RunRow& run) {
    for (const Interval& one : run.workload.intervals) rows.Add(columns.Row({run, one}));
  });
  rows.Finish();
}

void WriteLatencies(Sink& out, const RunResult& result) {
  RowWriter rows(out, Format::kCsv, {"run", "workload", "from_ns", "to_ns", "calls"});
  ForEachRun(result, [&](const RunRow& run) {
    for (const Histogram::Bucket& bucket : run.workload.latency.Buckets()) {
      rows.Add({std::to_string(run.run), run.workload.name, std::to_string(bucket.from),
                std::to_string(bucket.to), std::to_string(bucket.count)});
    }
  });
  rows.Finish();
}

// Whatever the JSON says of where and with what it was measured.
void WriteEnvironment(Sink& out, const RunResult& result) {
  const Json json = ResultJson(result);
  RowWriter rows(out, Format::kCsv, {"group", "name", "value"});
  for (const char* name : {"version", "store", "command", "started_unix_seconds", "open_seconds"}) {
    rows.Add({"run", name, CellOf(json.at(name))});
  }
  for (const char* group : {"machine", "settings", "options", "grades"}) {
    for (const auto& [name, value] : json.at(group).items()) {
      rows.Add({group, name, CellOf(value)});
    }
  }
  rows.Finish();
}

}  // namespace

void WriteResultRows(Sink& out, Format format, const RunResult& result) {
  const ReportColumns<RunRow> columns = RunColumns();
  RowWriter rows(out, format, columns.Names());
  ForEachRun(result, [&](const RunRow& run) { rows.Add(columns.Row(run)); });
  rows.Finish();
}

std::span<const ResultFile> ResultFiles() {
  static constexpr std::array kFiles = {
      ResultFile{"workloads.csv", WriteWorkloads}, ResultFile{"intervals.csv", WriteIntervals},
      ResultFile{"latency.csv", WriteLatencies}, ResultFile{"environment.csv", WriteEnvironment}};
  return kFiles;
}

}  // namespace varve::cli::bench
