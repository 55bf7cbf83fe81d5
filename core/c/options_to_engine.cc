// SPDX-License-Identifier: Apache-2.0
// From the options of c.h to the engine's. Values that RocksDB corrects when it opens a database
// are corrected here in the same way; what is refused is named.
#include <algorithm>
#include <concepts>
#include <filesystem>

#include "core/base/options/option_limits.h"
#include "core/base/options/option_value.h"
#include "core/base/try.h"
#include "core/c/cache.h"
#include "core/c/error.h"
#include "core/c/interface.h"
#include "varve/option_table.h"

namespace varve::c {
namespace {

constexpr int kFifo = 2;  // Of compaction_style.

std::string TextOf(bool value) { return value ? "true" : "false"; }
std::string TextOf(double value) { return FormatReal(value); }
template <std::integral T>
std::string TextOf(T value) {
  return std::to_string(value);
}

// Options of FIFO compaction that delete what is old, by its age or by other sizes.
Status CheckFifo(const rocksdb_options_t& options) {
  if (options.values.compaction_style != kFifo) return Status::Ok();
  const OptionValues initial;
  if (options.values.ttl != initial.ttl && options.values.ttl != 0) {
    return Refusal("rocksdb_options_set_ttl");
  }
  if (options.values.periodic_compaction_seconds != initial.periodic_compaction_seconds &&
      options.values.periodic_compaction_seconds != 0) {
    return Refusal("rocksdb_options_set_periodic_compaction_seconds");
  }
  if (options.fifo.max_data_files_size != 0) {
    return Refusal("rocksdb_fifo_compaction_options_set_max_data_files_size");
  }
  return Status::Ok();
}

Status CheckRefused(const rocksdb_options_t& options) {
  if (!options.refused.empty()) return Refusal(*options.refused.begin());
  const OptionValues initial;
#define VARVE_C_IGNORE(...)
#define VARVE_C_CHECK(name, Set, Get, initial_value) \
  if (options.values.name != initial.name) return Refusal("rocksdb_options_set_" #name);
  VARVE_C_OPTION_ROWS(VARVE_C_IGNORE, VARVE_C_IGNORE, VARVE_C_IGNORE, VARVE_C_CHECK)
#define VARVE_C_CHECK_ELEVEN(name, Type, initial_value) \
  VARVE_C_CHECK(name, Type, Type, initial_value)
  VARVE_C_ELEVEN_OPTIONS(VARVE_C_IGNORE, VARVE_C_CHECK_ELEVEN)
#undef VARVE_C_CHECK_ELEVEN
#undef VARVE_C_CHECK
  return CheckFifo(options);
}

Status SetPlainValues(const OptionValues& values, Options* out) {
#define VARVE_C_PASS(name, Set, Get, initial_value) \
  RETURN_IF_ERROR(FindOption(#name)->set(out, TextOf(values.name)));
  VARVE_C_OPTION_ROWS(VARVE_C_PASS, VARVE_C_IGNORE, VARVE_C_IGNORE, VARVE_C_IGNORE)
#undef VARVE_C_PASS
#undef VARVE_C_IGNORE
  return Status::Ok();
}

Status SetBlobs(const OptionValues& values, BlobOptions* out) {
  out->enabled = values.enable_blob_files;
  out->min_size = values.min_blob_size;
  out->file_size = values.blob_file_size;
  ASSIGN_OR_RETURN(out->compression, CodecOf(values.blob_compression_type));
  out->collect_garbage = values.enable_blob_gc;
  out->age_cutoff = values.blob_gc_age_cutoff;
  out->force_threshold = values.blob_gc_force_threshold;
  out->starting_level = std::clamp(values.blob_file_starting_level, 0, kNumLevelsMax);
  return Status::Ok();
}

constexpr int kNoBottommostCompression = 0xff;

Status SetCodecs(const rocksdb_options_t& options, ColumnFamilyOptions* out) {
  ASSIGN_OR_RETURN(out->table.compression, CodecOf(options.values.compression));
  out->table.compression_level = options.compression_options.level;
  out->table.compression_dict_bytes =
      static_cast<uint32_t>(std::max(0, options.compression_options.max_dict_bytes));
  out->table.zstd_max_train_bytes =
      static_cast<uint32_t>(std::max(0, options.values.compression_options_zstd_max_train_bytes));
  out->compression_per_level.clear();
  for (const int level : options.compression_per_level) {
    ASSIGN_OR_RETURN(const CompressionType codec, CodecOf(level));
    out->compression_per_level.push_back(codec);
  }
  BottommostCompression& bottommost = out->bottommost_compression;
  if (options.values.bottommost_compression != kNoBottommostCompression) {
    ASSIGN_OR_RETURN(bottommost.type, CodecOf(options.values.bottommost_compression));
  }
  const CodecOptions& codec = options.bottommost_compression_options;
  bottommost.enabled = codec.enabled;
  bottommost.level = codec.level;
  bottommost.dict_bytes = static_cast<uint32_t>(std::max(0, codec.max_dict_bytes));
  bottommost.zstd_max_train_bytes = static_cast<uint32_t>(std::max(0, codec.zstd_max_train_bytes));
  return Status::Ok();
}

Status SetTable(const TableValues& values, TableOptions* out) {
  constexpr int kFormatMin = 2;  // Older ones differ in nothing that a reader sees.
  if (values.format_version < 0 || values.format_version > kInterface.table_format_max) {
    return Status::InvalidArgument("Unsupported BlockBasedTable format_version " +
                                   std::to_string(values.format_version));
  }
  if (values.use_udi_as_primary_index) {
    return Refusal("rocksdb_block_based_options_set_use_udi_as_primary_index");
  }
  if (!values.user_defined_index.empty()) {
    return Refusal("rocksdb_block_based_options_set_user_defined_index_factory_from_string");
  }
  out->format_version = static_cast<uint32_t>(std::max(values.format_version, kFormatMin));
  if (values.checksum < 0 || values.checksum > static_cast<char>(ChecksumType::kXxh3)) {
    return Status::InvalidArgument("there is no checksum type " +
                                   std::to_string(int{values.checksum}));
  }
  out->checksum = static_cast<ChecksumType>(values.checksum);
  out->block_size =
      static_cast<uint32_t>(std::clamp<size_t>(values.block_size, 1, size_t{1} << 30));
  out->block_restart_interval = static_cast<uint32_t>(std::max(values.block_restart_interval, 1));
  out->index_block_restart_interval =
      static_cast<uint32_t>(std::max(values.index_block_restart_interval, 1));
  out->metadata_block_size =
      static_cast<uint32_t>(std::clamp<uint64_t>(values.metadata_block_size, 1, uint64_t{1} << 30));
  // The two kinds that the engine writes; a hash index by prefix is answered by the binary one.
  constexpr int kTwoLevelIndex = 2;
  out->index_type = values.index_type == kTwoLevelIndex ? IndexType::kTwoLevel : IndexType::kBinary;
  out->partition_filters = values.partition_filters && out->index_type == IndexType::kTwoLevel;
  out->decouple_partitioned_filters = values.decouple_partitioned_filters;
  out->data_block_hash_index = values.data_block_index_type == 1;
  out->data_block_hash_table_util_ratio = values.data_block_hash_ratio;
  out->filter = FilterKind::kNone;
  out->filter_bits_per_key = 0;
  if (values.filter_policy != nullptr && values.filter_policy->bits_per_key > 0) {
    out->filter = values.filter_policy->kind;
    out->filter_bits_per_key = std::min(values.filter_policy->bits_per_key, 100.0);
    out->bloom_before_level =
        std::clamp(values.filter_policy->bloom_before_level, -1, kNumLevelsMax);
  }
  return Status::Ok();
}

constexpr int kUniversal = 1;

Status SetUniversal(const rocksdb_universal_compaction_options_t& values, UniversalOptions* out) {
  if (values.incremental) return Refusal("compaction_options_universal.incremental");
  // RocksDB keeps those that c.h has as int as unsigned: -1 is the most.
  out->size_ratio = static_cast<uint32_t>(values.size_ratio);
  out->min_merge_width = static_cast<uint32_t>(values.min_merge_width);
  out->max_merge_width = static_cast<uint32_t>(values.max_merge_width);
  // Less would merge nothing, and writes would stop some day.
  out->max_merge_width = std::max({out->max_merge_width, out->min_merge_width, uint32_t{2}});
  out->max_size_amplification_percent =
      static_cast<uint32_t>(values.max_size_amplification_percent);
  out->compression_size_percent = std::max(values.compression_size_percent, -1);
  out->stop_style =
      values.stop_style == 0 ? UniversalStopStyle::kSimilarSize : UniversalStopStyle::kTotalSize;
  out->allow_trivial_move = values.allow_trivial_move;
  return Status::Ok();
}

Status SetFamily(const rocksdb_options_t& options, ColumnFamilyOptions* out) {
  // As RocksDB: without one it is the bytewise one, whatever the database has.
  out->comparator = options.comparator == nullptr ? BytewiseComparator() : options.comparator;
  out->merge_operator = options.merge_operator.get();
  out->compaction_filter_factory = FiltersOf(options).get();
  out->compaction_style = options.values.compaction_style == kFifo ? CompactionStyle::kFifo
                          : options.values.compaction_style == kUniversal
                              ? CompactionStyle::kUniversal
                              : CompactionStyle::kLevel;
  RETURN_IF_ERROR(SetUniversal(options.universal, &out->universal));
  out->cf_paths = options.cf_paths;
  out->fifo_max_table_files_size = options.fifo.max_table_files_size;
  RETURN_IF_ERROR(SetTable(options.table.value_or(DefaultTable()), &out->table));
  RETURN_IF_ERROR(SetBlobs(options.values, &out->blobs));
  return SetCodecs(options, out);
}

Status CheckWalDirectory(const std::string& wal_dir, const std::string& path) {
  // By name: "./db/" is "db".
  const auto normal = [](const std::string& text) {
    std::error_code relative;  // Then it stays as it is.
    const std::filesystem::path full = std::filesystem::absolute(text, relative);
    return ((relative ? std::filesystem::path(text) : full) / "").lexically_normal();
  };
  if (wal_dir.empty() || normal(wal_dir) == normal(path)) return Status::Ok();
  return Refusal("rocksdb_options_set_wal_dir");
}

}  // namespace

Result<CompressionType> CodecOf(int number) {
  constexpr int kZstdNotFinal = 0x40;  // RocksDB's while zstd's format was not final.
  if (number == kZstdNotFinal) return CompressionType::kZstd;
  if (number < 0 || number > static_cast<int>(CompressionType::kZstd)) {
    return Status::InvalidArgument("there is no compression type " + std::to_string(number));
  }
  return static_cast<CompressionType>(number);
}

OptionValues Sanitized(OptionValues values) {
  constexpr size_t kWriteBufferMin = 64 << 10;
  values.write_buffer_size = std::max(values.write_buffer_size, kWriteBufferMin);
  values.max_write_buffer_number = std::max(values.max_write_buffer_number, 2);
  const bool one_level = values.compaction_style == kFifo || values.compaction_style == kUniversal;
  values.num_levels = std::max(values.num_levels, one_level ? 1 : 2);
  values.level0_file_num_compaction_trigger =
      std::max(values.level0_file_num_compaction_trigger, 1);
  values.level0_slowdown_writes_trigger =
      std::max(values.level0_slowdown_writes_trigger, values.level0_file_num_compaction_trigger);
  values.level0_stop_writes_trigger =
      std::max(values.level0_stop_writes_trigger, values.level0_slowdown_writes_trigger);
  if (values.hard_pending_compaction_bytes_limit > 0) {
    values.soft_pending_compaction_bytes_limit =
        values.soft_pending_compaction_bytes_limit == 0
            ? values.hard_pending_compaction_bytes_limit
            : std::min(values.soft_pending_compaction_bytes_limit,
                       values.hard_pending_compaction_bytes_limit);
  }
  values.max_subcompactions = std::max(values.max_subcompactions, uint32_t{1});
  // The older pair replaces max_background_jobs where one of it is set.
  if (values.max_background_compactions != -1 || values.max_background_flushes != -1) {
    values.max_background_jobs =
        std::max(values.max_background_compactions, 1) + std::max(values.max_background_flushes, 1);
  }
  constexpr int kJobsMax = 256;
  values.max_background_jobs = std::clamp(values.max_background_jobs, 1, kJobsMax);
  constexpr int kOpenFilesMin = 20;
  if (values.max_open_files != -1) {
    values.max_open_files = std::max(values.max_open_files, kOpenFilesMin);
  }
  return values;
}

Status ToEngine(const rocksdb_options_t& options, const std::string& path, Options* out) {
  RETURN_IF_ERROR(CheckRefused(options));
  RETURN_IF_ERROR(CheckWalDirectory(options.wal_dir, path));
  out->env = options.env;
  out->source = OptionSource::kCaller;
  RETURN_IF_ERROR(SetPlainValues(Sanitized(options.values), out));
  if (options.compaction_readahead_size > 0) {
    out->compaction_readahead_size = options.compaction_readahead_size;
  }
  if (options.values.keep_log_file_num == 0) {
    return Status::InvalidArgument("keep_log_file_num must be greater than 0");
  }
  const int mode = options.values.wal_recovery_mode;
  if (mode < 0 || mode > static_cast<int>(WalRecoveryMode::kSkipAnyCorrupted)) {
    return Status::InvalidArgument("there is no WAL recovery mode " + std::to_string(mode));
  }
  out->wal_recovery_mode = static_cast<WalRecoveryMode>(mode);
  // RocksDB opens with what these leave; the engine keeps the damaged log in lost/.
  out->accept_loss = out->wal_recovery_mode == WalRecoveryMode::kPointInTime ||
                     out->wal_recovery_mode == WalRecoveryMode::kSkipAnyCorrupted;
  out->allow_2pc = options.allow_2pc;
  out->db_paths = options.db_paths;
  const TableValues table = options.table.value_or(DefaultTable());
  if (table.block_cache != nullptr) out->block_cache = table.block_cache->blocks;
  if (table.no_block_cache) {
    out->block_cache = nullptr;
    out->block_cache_bytes = 0;
  }
  return SetFamily(options, &out->family);
}

Result<ColumnFamilyOptions> FamilyToEngine(const rocksdb_options_t& options) {
  RETURN_IF_ERROR(CheckRefused(options));
  Options out;
  RETURN_IF_ERROR(SetPlainValues(Sanitized(options.values), &out));
  RETURN_IF_ERROR(SetFamily(options, &out.family));
  return out.family;
}

}  // namespace varve::c
