// SPDX-License-Identifier: Apache-2.0
// Options that are objects, lists or whole table formats.
#include "core/c/cache.h"
#include "core/c/callbacks.h"
#include "core/c/interface.h"
#include "core/c/logger.h"
#include "core/c/option_handles.h"

using varve::c::TableValues;

namespace varve::c {
namespace {

void UseForMemtables(uint64_t bytes, OptionValues* values) {
  values->write_buffer_size = bytes / 4;
  values->min_write_buffer_number_to_merge = 2;
  values->max_write_buffer_number = 6;
}

}  // namespace
}  // namespace varve::c

extern "C" {

// --- what the engine has

void rocksdb_options_set_comparator(rocksdb_options_t* options, rocksdb_comparator_t* comparator) {
  options->comparator = comparator;
}

void rocksdb_options_set_merge_operator(rocksdb_options_t* options,
                                        rocksdb_mergeoperator_t* merge_operator) {
  options->merge_operator.reset(merge_operator);
}

void rocksdb_options_set_uint64add_merge_operator(rocksdb_options_t* options) {
  // Lives as long as the process.
  options->merge_operator = std::shared_ptr<const varve::MergeOperator>(
      std::shared_ptr<void>(), varve::MergeOperatorByName("uint64add"));
}

void rocksdb_options_set_prefix_extractor(rocksdb_options_t* options,
                                          rocksdb_slicetransform_t* prefix_extractor) {
  options->prefix_extractor.reset();
  if (prefix_extractor == nullptr) return;
  options->prefix_extractor = prefix_extractor->transform;
  delete prefix_extractor;  // The options own it.
}

void rocksdb_options_set_block_based_table_factory(
    rocksdb_options_t* options, rocksdb_block_based_table_options_t* table_options) {
  if (table_options != nullptr) options->table = table_options->values;
}

void rocksdb_options_set_universal_compaction_options(
    rocksdb_options_t* options, rocksdb_universal_compaction_options_t* universal) {
  if (universal != nullptr) options->universal = *universal;
}

void rocksdb_options_set_fifo_compaction_options(rocksdb_options_t* options,
                                                 rocksdb_fifo_compaction_options_t* fifo) {
  if (fifo != nullptr) options->fifo = *fifo;
}

void rocksdb_options_set_env(rocksdb_options_t* options, rocksdb_env_t* env) {
  options->env = env == nullptr ? varve::Environment{} : env->env;
}

// The engine's files are all in the directory of the database.
void rocksdb_options_set_wal_dir(rocksdb_options_t* options, const char* directory) {
  options->wal_dir = directory == nullptr ? "" : directory;
}

void rocksdb_options_set_info_log(rocksdb_options_t* options, rocksdb_logger_t* log) {
  if (log != nullptr) options->logger = log->rep;
}

void rocksdb_options_set_db_log_dir(rocksdb_options_t* options, const char* directory) {
  options->db_log_dir = directory == nullptr ? "" : directory;
}

void rocksdb_options_set_compaction_filter(rocksdb_options_t* options,
                                           rocksdb_compactionfilter_t* filter) {
  options->compaction_filters = varve::c::FactoryOf(filter);
}

void rocksdb_options_set_compaction_filter_factory(rocksdb_options_t* options,
                                                   rocksdb_compactionfilterfactory_t* factory) {
  options->compaction_filter_factory.reset(factory);
}

rocksdb_dbpath_t* rocksdb_dbpath_create(const char* path, uint64_t target_size) {
  return new rocksdb_dbpath_t{{path, target_size}};
}
void rocksdb_dbpath_destroy(rocksdb_dbpath_t* path) { delete path; }

void rocksdb_options_set_db_paths(rocksdb_options_t* options, const rocksdb_dbpath_t** paths,
                                  size_t num_paths) {
  options->db_paths.clear();
  for (size_t i = 0; i < num_paths; ++i) options->db_paths.push_back(paths[i]->path);
}

// --- hints: the engine's memtables, tables and log serve every program alike

void rocksdb_options_set_max_bytes_for_level_multiplier_additional(rocksdb_options_t* /*options*/,
                                                                   int* /*levels*/,
                                                                   size_t /*num_levels*/) {}

void rocksdb_options_set_memtable_vector_rep(rocksdb_options_t* /*options*/) {}

void rocksdb_options_set_hash_skip_list_rep(rocksdb_options_t* /*options*/, size_t /*buckets*/,
                                            int32_t /*height*/, int32_t /*branching*/) {}

void rocksdb_options_set_hash_link_list_rep(rocksdb_options_t* /*options*/, size_t /*buckets*/) {}

void rocksdb_options_set_cuckoo_table_factory(
    rocksdb_options_t* /*options*/, struct rocksdb_cuckoo_table_options_t* /*table_options*/) {}

void rocksdb_options_set_ratelimiter(rocksdb_options_t* /*options*/,
                                     struct rocksdb_ratelimiter_t* /*limiter*/) {}

void rocksdb_options_set_row_cache(rocksdb_options_t* /*options*/, rocksdb_cache_t* /*cache*/) {}

void rocksdb_options_set_blob_cache(rocksdb_options_t* /*options*/, rocksdb_cache_t* /*cache*/) {}

void rocksdb_options_set_dump_malloc_stats(rocksdb_options_t* options, unsigned char dump) {
  options->values.dump_malloc_stats = dump != 0;
}

void rocksdb_options_set_memtable_whole_key_filtering(rocksdb_options_t* options,
                                                      unsigned char filter) {
  options->values.memtable_whole_key_filtering = filter != 0;
}

void rocksdb_options_add_compact_on_deletion_collector_factory(rocksdb_options_t* /*options*/,
                                                               size_t /*window_size*/,
                                                               size_t /*num_dels_trigger*/) {}

// --- several options at once, as RocksDB's functions of these names set them

void rocksdb_options_increase_parallelism(rocksdb_options_t* options, int total_threads) {
  options->values.max_background_jobs = total_threads;
}

void rocksdb_options_optimize_for_point_lookup(rocksdb_options_t* options,
                                               uint64_t block_cache_size_mb) {
  TableValues& table = options->table.emplace(varve::c::DefaultTable());
  table.data_block_index_type = 1;
  table.data_block_hash_ratio = 0.75;
  table.filter_policy = std::make_shared<varve::c::FilterPolicy>(
      varve::c::FilterPolicy{varve::FilterKind::kBloom, 10});
  table.block_cache = varve::c::NewCache(block_cache_size_mb << 20);
  options->values.memtable_prefix_bloom_size_ratio = 0.02;
}

void rocksdb_options_optimize_level_style_compaction(rocksdb_options_t* options,
                                                     uint64_t memtable_memory_budget) {
  varve::c::OptionValues& values = options->values;
  varve::c::UseForMemtables(memtable_memory_budget, &values);
  values.level0_file_num_compaction_trigger = 2;
  values.target_file_size_base = memtable_memory_budget / 8;
  values.max_bytes_for_level_base = memtable_memory_budget;
  values.compaction_style = 0;
  constexpr int kLz4 = 4;
  options->compression_per_level.assign(static_cast<size_t>(values.num_levels), kLz4);
  for (size_t i = 0; i < 2 && i < options->compression_per_level.size(); ++i) {
    options->compression_per_level[i] = 0;
  }
}

void rocksdb_options_optimize_universal_style_compaction(rocksdb_options_t* options,
                                                         uint64_t memtable_memory_budget) {
  varve::c::UseForMemtables(memtable_memory_budget, &options->values);
  options->values.compaction_style = 1;
  options->universal.compression_size_percent = 80;
}

void rocksdb_options_prepare_for_bulk_load(rocksdb_options_t* options) {
  varve::c::OptionValues& values = options->values;
  constexpr int kNever = 1 << 30;
  values.level0_file_num_compaction_trigger = kNever;
  values.level0_slowdown_writes_trigger = kNever;
  values.level0_stop_writes_trigger = kNever;
  values.soft_pending_compaction_bytes_limit = 0;
  values.hard_pending_compaction_bytes_limit = 0;
  values.disable_auto_compactions = true;
  values.max_compaction_bytes = uint64_t{1} << 60;
  values.num_levels = 2;
  values.max_write_buffer_number = 6;
  values.min_write_buffer_number_to_merge = 1;
  values.max_background_flushes = 4;
  values.max_background_compactions = 2;
  values.target_file_size_base = 256 << 20;
}

}  // extern "C"
