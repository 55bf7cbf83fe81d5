// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/report.h"
#include "cli/commands/bench/store.h"

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

Json MachineJson(const Machine& machine) {
  return {{"cpu", machine.cpu},
          {"cpus", machine.cpus},
          {"memory_bytes", machine.memory_bytes},
          {"kernel", machine.kernel},
          {"file_system", machine.file_system},
          {"transparent_huge_pages", machine.transparent_huge_pages},
          {"governor", machine.governor},
          {"load_average", machine.load_average},
          {"compiler", machine.compiler},
          {"assertions", machine.assertions}};
}

Json SettingsJson(const Settings& settings) {
  return {{"num", settings.num},
          {"operations", OrNull(settings.operations)},
          {"duration_seconds", settings.duration},
          {"key_bytes", settings.key_size},
          {"value_bytes", settings.value_size},
          {"threads", settings.threads},
          {"seed", std::to_string(settings.seed)},
          {"batch_size", OrNull(settings.batch_size)},
          {"stride", settings.stride},
          {"nexts", settings.nexts},
          {"write_rate", settings.write_rate},
          {"durability", DurabilityName(settings.durability)},
          {"sample", settings.sample},
          {"report_interval_seconds", settings.report_interval},
          {"use_existing", settings.use_existing},
          {"read_only", settings.read_only},
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
          {"count", latency.count()},
          {"mean", latency.mean()},
          {"min", latency.min()},
          {"max", latency.max()},
          {"percentiles", std::move(percentiles)},
          {"bucket_columns", {"from", "to", "count"}},
          {"buckets", std::move(buckets)}};
}

Json IntervalJson(const Interval& interval) {
  return {{"seconds", interval.seconds},           {"length", interval.length},
          {"operations", interval.operations},     {"bytes", interval.bytes},
          {"flush_bytes", interval.flush_bytes},   {"compaction_bytes", interval.compaction_bytes},
          {"stall_micros", interval.stall_micros}, {"memtable_bytes", interval.memtable_bytes},
          {"level0_files", interval.level0_files}};
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
          {"start", TreeJson(result.start)},
          {"end", TreeJson(result.end)},
          {"latency", LatencyJson(result.latency)},
          {"intervals", std::move(intervals)}};
}

}  // namespace

Json ResultJson(const RunResult& result) {
  Json options = Json::object(), workloads = Json::array();
  for (const NamedValue& option : ChangedOptions(result.settings.options)) {
    options[option.name] = option.value;
  }
  for (const WorkloadResult& workload : result.workloads) {
    workloads.push_back(WorkloadJson(workload));
  }
  return {{"schema", "varve.bench/1"},
          {"version", VARVE_VERSION},
          {"store", StoreName()},
          {"started_unix_seconds", result.started_unix_seconds},
          {"machine", MachineJson(result.machine)},
          {"settings", SettingsJson(result.settings)},
          {"options_changed", std::move(options)},
          {"open_seconds", result.open_seconds},
          {"workloads", std::move(workloads)}};
}

}  // namespace varve::cli::bench
