// SPDX-License-Identifier: Apache-2.0
#include "webview/api/engine/engine_metrics.h"

#include <cctype>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/stall_causes.h"
#include "core/base/text/text.h"
#include "webview/api/fields/stats_fields.h"

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

// A member of a description is a metric, too.
struct Metric {
  std::string_view name, type;
  std::string_view member;
};

constexpr Metric kCacheMetrics[] = {
    {"varve_block_cache_bytes", "gauge", "bytes"},
    {"varve_block_cache_capacity_bytes", "gauge", "capacity"},
};

constexpr Metric kTickerMetrics[] = {
    {"varve_block_cache_hits_total", "counter", "rocksdb.block.cache.hit"},
    {"varve_block_cache_misses_total", "counter", "rocksdb.block.cache.miss"},
    {"varve_written_batches_total", "counter", "varve.batches.written"},
    {"varve_written_entries_total", "counter", "rocksdb.number.keys.written"},
    {"varve_compaction_read_bytes_total", "counter", "rocksdb.compact.read.bytes"},
    {"varve_flushes_total", "counter", "varve.flushes"},
    {"varve_compactions_total", "counter", "varve.compactions"},
    {"varve_trivial_moves_total", "counter", "varve.trivial.moves"},
    {"varve_remote_compactions_total", "counter", "varve.remote.compactions"},
    {"varve_remote_compaction_failures_total", "counter", "varve.remote.compaction.failures"},
    {"varve_remote_compaction_fallbacks_total", "counter", "varve.remote.compaction.fallbacks"},
    {"varve_stalls_total", "counter", "varve.stalls"},
    {"varve_stall_seconds_total", "counter", "rocksdb.stall.micros"},
};

constexpr Metric kEngineMetrics[] = {
    {"varve_pinned_memtable_bytes", "gauge", "pinned_memtable_bytes"},
    {"varve_open_tables", "gauge", "open_tables"},
    {"varve_open_table_bytes", "gauge", "open_table_bytes"},
    {"varve_block_bytes", "gauge", "block_bytes"},
};

constexpr Metric kFamilyMetrics[] = {
    {"varve_memtable_bytes", "gauge", "memtable_bytes"},
    {"varve_sealed_memtables", "gauge", "sealed_memtables"},
    {"varve_sealed_memtable_bytes", "gauge", "sealed_memtable_bytes"},
    {"varve_blob_files", "gauge", "blob_files"},
    {"varve_blob_bytes", "gauge", "blob_bytes"},
    {"varve_blob_garbage_bytes", "gauge", "blob_garbage_bytes"},
    {"varve_pending_compaction_bytes", "gauge", "pending_compaction_bytes"},
    {"varve_gets_total", "counter", "gets"},
    {"varve_gets_found_total", "counter", "gets_found"},
    {"varve_multigets_total", "counter", "multigets"},
    {"varve_multiget_keys_total", "counter", "multiget_keys"},
    {"varve_multiget_keys_found_total", "counter", "multiget_keys_found"},
    {"varve_iterators_total", "counter", "iterators"},
    {"varve_filter_negatives_total", "counter", "filter_negatives"},
    {"varve_filter_positives_total", "counter", "filter_positives"},
    {"varve_filter_true_positives_total", "counter", "filter_true_positives"},
};

constexpr Metric kLevelMetrics[] = {
    {"varve_level_files", "gauge", "files"},
    {"varve_level_bytes", "gauge", "bytes"},
};

// "of tables written by flushes", in bytes, as "Bytes of tables written by flushes."
std::string HelpOf(const Field& field) {
  std::string meaning = field.type.at("description").get<std::string>();
  if (field.unit == Unit::kBytes) return "Bytes " + meaning + ".";
  if (field.unit == Unit::kMicroseconds) return "Seconds " + meaning + ".";
  meaning[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(meaning[0])));
  return meaning + ".";
}

template <typename T>
std::string ValueOf(const Field& field, const T& stats) {
  Json value;
  CHECK(field.put(&stats, {}, &value));
  return field.unit == Unit::kMicroseconds ? Number(value.get<double>() / 1e6) : value.dump();
}

