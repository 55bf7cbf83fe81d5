// SPDX-License-Identifier: Apache-2.0
// The JSON's content as tables of one kind of row each. Columns carry their units in their names.
#include <cstdio>
#include <vector>

#include "cli/commands/bench/report.h"
#include "cli/commands/bench/store.h"

namespace varve::cli::bench {
namespace {

using api::Json;

class Rows {
 public:
  explicit Rows(char separator) : separator_(separator) {}

  void Add(const std::vector<std::string>& cells) {
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) text_ += separator_;
      text_ += Cell(cells[i]);
    }
    text_ += "\n";
  }
  std::string Take() { return std::move(text_); }

 private:
  // RFC 4180; under tabs, which have no quotes, what would end the cell becomes a blank.
  std::string Cell(const std::string& text) const {
    if (separator_ == ',') {
      if (text.find_first_of(",\"\n") == std::string::npos) return text;
      std::string quoted = "\"";
      for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
      return quoted + "\"";
    }
    std::string plain = text;
    for (char& c : plain) c = c == '\t' || c == '\n' ? ' ' : c;
    return plain;
  }

  const char separator_;
  std::string text_;
};

std::vector<std::string> Joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<std::string> TreeHeader(const std::string& moment) {
  std::vector<std::string> names;
  for (const char* name :
       {"levels", "table_bytes", "sorted_runs", "write_amplification", "space_amplification",
        "block_cache_bytes", "block_cache_hits", "block_cache_misses"}) {
    names.push_back(moment + "_" + name);
  }
  return names;
}

// "0:4:1048576 6:20:67108864": level, files and bytes.
std::vector<std::string> TreeCells(const TreeState& tree) {
  std::string levels;
  for (const LevelInfo& level : tree.levels) {
    if (level.files == 0) continue;
    levels += (levels.empty() ? "" : " ") + std::to_string(level.level) + ":" +
              std::to_string(level.files) + ":" + std::to_string(level.bytes);
  }
  const DbStats& stats = tree.stats;
  return {levels,
          std::to_string(tree.table_bytes()),
          std::to_string(tree.sorted_runs()),
          Fixed(tree.write_amplification(), 4),
          Fixed(tree.space_amplification(), 4),
          std::to_string(stats.block_cache_bytes),
          std::to_string(stats.block_cache_hits),
          std::to_string(stats.block_cache_misses)};
}

std::string IntervalRows(const RunResult& result) {
  Rows rows(',');
  rows.Add({"run", "workload", "seconds", "length_seconds", "operations", "operations_per_second",
            "bytes", "latency_count", "latency_mean_ns", "latency_p50_ns", "latency_p90_ns",
            "latency_p99_ns", "latency_p99.9_ns", "latency_max_ns", "flush_bytes",
            "compaction_bytes", "stall_micros", "memtable_bytes", "level0_files"});
  size_t run = 0;
  for (const WorkloadResult& workload : result.workloads) {
    ++run;
    for (const Interval& one : workload.intervals) {
      const Latency& latency = one.latency;
      rows.Add({std::to_string(run), workload.name, Fixed(one.seconds, 6), Fixed(one.length, 6),
                std::to_string(one.operations), Fixed(one.rate(), 1), std::to_string(one.bytes),
                std::to_string(latency.count), Fixed(latency.mean, 1), std::to_string(latency.p50),
                std::to_string(latency.p90), std::to_string(latency.p99),
                std::to_string(latency.p99_9), std::to_string(latency.max),
                std::to_string(one.flush_bytes), std::to_string(one.compaction_bytes),
                std::to_string(one.stall_micros), std::to_string(one.memtable_bytes),
                std::to_string(one.level0_files)});
    }
  }
  return rows.Take();
}

std::string LatencyRows(const RunResult& result) {
  Rows rows(',');
  rows.Add({"run", "workload", "from_ns", "to_ns", "calls"});
  size_t run = 0;
  for (const WorkloadResult& workload : result.workloads) {
    ++run;
    for (const Histogram::Bucket& bucket : workload.latency.Buckets()) {
      rows.Add({std::to_string(run), workload.name, std::to_string(bucket.from),
                std::to_string(bucket.to), std::to_string(bucket.count)});
    }
  }
  return rows.Take();
}

// Whatever the JSON says of where and with what it was measured.
std::string EnvironmentRows(const RunResult& result) {
  const Json json = ResultJson(result);
  Rows rows(',');
  rows.Add({"group", "name", "value"});
  const auto text = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
  };
  for (const char* name : {"version", "store", "command", "started_unix_seconds", "open_seconds"}) {
    rows.Add({"run", name, text(json.at(name))});
  }
  for (const char* group : {"machine", "settings", "options", "grades"}) {
    for (const auto& [name, value] : json.at(group).items()) rows.Add({group, name, text(value)});
  }
  return rows.Take();
}

}  // namespace

std::string ResultRows(const RunResult& result, char separator) {
  Rows rows(separator);
  rows.Add(Joined(Joined({"workload",
                          "threads",
                          "seconds",
                          "operations",
                          "operations_per_second",
                          "found",
                          "bytes",
                          "latency_mean_ns",
                          "latency_p50_ns",
                          "latency_p99_ns",
                          "latency_p99.9_ns",
                          "latency_max_ns",
                          "max_rss_bytes",
                          "table_bytes",
                          "write_amplification",
                          "run",
                          "distribution",
                          "latency_min_ns",
                          "latency_p90_ns",
                          "latency_p95_ns",
                          "latency_p99.99_ns",
                          "background_operations",
                          "checksum"},
                         TreeHeader("start")),
                  TreeHeader("end")));
  size_t run = 0;
  for (const WorkloadResult& workload : result.workloads) {
    const Histogram& latency = workload.latency;
    const auto percentile = [&](double p) { return std::to_string(latency.Percentile(p)); };
    rows.Add(Joined(Joined({workload.name,
                            std::to_string(workload.threads),
                            Fixed(workload.seconds, 6),
                            std::to_string(workload.operations),
                            Fixed(workload.rate(), 1),
                            std::to_string(workload.found),
                            std::to_string(workload.bytes),
                            Fixed(latency.mean(), 1),
                            percentile(50),
                            percentile(99),
                            percentile(99.9),
                            std::to_string(latency.max()),
                            std::to_string(workload.max_rss_bytes),
                            std::to_string(workload.end.table_bytes()),
                            Fixed(workload.end.write_amplification(), 4),
                            std::to_string(++run),
                            workload.distribution,
                            std::to_string(latency.min()),
                            percentile(90),
                            percentile(95),
                            percentile(99.99),
                            std::to_string(workload.background_operations),
                            workload.checksum ? std::to_string(*workload.checksum) : ""},
                           TreeCells(workload.start)),
                    TreeCells(workload.end)));
  }
  return rows.Take();
}

std::vector<NamedFile> ResultFiles(const RunResult& result) {
  return {{"workloads.csv", ResultRows(result, ',')},
          {"intervals.csv", IntervalRows(result)},
          {"latency.csv", LatencyRows(result)},
          {"environment.csv", EnvironmentRows(result)}};
}

}  // namespace varve::cli::bench
