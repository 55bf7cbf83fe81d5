// SPDX-License-Identifier: Apache-2.0
#include "webview/api/engine/engine_metrics.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string_view>

#include "core/base/text.h"

namespace varve::api {
namespace {

// The sum of one figure over all families.
template <typename T>
uint64_t Sum(const std::vector<FamilyStats>& families, T FamilyStats::* figure) {
  uint64_t sum = 0;
  for (const FamilyStats& family : families) sum += family.*figure;
  return sum;
}

Durations SumOf(const std::vector<FamilyStats>& families, Durations FamilyStats::* figure) {
  Durations sum;
  for (const FamilyStats& family : families) sum.Add(family.*figure);
  return sum;
}

Json HistogramJson(const Durations& durations, uint64_t sampled_one_in) {
  const auto micros = [&](double fraction) { return Percentile(durations, fraction) / 1000; };
  Json buckets = Json::array();
  for (size_t i = 0; i < Durations::kBuckets; ++i) {
    if (durations.buckets[i] == 0) continue;
    buckets.push_back({{"below_ns", uint64_t{1} << i}, {"count", durations.buckets[i]}});
  }
  return {{"count", durations.count},
          {"sampled_one_in", sampled_one_in},
          {"sum_us", static_cast<double>(durations.total_nanos) / 1000},
          {"p50_us", micros(0.5)},
          {"p95_us", micros(0.95)},
          {"p99_us", micros(0.99)},
          {"p999_us", micros(0.999)},
          {"buckets", std::move(buckets)}};
}

Json FamilyJson(const FamilyStats& family) {
  Json levels = Json::array();
  for (const LevelInfo& level : family.levels) {
    levels.push_back({{"level", level.level}, {"files", level.files}, {"bytes", level.bytes}});
  }
  return {{"id", std::to_string(family.id)},
          {"name", EscapeForDisplay(family.name)},
          {"levels", std::move(levels)},
          {"memtable_bytes", family.memtable_bytes},
          {"sealed_memtables", family.sealed_memtables},
          {"sealed_memtable_bytes", family.sealed_memtable_bytes},
          {"pending_compaction_bytes", family.pending_compaction_bytes},
          {"gets", family.gets},
          {"gets_found", family.gets_found},
          {"filter_negatives", family.filter_negatives},
          {"filter_positives", family.filter_positives},
          {"filter_true_positives", family.filter_true_positives}};
}

// 12.5 as "12.5", in any locale.
std::string Number(double value) { return Json(value).dump(); }

std::string LabelValue(std::string_view text) {
  std::string escaped;
  for (const char c : EscapeForDisplay(text)) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

class MetricsWriter {
 public:
  // Begins the metric of the following samples.
  void Begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
    text_.append(name).append(" ").append(type).append("\n");
  }
  void Sample(const std::string& labels, const std::string& value, std::string_view suffix = "") {
    text_.append(name_).append(suffix);
    if (!labels.empty()) text_.append("{").append(labels).append("}");
    text_.append(" ").append(value).append("\n");
  }
  void One(std::string_view name, std::string_view type, std::string_view help, uint64_t value) {
    Begin(name, type, help);
    Sample("", std::to_string(value));
  }
  void Histogram(const std::string& labels, const Durations& durations) {
    const std::string more = labels.empty() ? "" : labels + ",";
    // From a microsecond to two minutes; shorter and longer durations count in the first and last
    // bucket.
    constexpr size_t kFirst = 10, kLast = 37;
    uint64_t count = 0;
    for (size_t i = 0; i < Durations::kBuckets; ++i) {
      count += durations.buckets[i];
      if (i < kFirst || i > kLast) continue;
      const double seconds = static_cast<double>(uint64_t{1} << i) / 1e9;
      Sample(more + "le=\"" + Number(seconds) + "\"", std::to_string(count), "_bucket");
    }
    Sample(more + "le=\"+Inf\"", std::to_string(durations.count), "_bucket");
    Sample(labels, Number(static_cast<double>(durations.total_nanos) / 1e9), "_sum");
    Sample(labels, std::to_string(durations.count), "_count");
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string_view name_;
  std::string text_;
};

struct FamilyMetric {
  std::string_view name, type, help;
  uint64_t FamilyStats::* figure;
};

constexpr FamilyMetric kFamilyMetrics[] = {
    {"varve_memtable_bytes", "gauge", "Of the memtable that is written to.",
     &FamilyStats::memtable_bytes},
    {"varve_sealed_memtables", "gauge", "Memtables that wait for their flush.",
     &FamilyStats::sealed_memtables},
    {"varve_sealed_memtable_bytes", "gauge", "Of the memtables that wait for their flush.",
     &FamilyStats::sealed_memtable_bytes},
    {"varve_pending_compaction_bytes", "gauge", "What compactions have to rewrite, estimated.",
     &FamilyStats::pending_compaction_bytes},
    {"varve_gets_total", "counter", "Point reads.", &FamilyStats::gets},
    {"varve_gets_found_total", "counter", "Point reads that found their key.",
     &FamilyStats::gets_found},
    {"varve_multigets_total", "counter", "Batches of point reads.", &FamilyStats::multigets},
    {"varve_multiget_keys_total", "counter", "Keys in batches of point reads.",
     &FamilyStats::multiget_keys},
    {"varve_multiget_keys_found_total", "counter", "Keys in batches that were found.",
     &FamilyStats::multiget_keys_found},
    {"varve_iterators_total", "counter", "Iterators made.", &FamilyStats::iterators},
    {"varve_filter_negatives_total", "counter", "Tables that a filter kept from being searched.",
     &FamilyStats::filter_negatives},
    {"varve_filter_positives_total", "counter", "Tables searched because a filter allowed it.",
     &FamilyStats::filter_positives},
    {"varve_filter_true_positives_total", "counter", "And the key was there.",
     &FamilyStats::filter_true_positives},
};

struct DbMetric {
  std::string_view name, type, help;
  uint64_t DbStats::* figure;
};

constexpr DbMetric kDbMetrics[] = {
    {"varve_block_cache_bytes", "gauge", "Held by the block cache.", &DbStats::block_cache_bytes},
    {"varve_block_cache_capacity_bytes", "gauge", "What the block cache may hold.",
     &DbStats::block_cache_capacity},
    {"varve_block_cache_hits_total", "counter", "Blocks found in the cache.",
     &DbStats::block_cache_hits},
    {"varve_block_cache_misses_total", "counter", "Blocks that had to be read.",
     &DbStats::block_cache_misses},
    {"varve_written_batches_total", "counter", "Calls of Write().", &DbStats::batches_written},
    {"varve_written_entries_total", "counter", "Entries written by users.",
     &DbStats::entries_written},
    {"varve_compaction_read_bytes_total", "counter", "Read by compactions.",
     &DbStats::compaction_bytes_read},
    {"varve_flushes_total", "counter", "Flushes.", &DbStats::flushes},
    {"varve_compactions_total", "counter", "Compactions that rewrote something.",
     &DbStats::compactions},
    {"varve_trivial_moves_total", "counter", "Tables moved down a level as they were.",
     &DbStats::trivial_moves},
    {"varve_stalls_total", "counter", "Groups of writes that had to wait.", &DbStats::stalls},
};

void WriteFamilies(const std::vector<FamilyStats>& families, MetricsWriter* out) {
  std::vector<std::string> labels;
  for (const FamilyStats& family : families) {
    labels.push_back("cf=\"" + LabelValue(family.name) + "\"");
  }
  for (const FamilyMetric& metric : kFamilyMetrics) {
    out->Begin(metric.name, metric.type, metric.help);
    for (size_t i = 0; i < families.size(); ++i) {
      out->Sample(labels[i], std::to_string(families[i].*metric.figure));
    }
  }
  const auto levels = [&](std::string_view name, std::string_view help, uint64_t LevelInfo::* of) {
    out->Begin(name, "gauge", help);
    for (size_t i = 0; i < families.size(); ++i) {
      for (const LevelInfo& level : families[i].levels) {
        out->Sample(labels[i] + ",level=\"" + std::to_string(level.level) + "\"",
                    std::to_string(level.*of));
      }
    }
  };
  levels("varve_level_files", "Tables on a level.", &LevelInfo::files);
  levels("varve_level_bytes", "Bytes of the tables on a level.", &LevelInfo::bytes);
  out->Begin("varve_get_seconds", "histogram", "Point reads; one in 64 is timed.");
  for (size_t i = 0; i < families.size(); ++i) {
    out->Histogram(labels[i], families[i].get_durations);
  }
  out->Begin("varve_multiget_seconds", "histogram", "Batches of point reads; one in 64 is timed.");
  for (size_t i = 0; i < families.size(); ++i) {
    out->Histogram(labels[i], families[i].multiget_durations);
  }
}

}  // namespace

double Percentile(const Durations& durations, double fraction) {
  const double wanted = fraction * static_cast<double>(durations.count);
  double before = 0;
  for (size_t i = 0; i < Durations::kBuckets; ++i) {
    const auto here = static_cast<double>(durations.buckets[i]);
    if (here > 0 && before + here >= wanted) {
      const double high = static_cast<double>(uint64_t{1} << i), low = i == 0 ? 0 : high / 2;
      return low + (high - low) * std::clamp((wanted - before) / here, 0.0, 1.0);
    }
    before += here;
  }
  return 0;
}

Json StatsJson(const DbStats& stats, const std::vector<FamilyStats>& families) {
  const uint64_t passed = Sum(families, &FamilyStats::filter_positives);
  Json json = {
      {"tickers",
       {{"rocksdb.block.cache.hit", stats.block_cache_hits},
        {"rocksdb.block.cache.miss", stats.block_cache_misses},
        {"rocksdb.bloom.filter.useful", Sum(families, &FamilyStats::filter_negatives)},
        {"rocksdb.bloom.filter.full.positive", passed},
        {"rocksdb.bloom.filter.full.true.positive",
         Sum(families, &FamilyStats::filter_true_positives)},
        {"rocksdb.number.keys.read", Sum(families, &FamilyStats::gets)},
        {"rocksdb.number.keys.written", stats.entries_written},
        {"rocksdb.number.multiget.get", Sum(families, &FamilyStats::multigets)},
        {"rocksdb.number.multiget.keys.read", Sum(families, &FamilyStats::multiget_keys)},
        {"rocksdb.number.multiget.keys.found", Sum(families, &FamilyStats::multiget_keys_found)},
        {"rocksdb.num.iterator.created", Sum(families, &FamilyStats::iterators)},
        {"rocksdb.bytes.written", stats.user_bytes_written},
        {"rocksdb.wal.bytes", stats.wal_bytes_written},
        {"rocksdb.flush.write.bytes", stats.flush_bytes_written},
        {"rocksdb.compact.read.bytes", stats.compaction_bytes_read},
        {"rocksdb.compact.write.bytes", stats.compaction_bytes_written},
        {"rocksdb.stall.micros", stats.stall_micros},
        {"varve.gets.found", Sum(families, &FamilyStats::gets_found)},
        {"varve.batches.written", stats.batches_written},
        {"varve.flushes", stats.flushes},
        {"varve.compactions", stats.compactions},
        {"varve.trivial.moves", stats.trivial_moves},
        {"varve.stalls", stats.stalls}}},
      {"histograms",
       {{"rocksdb.db.get.micros", HistogramJson(SumOf(families, &FamilyStats::get_durations), 64)},
        {"rocksdb.db.multiget.micros",
         HistogramJson(SumOf(families, &FamilyStats::multiget_durations), 64)},
        {"rocksdb.db.write.micros", HistogramJson(stats.write_durations, 64)},
        {"rocksdb.db.flush.micros", HistogramJson(stats.flush_durations, 1)},
        {"rocksdb.compaction.times.micros", HistogramJson(stats.compaction_durations, 1)}}},
      {"block_cache",
       {{"bytes", stats.block_cache_bytes}, {"capacity", stats.block_cache_capacity}}},
      {"stall", {{"cause", stats.stall_cause}}},
      {"memtable_bytes", stats.memtable_bytes},
      {"cfs", Json::array()}};
  for (const FamilyStats& family : families) json["cfs"].push_back(FamilyJson(family));
  return json;
}

std::string MetricsText(const DbStats& stats, const std::vector<FamilyStats>& families) {
  MetricsWriter out;
  for (const DbMetric& metric : kDbMetrics) {
    out.One(metric.name, metric.type, metric.help, stats.*metric.figure);
  }
  out.One("varve_last_sequence", "gauge", "The sequence number of the newest entry.",
          stats.last_sequence);
  out.Begin("varve_written_bytes_total", "counter", "Bytes written, by what wrote them.");
  out.Sample("kind=\"user\"", std::to_string(stats.user_bytes_written));
  out.Sample("kind=\"wal\"", std::to_string(stats.wal_bytes_written));
  out.Sample("kind=\"flush\"", std::to_string(stats.flush_bytes_written));
  out.Sample("kind=\"compaction\"", std::to_string(stats.compaction_bytes_written));
  out.Begin("varve_stall_seconds_total", "counter", "What writes have waited.");
  out.Sample("", Number(static_cast<double>(stats.stall_micros) / 1e6));
  out.Begin("varve_stalled", "gauge", "1 for what writes wait for at this moment.");
  for (const std::string_view cause : {"memtables", "level0 files", "pending bytes"}) {
    out.Sample("cause=\"" + std::string(cause) + "\"", stats.stall_cause == cause ? "1" : "0");
  }
  WriteFamilies(families, &out);
  const auto histogram = [&](std::string_view name, std::string_view help, const Durations& of) {
    out.Begin(name, "histogram", help);
    out.Histogram("", of);
  };
  histogram("varve_write_seconds", "Calls of Write(), waiting included; one in 64 is timed.",
            stats.write_durations);
  histogram("varve_flush_seconds", "Flushes.", stats.flush_durations);
  histogram("varve_compaction_seconds", "Compactions that rewrote something.",
            stats.compaction_durations);
  return out.Take();
}

}  // namespace varve::api
