// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/hdr_encoding.h"
#include "cli/commands/bench/report.h"
#include "cli/commands/bench/store.h"
#include "core/base/options/grades.h"
#include "varve/option_table.h"
#include "varve/version.h"

namespace varve::cli::bench {
namespace {

using api::Json;

const char* DurabilityName(Durability durability) {
  switch (durability) {
    case Durability::kSync:
      return "sync";
    case Durability::kBuffered:
      return "buffered";
    case Durability::kNone:
      return "none";
  }
  return "";
}

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json SettingsJson(const Settings& settings) {
  return {{"num", settings.num},
          {"operations", OrNull(settings.operations)},
          {"duration_seconds", settings.duration},
          {"key_bytes", settings.key_size},
          {"value_bytes", settings.value_sizes.size},
          {"value_size_distribution", ValueSizesName(settings.value_sizes.kind)},
          {"value_bytes_min", settings.value_sizes.min},
          {"value_bytes_max", settings.value_sizes.max},
          {"threads", settings.threads},
          {"seed", std::to_string(settings.seed)},
          {"batch_size", OrNull(settings.batch_size)},
          {"stride", settings.stride},
          {"nexts", settings.nexts},
          {"distribution",
           settings.distribution ? Json(DistributionName(*settings.distribution)) : Json(nullptr)},
          {"write_rate_bytes_per_second", settings.write_rate},
          {"durability", DurabilityName(settings.durability)},
          {"sample", settings.sample},
          {"report_interval_seconds", settings.report_interval},
          {"use_existing", settings.use_existing},
          {"read_only", settings.read_only},
          {"checksum", settings.checksum},
          {"peer_options", settings.peer_options},
          {"directory", settings.directory}};
}

Json TreeJson(const TreeState& tree) {
  Json levels = Json::array();
  for (const LevelInfo& level : tree.levels) {
    if (level.files == 0) continue;
    levels.push_back({{"level", level.level}, {"files", level.files}, {"bytes", level.bytes}});
  }
  const DbStats& stats = tree.stats;
  return {{"levels", std::move(levels)},
          {"table_bytes", tree.table_bytes()},
          {"sorted_runs", tree.sorted_runs()},
          {"write_amplification", tree.write_amplification()},
          {"space_amplification", tree.space_amplification()},
          {"memtable_bytes", stats.memtable_bytes},
          {"block_cache_bytes", stats.block_cache_bytes},
          {"block_cache_hits", stats.block_cache_hits},
          {"block_cache_misses", stats.block_cache_misses},
          {"user_bytes_written", stats.user_bytes_written},
          {"wal_bytes_written", stats.wal_bytes_written},
          {"flush_bytes_written", stats.flush_bytes_written},
          {"compaction_bytes_read", stats.compaction_bytes_read},
          {"compaction_bytes_written", stats.compaction_bytes_written},
          {"flushes", stats.flushes},
          {"compactions", stats.compactions},
          {"stall_micros", stats.stall_micros}};
}

Json LatencyJson(const Histogram& latency) {
  Json percentiles = Json::array();
  for (const double p : {50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99}) {
    percentiles.push_back({{"percent", p}, {"ns", latency.Percentile(p)}});
  }
  Json buckets = Json::array();
  for (const Histogram::Bucket& bucket : latency.Buckets()) {
    buckets.push_back({bucket.from, bucket.to, bucket.count});
  }
  return {{"unit", "ns"},
          {"of", "call"},
          {"hdr", HdrEncoded(latency)},
          {"count", latency.count()},
          {"mean", latency.mean()},
          {"min", latency.min()},
          {"max", latency.max()},
          {"percentiles", std::move(percentiles)},
          {"bucket_columns", {"from", "to", "count"}},
          {"buckets", std::move(buckets)}};
}

Json IntervalJson(const Interval& interval) {
  const Latency& latency = interval.latency;
  return {{"seconds", interval.seconds},
          {"length", interval.length},
          {"operations", interval.operations},
          {"operations_per_second", interval.rate()},
          {"bytes", interval.bytes},
          {"flush_bytes", interval.flush_bytes},
          {"compaction_bytes", interval.compaction_bytes},
          {"stall_micros", interval.stall_micros},
          {"memtable_bytes", interval.memtable_bytes},
          {"level0_files", interval.level0_files},
          {"latency",
           {{"count", latency.count},
            {"mean_ns", latency.mean},
            {"p50_ns", latency.p50},
            {"p90_ns", latency.p90},
            {"p99_ns", latency.p99},
            {"p99_9_ns", latency.p99_9},
            {"max_ns", latency.max}}}};
}

Json WorkloadJson(const WorkloadResult& result) {
  Json intervals = Json::array();
  for (const Interval& interval : result.intervals) intervals.push_back(IntervalJson(interval));
  return {{"name", result.name},
          {"threads", result.threads},
          {"distribution", result.distribution},
          {"prepared", result.prepared},
          {"seconds", result.seconds},
          {"operations", result.operations},
          {"operations_per_second", result.rate()},
          {"found", result.found},
          {"bytes", result.bytes},
          {"background_operations", result.background_operations},
          {"max_rss_bytes", result.max_rss_bytes},
          {"write_amplification", result.write_amplification()},
          {"checksum", result.checksum ? Json(std::to_string(*result.checksum)) : Json(nullptr)},
          {"start", TreeJson(result.start)},
          {"end", TreeJson(result.end)},
          {"latency", LatencyJson(result.latency)},
          {"intervals", std::move(intervals)}};
}

}  // namespace

Json MachineJson(const Machine& machine) {
  return {{"cpu", machine.cpu},
          {"cpus", machine.cpus},
          {"memory_bytes", machine.memory_bytes},
          {"page_bytes", machine.page_bytes},
          {"kernel", machine.kernel},
          {"file_system", machine.file_system},
          {"transparent_huge_pages", machine.transparent_huge_pages},
          {"governor", machine.governor},
          {"load_average", machine.load_average},
          {"compiler", machine.compiler},
          {"assertions", machine.assertions}};
}

Json ResultJson(const RunResult& result) {
  Json changed = Json::object(), options = Json::object(), grades = Json::object(),
       workloads = Json::array();
  for (const NamedValue& option : ChangedOptions(result.settings)) {
    changed[option.name] = option.value;
  }
  for (const OptionRow& row : OptionTable()) {
    options[std::string(row.name)] = row.get(result.settings.options);
  }
  for (const GradeRow& row : GradeTable()) {
    grades[std::string(row.name)] = row.get(result.settings.grades);
  }
  for (const WorkloadResult& workload : result.workloads) {
    workloads.push_back(WorkloadJson(workload));
  }
  return {{"schema", "varve.bench/1"},
          {"version", VARVE_VERSION},
          {"store", StoreName()},
          {"command", result.command},
          {"started_unix_seconds", result.started_unix_seconds},
          {"machine", MachineJson(result.machine)},
          {"settings", SettingsJson(result.settings)},
          {"options_changed", std::move(changed)},
          {"options", std::move(options)},
          {"grades", std::move(grades)},
          {"open_seconds", result.open_seconds},
          {"workloads", std::move(workloads)}};
}

}  // namespace varve::cli::bench
