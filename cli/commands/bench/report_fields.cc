// SPDX-License-Identifier: Apache-2.0
// Members end in their unit: _seconds, _bytes, _ns, _micros; "seconds" and "length" are seconds,
// "bytes" are bytes. The number in "varve.bench/1" changes if a member is removed or changes its
// meaning.
#include <array>

#include "cli/commands/bench/hdr_encoding.h"
#include "cli/commands/bench/report.h"
#include "cli/commands/bench/store.h"
#include "cli/output/command_documents.h"
#include "core/base/options/grades.h"
#include "varve/option_table.h"
#include "varve/version.h"
#include "webview/api/fields/stats_fields.h"

namespace varve::cli::bench {
namespace {

using api::Fields;
using api::Json;
using api::Unit;

std::optional<std::string_view> ChosenDistribution(const Settings& settings) {
  if (!settings.distribution) return std::nullopt;
  return DistributionName(*settings.distribution);
}

const Fields<Settings>& SettingsFields() {
  static const auto fields =
      Fields<Settings>()
          .Number("num", Unit::kCount, &Settings::num, "records")
          .Number("operations", Unit::kCount, &Settings::operations,
                  "of each thread; null: as many as records")
          .OrNull()
          .Fraction("duration_seconds", Unit::kSeconds, &Settings::duration,
                    "0: operations are counted instead")
          .Number("key_bytes", Unit::kBytes, &Settings::key_size, "of each key")
          .Number(
              "value_bytes", Unit::kBytes, [](const Settings& s) { return s.value_sizes.size; },
              "of each value, if value_size_distribution is fixed")
          .Choice(
              "value_size_distribution", kValueSizesNames,
              [](const Settings& s) { return ValueSizesName(s.value_sizes.kind); },
              "of the sizes of values")
          .Number(
              "value_bytes_min", Unit::kBytes, [](const Settings& s) { return s.value_sizes.min; },
              "of the shortest value, unless fixed")
          .Number(
              "value_bytes_max", Unit::kBytes, [](const Settings& s) { return s.value_sizes.max; },
              "of the longest value, unless fixed")
          .Number("threads", Unit::kCount, &Settings::threads, "that do the operations")
          .Id("seed", &Settings::seed, "the same seed gives the same operations")
          .Number("batch_size", Unit::kCount, &Settings::batch_size,
                  "keys of a call; null: the workload's own")
          .OrNull()
          .Number("stride", Unit::kCount, &Settings::stride,
                  "records between the keys of a batch; 0: each chosen")
          .Number("nexts", Unit::kCount, &Settings::nexts, "steps after each seek of seekrandom")
          .Choice("distribution", kDistributionNames, ChosenDistribution,
                  "which records are chosen; null: the workload's own")
          .OrNull()
          .Number("write_rate_bytes_per_second", Unit::kNone, &Settings::write_rate,
                  "of the writer of *whilewriting; 0: unlimited")
          .Choice(
              "durability", kDurabilityNames,
              [](const Settings& s) { return DurabilityName(s.durability); }, "of writes")
          .Number("sample", Unit::kCount, &Settings::sample,
                  "one call of so many is timed; 0: none")
          .Fraction("report_interval_seconds", Unit::kSeconds, &Settings::report_interval,
                    "of the time series")
          .Flag("use_existing", &Settings::use_existing, "on a database that was there")
          .Flag("read_only", &Settings::read_only, "opened without a lock")
          .Flag("checksum", &Settings::checksum, "answers are summed up")
          .Texts("peer_options", &Settings::peer_options,
                 "NAME=VALUE that only the measured store knows")
          .Text("directory", &Settings::directory, "of the database");
  return fields;
}

const Fields<DbStats>& StatsFields() {
  static const auto fields =
      Fields<DbStats>()
          .Number("memtable_bytes", Unit::kBytes, &DbStats::memtable_bytes, "of all memtables")
          .Number("block_cache_bytes", Unit::kBytes, &DbStats::block_cache_bytes, "in the cache")
          .Number("block_cache_hits", Unit::kCount, &DbStats::block_cache_hits,
                  "lookups that found the block")
          .Number("block_cache_misses", Unit::kCount, &DbStats::block_cache_misses,
                  "lookups that did not")
          .Number("user_bytes_written", Unit::kBytes, &DbStats::user_bytes_written,
                  "keys and values")
          .Number("wal_bytes_written", Unit::kBytes, &DbStats::wal_bytes_written, "by the log")
          .Number("flush_bytes_written", Unit::kBytes, &DbStats::flush_bytes_written, "by flushes")
          .Number("compaction_bytes_read", Unit::kBytes, &DbStats::compaction_bytes_read,
                  "by compactions")
          .Number("compaction_bytes_written", Unit::kBytes, &DbStats::compaction_bytes_written,
                  "by compactions")
          .Number("flushes", Unit::kCount, &DbStats::flushes, "completed")
          .Number("compactions", Unit::kCount, &DbStats::compactions,
                  "completed, other than moves of tables")
          .Number("stall_micros", Unit::kMicroseconds, &DbStats::stall_micros,
                  "that writers were held up, all threads together");
  return fields;
}

// The tree at one moment, and what it has cost since the database was opened, as far as the store
// tells.
const Fields<TreeState>& TreeFields() {
  static const auto fields =
      Fields<TreeState>()
          .List("levels", &TreeState::levels_with_tables, api::LevelSizeFields(), "with tables")
          .Number("table_bytes", Unit::kBytes, &TreeState::table_bytes, "of all levels")
          .Number("sorted_runs", Unit::kCount, &TreeState::sorted_runs,
                  "where a read may have to look, the read amplification: files of level 0, and "
                  "levels")
          .Fraction("write_amplification", &TreeState::write_amplification,
                    "bytes written to logs and tables for each byte of the user's; 0: none was "
                    "written")
          .Fraction("space_amplification", &TreeState::space_amplification,
                    "bytes of tables for each byte in the last level; 0: no tables")
          .Include(&TreeState::stats, StatsFields());
  return fields;
}

struct Percentile {
  double percent;
  uint64_t nanos;
};

std::vector<Percentile> PercentilesOf(const Histogram& latency) {
  std::vector<Percentile> percentiles;
  for (const double percent : {50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99}) {
    percentiles.push_back({percent, latency.Percentile(percent)});
  }
  return percentiles;
}

const Fields<Percentile>& PercentileFields() {
  static const auto fields =
      Fields<Percentile>()
          .Fraction("percent", &Percentile::percent, "of the calls")
          .Number("ns", Unit::kNanoseconds, &Percentile::nanos, "that they do not exceed");
  return fields;
}

constexpr std::array<std::string_view, 3> kBucketColumns = {"from", "to", "count"};

Json BucketsSchema() {
  Json bucket = api::ArrayOf(api::Number());
  bucket["minItems"] = bucket["maxItems"] = kBucketColumns.size();
  return api::ArrayOf(std::move(bucket));
}

Json BucketsJson(const Histogram& latency) {
  Json buckets = Json::array();
  for (const Histogram::Bucket& bucket : latency.Buckets()) {
    buckets.push_back({bucket.from, bucket.to, bucket.count});
  }
  return buckets;
}

const Fields<Histogram>& HistogramFields() {
  static const auto fields =
      Fields<Histogram>()
          .Choice(
              "unit", {"ns"}, [](const Histogram&) { return std::string_view("ns"); },
              "of all values")
          .Choice(
              "of", {"call"}, [](const Histogram&) { return std::string_view("call"); },
              "what was timed; a batch is one call")
          .Text("hdr", HdrEncoded,
                "the histogram as tools of hdrhistogram.org read it (base64; V2, compressed; two "
                "significant digits)")
          .Number("count", Unit::kCount, &Histogram::count, "calls that were timed")
          .Fraction("mean", Unit::kNanoseconds, &Histogram::mean, "of a call")
          .Number("min", Unit::kNanoseconds, &Histogram::min, "of the fastest call")
          .Number("max", Unit::kNanoseconds, &Histogram::max, "of the slowest call")
          .List("percentiles", PercentilesOf, PercentileFields(), "of the calls")
          .Texts(
              "bucket_columns", [](const Histogram&) { return kBucketColumns; }, "of the buckets")
          .Other("buckets", BucketsSchema(), BucketsJson,
                 "the same histogram: calls that took at least `from` and less than `to`");
  return fields;
}

const Fields<Latency>& LatencyFields() {
  static const auto fields =
      Fields<Latency>()
          .Number("count", Unit::kCount, &Latency::count, "calls that were timed")
          .Fraction("mean_ns", Unit::kNanoseconds, &Latency::mean, "of a call")
          .Number("p50_ns", Unit::kNanoseconds, &Latency::p50, "that half of them do not exceed")
          .Number("p90_ns", Unit::kNanoseconds, &Latency::p90, "that 90 % do not exceed")
          .Number("p99_ns", Unit::kNanoseconds, &Latency::p99, "that 99 % do not exceed")
          .Number("p99_9_ns", Unit::kNanoseconds, &Latency::p99_9, "that 99.9 % do not exceed")
          .Number("max_ns", Unit::kNanoseconds, &Latency::max, "of the slowest call");
  return fields;
}

Json ChangedOptionsJson(const RunResult& result) {
  Json changed = Json::object();
  for (const NamedValue& option : ChangedOptions(result.settings)) {
    changed[option.name] = option.value;
  }
  return changed;
}

Json OptionsJson(const RunResult& result) {
  Json options = Json::object();
  for (const OptionRow& row : OptionTable()) {
    options[std::string(row.name)] = row.get(result.settings.options);
  }
  return options;
}

Json GradesJson(const RunResult& result) {
  Json grades = Json::object();
  for (const GradeRow& row : GradeTable()) {
    grades[std::string(row.name)] = row.get(result.settings.grades);
  }
  return grades;
}

}  // namespace

const Fields<Machine>& MachineFields() {
  static const auto fields =
      Fields<Machine>()
          .Text("cpu", &Machine::cpu, "its model")
          .Number("cpus", Unit::kCount, &Machine::cpus, "online")
          .Number("memory_bytes", Unit::kBytes, &Machine::memory_bytes, "of the machine")
          .Number("page_bytes", Unit::kBytes, &Machine::page_bytes, "of a page of memory")
          .Text("kernel", &Machine::kernel, "its name and release")
          .Text("file_system", &Machine::file_system, "of the database")
          .Text("transparent_huge_pages", &Machine::transparent_huge_pages,
                "the kernel's setting; empty if it does not say")
          .Text("governor", &Machine::governor,
                "of the first CPU's frequency; empty if the kernel does not say")
          .Fraction("load_average", &Machine::load_average, "of the minute before")
          .Text("compiler", &Machine::compiler, "of this program")
          .Flag("assertions", &Machine::assertions, "built with checks on: not to be measured");
  return fields;
}

const Fields<Interval>& IntervalFields() {
  static const auto fields =
      Fields<Interval>()
          .Fraction("seconds", Unit::kSeconds, &Interval::seconds,
                    "from the start to the interval's end")
          .Fraction("length", Unit::kSeconds, &Interval::length, "of the interval")
          .Number("operations", Unit::kCount, &Interval::operations, "of all threads")
          .Fraction("operations_per_second", Unit::kPerSecond, &Interval::rate, "of all threads")
          .Number("bytes", Unit::kBytes, &Interval::bytes, "of keys and values, read or written")
          .Number("flush_bytes", Unit::kBytes, &Interval::flush_bytes, "written by flushes")
          .Number("compaction_bytes", Unit::kBytes, &Interval::compaction_bytes,
                  "written by compactions")
          .Number("stall_micros", Unit::kMicroseconds, &Interval::stall_micros,
                  "that writers were held up, all threads together")
          .Number("memtable_bytes", Unit::kBytes, &Interval::memtable_bytes, "at the end")
          .Number("level0_files", Unit::kCount, &Interval::level0_files, "at the end")
          .Object("latency", &Interval::latency, LatencyFields(),
                  "of the calls that ended in the interval and were timed");
  return fields;
}

const Fields<WorkloadResult>& WorkloadResultFields() {
  static const auto fields =
      Fields<WorkloadResult>()
          .Text("name", &WorkloadResult::name, "of bench list")
          .Number("threads", Unit::kCount, &WorkloadResult::threads, "that did the operations")
          .Choice("distribution", {"uniform", "zipfian", "latest"}, &WorkloadResult::distribution,
                  "which records were chosen")
          .Flag("prepared", &WorkloadResult::prepared,
                "the records were loaded first, which is not in the figures")
          .Fraction("seconds", Unit::kSeconds, &WorkloadResult::seconds, "from start to end")
          .Number("operations", Unit::kCount, &WorkloadResult::operations, "of all threads")
          .Fraction("operations_per_second", Unit::kPerSecond, &WorkloadResult::rate,
                    "of all threads")
          .Number("found", Unit::kCount, &WorkloadResult::found, "reads that found their key")
          .Number("bytes", Unit::kBytes, &WorkloadResult::bytes,
                  "of keys and values, read or written")
          .Number("background_operations", Unit::kCount, &WorkloadResult::background_operations,
                  "of the one thread that works beside the measured ones")
          .Number("max_rss_bytes", Unit::kBytes, &WorkloadResult::max_rss_bytes,
                  "the most memory that the process has had so far")
          .Fraction("write_amplification", &WorkloadResult::write_amplification,
                    "of this run; 0: nothing was written")
          .Id("checksum", &WorkloadResult::checksum,
              "of all that reads answered, under --checksum: the same for the same operations on "
              "any store")
          .OrNull()
          .Object("start", &WorkloadResult::start, TreeFields(), "the tree before")
          .Object("end", &WorkloadResult::end, TreeFields(), "the tree after")
          .Object("latency", &WorkloadResult::latency, HistogramFields(), "of a call")
          .List("intervals", &WorkloadResult::intervals, IntervalFields(),
                "one for each --report-interval; the last may be shorter");
  return fields;
}

const Fields<RunResult>& RunResultFields() {
  static const auto fields =
      Fields<RunResult>()
          .Text(
              "version", [](const RunResult&) { return std::string_view(VARVE_VERSION); },
              "of this program")
          .Text(
              "store", [](const RunResult&) { return StoreName(); },
              "what was measured, and its version; \"(asserts)\" if it was built with assertions")
          .Text("command", &RunResult::command, "the command line")
          .Number("started_unix_seconds", Unit::kUnixSeconds, &RunResult::started_unix_seconds,
                  "when it was started")
          .Object("machine", &RunResult::machine, MachineFields(), "on which it ran")
          .Object("settings", &RunResult::settings, SettingsFields(), "of the benchmark")
          .Other("options_changed", api::MapOf(api::Text()), ChangedOptionsJson,
                 "options of the engine, and grades, that are not at their defaults")
          .Other("options", api::MapOf(api::Text()), OptionsJson,
                 "all options of the engine, by RocksDB's names where it has them; another store "
                 "gets those that it knows")
          .Other("grades", api::MapOf(api::Text()), GradesJson,
                 "how the engine searches: the grade of each optimisation")
          .Fraction("open_seconds", Unit::kSeconds, &RunResult::open_seconds,
                    "to open the database the first time")
          .List("workloads", &RunResult::workloads, WorkloadResultFields(), "in their order");
  return fields;
}

Json ResultJson(const RunResult& result) { return DocumentJson(kBenchRunDocument, result); }

}  // namespace varve::cli::bench

namespace varve::cli {

const CommandDocument<bench::RunResult> kBenchRunDocument = {"varve.bench/1",
                                                             bench::RunResultFields};

}  // namespace varve::cli
