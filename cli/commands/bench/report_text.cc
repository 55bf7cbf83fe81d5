// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>

#include "cli/commands/bench/report.h"
#include "cli/output/human_numbers.h"

namespace varve::cli::bench {
namespace {

constexpr std::array kColumns = {"workload", "ops/s",  "MB/s",  "mean us",
                                 "p50 us",   "p99 us", "p99.9", "max us",
                                 "ops",      "found",  "RSS",   "shape at the end"};
constexpr size_t kNumbersEnd = kColumns.size() - 1;  // The first and the last are words.

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

std::string ValueSizesText(const ValueSizes& sizes) {
  if (sizes.kind == ValueSizes::Kind::kFixed) return std::to_string(sizes.size);
  return std::to_string(sizes.min) + " to " + std::to_string(sizes.max) + " (" +
         std::string(ValueSizesName(sizes.kind)) + ")";
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

std::string Fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

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
      ValueSizesText(settings.value_sizes) + " bytes, " + std::to_string(settings.threads) +
      (settings.threads == 1 ? " thread" : " threads") + ", seed " + std::to_string(settings.seed) +
      "\n";
  for (const NamedValue& option : ChangedOptions(settings)) {
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

}  // namespace varve::cli::bench
