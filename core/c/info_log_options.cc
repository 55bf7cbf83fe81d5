// SPDX-License-Identifier: Apache-2.0
// The options in a LOG, under RocksDB's names: those that c.h can set, as they were given, with
// RocksDB's corrections. Hints are among them.
#include <array>
#include <atomic>
#include <charconv>
#include <concepts>
#include <limits>
#include <string>

#include "core/base/text/text.h"
#include "core/c/cache.h"
#include "core/c/info_log.h"
#include "core/c/interface.h"

namespace varve::c {
namespace {

// clang-format off
#define VARVE_C_LOGGED_DB_OPTIONS(LINE) \
  LINE(error_if_exists) \
  LINE(create_if_missing) \
  LINE(paranoid_checks) \
  LINE(max_file_opening_threads) \
  LINE(use_fsync) \
  LINE(max_log_file_size) \
  LINE(max_manifest_file_size) \
  LINE(log_file_time_to_roll) \
  LINE(keep_log_file_num) \
  LINE(recycle_log_file_num) \
  LINE(allow_mmap_reads) \
  LINE(allow_mmap_writes) \
  LINE(use_direct_reads) \
  LINE(use_direct_io_for_flush_and_compaction) \
  LINE(create_missing_column_families) \
  LINE(table_cache_numshardbits) \
  LINE(WAL_ttl_seconds) \
  LINE(WAL_size_limit_MB) \
  LINE(manifest_preallocation_size) \
  LINE(is_fd_close_on_exec) \
  LINE(advise_random_on_open) \
  LINE(db_write_buffer_size) \
  LINE(access_hint_on_compaction_start) \
  LINE(use_adaptive_mutex) \
  LINE(wal_recovery_mode) \
  LINE(enable_pipelined_write) \
  LINE(unordered_write) \
  LINE(allow_concurrent_memtable_write) \
  LINE(enable_write_thread_adaptive_yield) \
  LINE(allow_ingest_behind) \
  LINE(manual_wal_flush) \
  LINE(wal_compression) \
  LINE(atomic_flush) \
  LINE(avoid_unnecessary_blocking_io) \
  LINE(max_background_jobs) \
  LINE(max_background_compactions) \
  LINE(max_subcompactions) \
  LINE(writable_file_max_buffer_size) \
  LINE(max_total_wal_size) \
  LINE(delete_obsolete_files_period_micros) \
  LINE(stats_dump_period_sec) \
  LINE(stats_persist_period_sec) \
  LINE(max_open_files) \
  LINE(bytes_per_sync) \
  LINE(wal_bytes_per_sync) \
  LINE(max_background_flushes)

#define VARVE_C_LOGGED_FAMILY_OPTIONS(LINE) \
  LINE(write_buffer_size) \
  LINE(max_write_buffer_number) \
  LINE(num_levels) \
  LINE(min_write_buffer_number_to_merge) \
  LINE(max_write_buffer_number_to_maintain) \
  LINE(max_write_buffer_size_to_maintain) \
  LINE(level0_file_num_compaction_trigger) \
  LINE(level0_slowdown_writes_trigger) \
  LINE(level0_stop_writes_trigger) \
  LINE(target_file_size_base) \
  LINE(target_file_size_multiplier) \
  LINE(max_bytes_for_level_base) \
  LINE(level_compaction_dynamic_level_bytes) \
  LINE(max_bytes_for_level_multiplier) \
  LINE(max_sequential_skip_in_iterations) \
  LINE(soft_pending_compaction_bytes_limit) \
  LINE(hard_pending_compaction_bytes_limit) \
  LINE(disable_auto_compactions) \
  LINE(inplace_update_support) \
  LINE(inplace_update_num_locks) \
  LINE(memtable_prefix_bloom_size_ratio) \
  LINE(memtable_huge_page_size) \
  LINE(bloom_locality) \
  LINE(max_successive_merges) \
  LINE(optimize_filters_for_hits) \
  LINE(report_bg_io_stats) \
  LINE(min_blob_size) \
  LINE(blob_file_size) \
  LINE(blob_compaction_readahead_size) \
  LINE(blob_file_starting_level) \
  LINE(experimental_mempurge_threshold)
// clang-format on

std::string LogText(bool value) { return value ? "1" : "0"; }
std::string LogWord(bool value) { return value ? "true" : "false"; }
template <std::integral T>
std::string LogText(T value) {
  return std::to_string(value);
}
std::string LogText(const std::string& value) { return value; }
// "0.750000", whatever the locale is.
std::string LogText(double value) {
  constexpr int kDigits = 6;
  std::array<char, 400> buffer = {};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, kDigits);
  return {buffer.data(), end.ptr};
}

std::string LoggedCodec(int number) {
  constexpr std::array<std::string_view, 8> kNames = {"NoCompression", "Snappy", "Zlib",   "BZip2",
                                                      "LZ4",           "LZ4HC",  "Xpress", "ZSTD"};
  constexpr int kNotFinal = 0x40, kDisabled = 0xff;
  if (number == kNotFinal) return "ZSTDNotFinal";
  if (number == kDisabled) return "Disabled";
  const bool known = number >= 0 && static_cast<size_t>(number) < kNames.size();
  return known ? std::string(kNames.at(static_cast<size_t>(number))) : std::to_string(number);
}

std::string LoggedStyle(int number) {
  constexpr std::array<std::string_view, 4> kNames = {
      "kCompactionStyleLevel", "kCompactionStyleUniversal", "kCompactionStyleFIFO",
      "kCompactionStyleNone"};
  const bool known = number >= 0 && static_cast<size_t>(number) < kNames.size();
  return known ? std::string(kNames.at(static_cast<size_t>(number))) : std::to_string(number);
}

class OptionLines {
 public:
  explicit OptionLines(InfoLog* log) : log_(*log) {}
  template <typename T>
  void Add(std::string_view name, const T& value) {
    log_.Write(LogLevel::kHeader, "Options." + std::string(name) + ": " + LogText(value));
  }