template <typename T>
void WriteMetrics(std::span<const Metric> metrics, const Fields<T>& fields, const T& stats,
                  MetricsWriter* out) {
  for (const Metric& metric : metrics) {
    const Field& field = fields.Named(metric.member);
    out->Begin(metric.name, metric.type, HelpOf(field));
    out->Sample("", ValueOf(field, stats));
  }
}

// "Point reads; one in 64 is timed."
std::string HelpOfDurations(std::string_view ticker, uint64_t one_in) {
  std::string help = HelpOf(HistogramsFields().Named(ticker));
  if (one_in == 1) return help;
  help.pop_back();
  return help + "; one in " + std::to_string(one_in) + " is timed.";
}

void WriteFamilies(const std::vector<FamilyStats>& families, MetricsWriter* out) {
  std::vector<std::string> labels;
  for (const FamilyStats& family : families) {
    labels.push_back("cf=\"" + LabelValue(family.name) + "\"");
  }
  for (const Metric& metric : kFamilyMetrics) {
    const Field& field = FamilyStatsFields().Named(metric.member);
    out->Begin(metric.name, metric.type, HelpOf(field));
    for (size_t i = 0; i < families.size(); ++i)
      out->Sample(labels[i], ValueOf(field, families[i]));
  }
  for (const Metric& metric : kLevelMetrics) {
    const Field& field = LevelSizeFields().Named(metric.member);
    out->Begin(metric.name, metric.type, HelpOf(field));
    for (size_t i = 0; i < families.size(); ++i) {
      for (const LevelInfo& level : families[i].levels) {
        out->Sample(labels[i] + ",level=\"" + std::to_string(level.level) + "\"",
                    ValueOf(field, level));
      }
    }
  }
  out->Begin("varve_get_seconds", "histogram",
             HelpOfDurations("rocksdb.db.get.micros", kOneCallIn));
  for (size_t i = 0; i < families.size(); ++i) {
    out->Histogram(labels[i], families[i].get_durations);
  }
  out->Begin("varve_multiget_seconds", "histogram",
             HelpOfDurations("rocksdb.db.multiget.micros", kOneCallIn));
  for (size_t i = 0; i < families.size(); ++i) {
    out->Histogram(labels[i], families[i].multiget_durations);
  }
}

}  // namespace

std::string MetricsText(const EngineStats& engine) {
  const DbStats& stats = engine.db;
  MetricsWriter out;
  WriteMetrics(kCacheMetrics, BlockCacheFields(), stats, &out);
  WriteMetrics(kTickerMetrics, TickerFields(), engine, &out);
  WriteMetrics(kEngineMetrics, EngineStatsFields(), engine, &out);
  out.Begin("varve_last_sequence", "gauge", "The sequence number of the newest entry.");
  out.Sample("", std::to_string(stats.last_sequence));
  out.Begin("varve_written_bytes_total", "counter", "Bytes written, by what wrote them.");
  out.Sample("kind=\"user\"", std::to_string(stats.user_bytes_written));
  out.Sample("kind=\"wal\"", std::to_string(stats.wal_bytes_written));
  out.Sample("kind=\"flush\"", std::to_string(stats.flush_bytes_written));
  out.Sample("kind=\"compaction\"", std::to_string(stats.compaction_bytes_written));
  out.Begin("varve_stalled", "gauge", "1 for what writes are waiting for now, otherwise 0.");
  for (const std::string_view cause : kStallCauses) {
    out.Sample("cause=\"" + std::string(cause) + "\"", stats.stall_cause == cause ? "1" : "0");
  }
  WriteFamilies(engine.families, &out);
  const auto histogram = [&](std::string_view name, std::string_view ticker, uint64_t one_in,
                             const Durations& of) {
    out.Begin(name, "histogram", HelpOfDurations(ticker, one_in));
    out.Histogram("", of);
  };
  histogram("varve_write_seconds", "rocksdb.db.write.micros", kOneCallIn, stats.write_durations);
  histogram("varve_flush_seconds", "rocksdb.db.flush.micros", 1, stats.flush_durations);
  histogram("varve_compaction_seconds", "rocksdb.compaction.times.micros", 1,
            stats.compaction_durations);
  return out.Take();
}

}  // namespace varve::api
