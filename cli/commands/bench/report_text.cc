// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <vector>

#include "cli/commands/bench/report.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"

namespace varve::cli::bench {
namespace {

using Align = TextTable::Align;

constexpr size_t kTableWidth = 160;  // Truncated figures would be wrong.
constexpr size_t kTextWidth = 100;

// Three digits that matter.
std::string Micros(double nanos) {
  const double micros = nanos / 1000;
  return Fixed(micros, micros < 10 ? 2 : micros < 100 ? 1 : 0);
}

std::string MegabytesPerSecond(const WorkloadResult& result) {
  return Fixed(result.seconds > 0 ? static_cast<double>(result.bytes) / result.seconds / 1e6 : 0,
               1);
}

std::string Shape(const WorkloadResult& result) {
  std::string shape;
  for (const LevelInfo& level : result.end.levels_with_tables()) {
    shape += (shape.empty() ? "L" : " L") + std::to_string(level.level) + ":" +
             std::to_string(level.files);
  }
  const double amplification = result.end.write_amplification();
  if (amplification > 0) shape += (shape.empty() ? "w-amp " : " w-amp ") + Fixed(amplification, 2);
  return shape;
}

std::string ValueSizesText(const ValueSizes& sizes) {
  if (sizes.kind == ValueSizes::Kind::kFixed) return std::to_string(sizes.size);
  return std::to_string(sizes.min) + " to " + std::to_string(sizes.max) + " (" +
         std::string(ValueSizesName(sizes.kind)) + ")";
}

ReportColumns<WorkloadResult> Columns(const Terminal& terminal) {
  ReportColumns<WorkloadResult> columns(terminal, WorkloadResultFields());
  const auto show_micros = [&](const char* header, auto nanos_of) {
    columns.Show(header, Align::kRight, [nanos_of](const WorkloadResult& result) {
      const Histogram& latency = result.latency;
      return latency.count() == 0 ? "-" : Micros(static_cast<double>(nanos_of(latency)));
    });
  };
  const auto show_percentile = [&](const char* header, double percent) {
    show_micros(header, [percent](const Histogram& h) { return h.Percentile(percent); });
  };
  columns.Show("name", "workload")
      .Show("operations_per_second", "ops/s")
      .Show("MB/s", Align::kRight, MegabytesPerSecond);
  show_micros("mean us", [](const Histogram& h) { return h.mean(); });
  show_percentile("p50 us", 50);
  show_percentile("p99 us", 99);
  show_percentile("p99.9", 99.9);
  show_percentile("max us", 100);
  columns.Show("operations", "ops")
      .Show("found")
      .Show("max_rss_bytes", "RSS")
      .Show("shape at the end", Align::kLeft, Shape);
  return columns;
}

// The words in lines of at most kTextWidth columns, if they are no longer.
std::string InLines(const std::vector<std::string>& words) {
  std::string text;
  size_t used = 0;
  for (const std::string& word : words) {
    const bool fits = used == 0 || used + 1 + word.size() <= kTextWidth;
    if (used > 0) text += fits ? ' ' : '\n';
    used = fits && used > 0 ? used + 1 + word.size() : word.size();
    text += word;
  }
  return text + "\n";
}

std::string OptionsText(const Settings& settings) {
  std::vector<std::string> words = {"durability=" +
                                    std::string(DurabilityName(settings.durability))};
  for (const NamedValue& option : ToldOptions(settings)) {
    words.push_back(option.name + "=" + option.value);
  }
  words.insert(words.end(), settings.peer_options.begin(), settings.peer_options.end());
  return InLines(words);
}

}  // namespace

std::string Fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

std::string ResultTable(const Terminal& terminal, const RunResult& result) {
  const Machine& machine = result.machine;
  const Settings& settings = result.settings;
  const std::string about =
      std::to_string(machine.cpus) + " x " + machine.cpu + ", " + machine.file_system + ", " +
      HumanCount(settings.num) + " records of " + std::to_string(settings.key_size) + " + " +
      ValueSizesText(settings.value_sizes) + " bytes, " + std::to_string(settings.threads) +
      (settings.threads == 1 ? " thread" : " threads") + ", seed " + std::to_string(settings.seed) +
      "\n";
  Terminal wide = terminal;
  wide.width = std::max(wide.width, kTableWidth);
  return about + OptionsText(settings) + Columns(wide).Of(result.workloads).Render();
}

}  // namespace varve::cli::bench