 private:
  InfoLog& log_;
};

// A member in each line of one entry.
std::string LogText(const TableValues& table) {
  std::string text = "table_factory options: \n";
  const auto add = [&](std::string_view name, const auto& value) {
    text.append("  ").append(name).append(": ").append(LogText(value)).append("\n");
  };
  add("cache_index_and_filter_blocks", table.cache_index_and_filter_blocks);
  add("cache_index_and_filter_blocks_with_high_priority",
      table.cache_index_and_filter_blocks_with_high_priority);
  add("pin_l0_filter_and_index_blocks_in_cache", table.pin_l0_filter_and_index_blocks_in_cache);
  add("pin_top_level_index_and_filter", table.pin_top_level_index_and_filter);
  add("index_type", table.index_type);
  add("data_block_index_type", table.data_block_index_type);
  add("data_block_hash_table_util_ratio", table.data_block_hash_ratio);
  add("checksum", int{table.checksum});
  add("no_block_cache", table.no_block_cache);
  if (table.block_cache != nullptr) {
    add("block_cache_options", std::string());
    add("  capacity ", table.block_cache->capacity.load(std::memory_order_relaxed));
  }
  add("block_size", table.block_size);
  add("block_size_deviation", table.block_size_deviation);
  add("block_restart_interval", table.block_restart_interval);
  add("index_block_restart_interval", table.index_block_restart_interval);
  add("metadata_block_size", table.metadata_block_size);
  add("partition_filters", table.partition_filters);
  add("use_delta_encoding", table.use_delta_encoding);
  const bool filter = table.filter_policy != nullptr;
  const bool ribbon = filter && table.filter_policy->kind == FilterKind::kRibbon;
  add("filter_policy", std::string(!filter ? "nullptr" : ribbon ? "ribbonfilter" : "bloomfilter"));
  add("whole_key_filtering", table.whole_key_filtering);
  add("format_version", table.format_version);
  return text;
}

void AddCodecs(const rocksdb_options_t& options, OptionLines* lines) {
  const OptionValues& values = options.values;
  const std::vector<int>& levels = options.compression_per_level;
  if (levels.empty()) lines->Add("compression", LoggedCodec(values.compression));
  for (size_t i = 0; i < levels.size(); ++i) {
    lines->Add("compression[" + std::to_string(i) + "]", LoggedCodec(levels[i]));
  }
  lines->Add("bottommost_compression", LoggedCodec(values.bottommost_compression));
  const CodecOptions& bottommost = options.bottommost_compression_options;
  lines->Add("bottommost_compression_opts.level", bottommost.level);
  lines->Add("bottommost_compression_opts.max_dict_bytes", bottommost.max_dict_bytes);
  lines->Add("bottommost_compression_opts.zstd_max_train_bytes", bottommost.zstd_max_train_bytes);
  lines->Add("bottommost_compression_opts.enabled", LogWord(bottommost.enabled));
  lines->Add("bottommost_compression_opts.use_zstd_dict_trainer",
             LogWord(bottommost.use_zstd_dict_trainer));
  const CodecOptions& codec = options.compression_options;
  lines->Add("compression_opts.level", codec.level);
  lines->Add("compression_opts.max_dict_bytes", codec.max_dict_bytes);
  lines->Add("compression_opts.zstd_max_train_bytes",
             values.compression_options_zstd_max_train_bytes);
  lines->Add("compression_opts.use_zstd_dict_trainer",
             LogWord(values.compression_options_use_zstd_dict_trainer));
  lines->Add("compression_opts.parallel_threads", values.compression_options_parallel_threads);
  lines->Add("compression_opts.max_dict_buffer_bytes",
             values.compression_options_max_dict_buffer_bytes);
}

void AddUniversal(const rocksdb_universal_compaction_options_t& universal, OptionLines* lines) {
  constexpr std::array<std::string_view, 2> kStops = {"kCompactionStopStyleSimilarSize",
                                                      "kCompactionStopStyleTotalSize"};
  const std::string prefix = "compaction_options_universal.";
  lines->Add(prefix + "size_ratio", static_cast<unsigned>(universal.size_ratio));
  lines->Add(prefix + "min_merge_width", static_cast<unsigned>(universal.min_merge_width));
  lines->Add(prefix + "max_merge_width", static_cast<unsigned>(universal.max_merge_width));
  lines->Add(prefix + "max_size_amplification_percent",
             static_cast<unsigned>(universal.max_size_amplification_percent));
  lines->Add(prefix + "compression_size_percent", universal.compression_size_percent);
  lines->Add(prefix + "stop_style",
             std::string(kStops.at(static_cast<size_t>(universal.stop_style != 0))));
}

void AddBlobs(const OptionValues& values, OptionLines* lines) {
  lines->Add("enable_blob_files", LogWord(values.enable_blob_files));
  lines->Add("blob_compression_type", LoggedCodec(values.blob_compression_type));
  lines->Add("enable_blob_garbage_collection", LogWord(values.enable_blob_gc));
  lines->Add("blob_garbage_collection_age_cutoff", values.blob_gc_age_cutoff);
  lines->Add("blob_garbage_collection_force_threshold", values.blob_gc_force_threshold);
}

}  // namespace

