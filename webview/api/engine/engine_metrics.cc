// SPDX-License-Identifier: Apache-2.0
#include "webview/api/engine/engine_metrics.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string_view>

#include "core/base/stall_causes.h"
#include "core/base/text/text.h"
#include "webview/api/json/json.h"

namespace varve::api {
namespace {

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
    {"varve_memtable_bytes", "gauge", "Bytes of the memtable that takes writes.",
     &FamilyStats::memtable_bytes},
    {"varve_sealed_memtables", "gauge", "Memtables that wait for their flush.",
     &FamilyStats::sealed_memtables},
    {"varve_sealed_memtable_bytes", "gauge", "Bytes of the memtables that wait for their flush.",
     &FamilyStats::sealed_memtable_bytes},
    {"varve_pending_compaction_bytes", "gauge", "Estimated bytes that compactions have to rewrite.",
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
    {"varve_filter_negatives_total", "counter", "Tables not searched because of a filter.",
     &FamilyStats::filter_negatives},
    {"varve_filter_positives_total", "counter", "Tables searched because a filter allowed it.",
     &FamilyStats::filter_positives},
    {"varve_filter_true_positives_total", "counter",
     "Tables searched because a filter allowed it that had the key.",
     &FamilyStats::filter_true_positives},
};

struct DbMetric {
  std::string_view name, type, help;
  uint64_t DbStats::* figure;
};

constexpr DbMetric kDbMetrics[] = {
    {"varve_block_cache_bytes", "gauge", "Bytes in the block cache.", &DbStats::block_cache_bytes},
    {"varve_block_cache_capacity_bytes", "gauge", "Capacity of the block cache in bytes.",
     &DbStats::block_cache_capacity},
    {"varve_block_cache_hits_total", "counter", "Blocks found in the cache.",
     &DbStats::block_cache_hits},
    {"varve_block_cache_misses_total", "counter", "Blocks that had to be read.",
     &DbStats::block_cache_misses},
    {"varve_pinned_memtable_bytes", "gauge",
     "Bytes of flushed or dropped memtables that are still read.", &DbStats::pinned_memtable_bytes},
    {"varve_open_tables", "gauge", "Tables that are open.", &DbStats::open_tables},
    {"varve_open_table_bytes", "gauge", "Bytes in memory for open tables, outside the block cache.",
     &DbStats::open_table_bytes},
    {"varve_block_bytes", "gauge", "Bytes of all blocks in memory, cached or pinned by readers.",
     &DbStats::block_bytes},
    {"varve_written_batches_total", "counter", "Calls of Write().", &DbStats::batches_written},
    {"varve_written_entries_total", "counter", "Entries written by users.",
     &DbStats::entries_written},
    {"varve_compaction_read_bytes_total", "counter", "Bytes read by compactions.",
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
  out.Begin("varve_stall_seconds_total", "counter", "Time that writes have waited.");
  out.Sample("", Number(static_cast<double>(stats.stall_micros) / 1e6));
  out.Begin("varve_stalled", "gauge", "1 for what writes are waiting for now, otherwise 0.");
  for (const std::string_view cause : kStallCauses) {
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
