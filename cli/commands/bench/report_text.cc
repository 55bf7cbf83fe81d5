// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>

#include "cli/commands/bench/report.h"
#include "cli/database.h"

namespace varve::cli::bench {
namespace {

constexpr std::array kColumns = {"workload", "ops/s",  "MB/s",  "mean us",
                                 "p50 us",   "p99 us", "p99.9", "max us",
                                 "ops",      "found",  "RSS",   "shape at the end"};
constexpr size_t kNumbersEnd = kColumns.size() - 1;  // The first and the last are words.

std::string Fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

// Three digits that matter.
std::string Micros(double nanos) {
  const double micros = nanos / 1000;
  return Fixed(micros, micros < 10 ? 2 : micros < 100 ? 1 : 0);
}

double MegabytesPerSecond(const WorkloadResult& result) {
  return result.seconds > 0 ? static_cast<double>(result.bytes) / result.seconds / 1e6 : 0;
}

std::string Shape(const TreeState& tree) {
  std::string shape;
  for (const LevelInfo& level : tree.levels) {
    if (level.files == 0) continue;
    shape += (shape.empty() ? "L" : " L") + std::to_string(level.level) + ":" +
             std::to_string(level.files);
  }
  if (tree.write_amplification() > 0) shape += " w-amp " + Fixed(tree.write_amplification(), 2);
  return shape;
}

using Row = std::array<std::string, kColumns.size()>;

Row TableRow(const WorkloadResult& result) {
  const Histogram& latency = result.latency;
  const auto percentile = [&](double p) {
    return latency.count() == 0 ? "-" : Micros(static_cast<double>(latency.Percentile(p)));
  };
  return {result.name,
          HumanCount(static_cast<uint64_t>(result.rate())),
          Fixed(MegabytesPerSecond(result), 1),
          latency.count() == 0 ? "-" : Micros(latency.mean()),
          percentile(50),
          percentile(99),
          percentile(99.9),
          percentile(100),
          HumanCount(result.operations),
          HumanCount(result.found),
          HumanBytes(result.max_rss_bytes),
          Shape(result.end)};
}

}  // namespace

std::string ResultTable(const RunResult& result) {
  std::vector<Row> rows(1);
  for (size_t i = 0; i < kColumns.size(); ++i) rows[0][i] = kColumns[i];
  for (const WorkloadResult& workload : result.workloads) rows.push_back(TableRow(workload));
  std::array<size_t, kColumns.size()> widths = {};
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  const Machine& machine = result.machine;
  const Settings& settings = result.settings;
  std::string text =
      std::to_string(machine.cpus) + " x " + machine.cpu + ", " + machine.file_system + ", " +
      HumanCount(settings.num) + " records of " + std::to_string(settings.key_size) + " + " +
      std::to_string(settings.value_size) + " bytes, " + std::to_string(settings.threads) +
      (settings.threads == 1 ? " thread" : " threads") + ", seed " + std::to_string(settings.seed) +
      "\n";
  for (const NamedValue& option : ChangedOptions(settings.options)) {
    text += option.name + "=" + option.value + " ";
  }
  text += text.ends_with('\n') ? "" : "\n";
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      if (i > 0) text += "  ";
      if (i == kNumbersEnd) {
        text += row[i];
      } else {
        text += i == 0 ? row[i] + padding : padding + row[i];
      }
    }
    text += "\n";
  }
  return text;
}

std::string ResultRows(const RunResult& result, char separator) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& cells) {
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) text += separator;
      text += cells[i];  // Names and numbers: nothing to quote.
    }
    text += "\n";
  };
  add({"workload", "threads", "seconds", "operations", "operations_per_second", "found", "bytes",
       "latency_mean_ns", "latency_p50_ns", "latency_p99_ns", "latency_p99.9_ns", "latency_max_ns",
       "max_rss_bytes", "table_bytes", "write_amplification"});
  for (const WorkloadResult& workload : result.workloads) {
    const Histogram& latency = workload.latency;
    add({workload.name, std::to_string(workload.threads), Fixed(workload.seconds, 6),
         std::to_string(workload.operations), Fixed(workload.rate(), 1),
         std::to_string(workload.found), std::to_string(workload.bytes), Fixed(latency.mean(), 1),
         std::to_string(latency.Percentile(50)), std::to_string(latency.Percentile(99)),
         std::to_string(latency.Percentile(99.9)), std::to_string(latency.max()),
         std::to_string(workload.max_rss_bytes), std::to_string(workload.end.table_bytes()),
         Fixed(workload.end.write_amplification(), 4)});
  }
  return text;
}

}  // namespace varve::cli::bench