void LogOptions(const rocksdb_options_t& options, InfoLog* log) {
  OptionLines lines(log);
  const OptionValues values = Sanitized(options.values);
#define VARVE_C_LINE(name) lines.Add(#name, values.name);
  VARVE_C_LOGGED_DB_OPTIONS(VARVE_C_LINE)
  lines.Add("db_log_dir", options.db_log_dir);
  lines.Add("wal_dir", options.wal_dir);
  lines.Add("compaction_readahead_size", options.compaction_readahead_size);
}

void LogFamilyOptions(const std::string& family, const rocksdb_options_t& options, InfoLog* log) {
  log->Write(LogLevel::kHeader,
             "--------------- Options for column family [" + EscapeForDisplay(family) + "]:");
  OptionLines lines(log);
  const OptionValues values = Sanitized(options.values);
  const Comparator* const order = options.comparator;
  lines.Add("comparator", std::string((order == nullptr ? BytewiseComparator() : order)->name()));
  lines.Add("merge_operator", options.merge_operator == nullptr
                                  ? std::string("None")
                                  : std::string(options.merge_operator->name()));
  lines.Add("table_factory", std::string("BlockBasedTable"));
  log->Write(LogLevel::kHeader, LogText(options.table.value_or(DefaultTable())));
  VARVE_C_LOGGED_FAMILY_OPTIONS(VARVE_C_LINE)
#undef VARVE_C_LINE
  constexpr uint64_t kTablesOfCompaction = 25;
  lines.Add("max_compaction_bytes", values.max_compaction_bytes != 0
                                        ? values.max_compaction_bytes
                                        : kTablesOfCompaction * values.target_file_size_base);
  constexpr uint64_t kChosen = std::numeric_limits<uint64_t>::max() - 1, kThirtyDays = 30 * 86400;
  constexpr int kFifo = 2;
  lines.Add("ttl", values.ttl != kChosen              ? values.ttl
                   : values.compaction_style == kFifo ? 0
                                                      : kThirtyDays);
  AddCodecs(options, &lines);
  lines.Add("compaction_style", LoggedStyle(values.compaction_style));
  AddUniversal(options.universal, &lines);
  lines.Add("compaction_options_fifo.max_table_files_size", options.fifo.max_table_files_size);
  AddBlobs(values, &lines);
}

}  // namespace varve::c
