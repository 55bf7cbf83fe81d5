// SPDX-License-Identifier: Apache-2.0
// The plain values of rocksdb_options_t: one row for each pair rocksdb_options_set_NAME and
// rocksdb_options_get_NAME of c.h. A row is
//
//   KIND(NAME, type of the setter, type of the getter, RocksDB's default)
//
//   ENGINE   the engine's option of that name (varve/option_table.h) gets the value
//   OWN      has a meaning, which options_to_engine.cc or info_log.cc gives it
//   HINT     kept for its getter; changes no answer
//   REFUSED  opening fails if it is not the default: to ignore it would change answers
//
// functions.tsv says the same for users; tests/c holds both against each other.
#pragma once

// clang-format off
#define VARVE_C_OPTION_ROWS(ENGINE, OWN, HINT, REFUSED)                                     \
  HINT(allow_ingest_behind, unsigned char, unsigned char, false)                            \
  ENGINE(create_if_missing, unsigned char, unsigned char, false)                            \
  ENGINE(create_missing_column_families, unsigned char, unsigned char, false)               \
  ENGINE(error_if_exists, unsigned char, unsigned char, false)                              \
  ENGINE(paranoid_checks, unsigned char, unsigned char, true)                               \
  OWN(info_log_level, int, int, 0)                                                          \
  ENGINE(write_buffer_size, size_t, size_t, 64 << 20)                                       \
  HINT(db_write_buffer_size, size_t, size_t, 0)                                             \
  ENGINE(max_open_files, int, int, -1)                                                      \
  HINT(max_file_opening_threads, int, int, 16)                                              \
  ENGINE(max_total_wal_size, uint64_t, uint64_t, 0)                                         \
  OWN(compression_options_zstd_max_train_bytes, int, int, 0)                                \
  HINT(compression_options_use_zstd_dict_trainer, unsigned char, unsigned char, true)       \
  HINT(compression_options_parallel_threads, int, int, 1)                                   \
  HINT(compression_options_max_dict_buffer_bytes, uint64_t, uint64_t, 0)                    \
  ENGINE(num_levels, int, int, 7)                                                           \
  ENGINE(level0_file_num_compaction_trigger, int, int, 4)                                   \
  ENGINE(level0_slowdown_writes_trigger, int, int, 20)                                      \
  ENGINE(level0_stop_writes_trigger, int, int, 36)                                          \
  ENGINE(target_file_size_base, uint64_t, uint64_t, 64 << 20)                               \
  ENGINE(target_file_size_multiplier, int, int, 1)                                          \
  ENGINE(max_bytes_for_level_base, uint64_t, uint64_t, 256 << 20)                           \
  ENGINE(level_compaction_dynamic_level_bytes, unsigned char, unsigned char, false)         \
  ENGINE(max_bytes_for_level_multiplier, double, double, 10)                                \
  HINT(skip_stats_update_on_db_open, unsigned char, unsigned char, false)                   \
  OWN(enable_blob_files, unsigned char, unsigned char, false)                               \
  OWN(min_blob_size, uint64_t, uint64_t, 0)                                                 \
  OWN(blob_file_size, uint64_t, uint64_t, 256 << 20)                                        \
  OWN(blob_compression_type, int, int, 0)                                                   \
  OWN(enable_blob_gc, unsigned char, unsigned char, false)                                  \
  OWN(blob_gc_age_cutoff, double, double, 0.25)                                             \
  OWN(blob_gc_force_threshold, double, double, 1.0)                                         \
  HINT(blob_compaction_readahead_size, uint64_t, uint64_t, 0)                               \
  OWN(blob_file_starting_level, int, int, 0)                                                \
  HINT(prepopulate_blob_cache, int, int, 0)                                                 \
  ENGINE(max_write_buffer_number, int, int, 2)                                              \
  HINT(min_write_buffer_number_to_merge, int, int, 1)                                       \
  HINT(max_write_buffer_size_to_maintain, int64_t, int64_t, 0)                              \
  HINT(enable_pipelined_write, unsigned char, unsigned char, false)                         \
  HINT(unordered_write, unsigned char, unsigned char, false)                                \
  ENGINE(max_subcompactions, uint32_t, uint32_t, 1)                                         \
  ENGINE(max_background_jobs, int, int, 2)                                                  \
  OWN(max_background_compactions, int, int, -1)                                             \
  OWN(max_background_flushes, int, int, -1)                                                 \
  OWN(max_log_file_size, size_t, size_t, 0)                                                 \
  OWN(log_file_time_to_roll, size_t, size_t, 0)                                             \
  OWN(keep_log_file_num, size_t, size_t, 1000)                                              \
  HINT(recycle_log_file_num, size_t, size_t, 0)                                             \
  ENGINE(soft_pending_compaction_bytes_limit, size_t, size_t, uint64_t{64} << 30)           \
  ENGINE(hard_pending_compaction_bytes_limit, size_t, size_t, uint64_t{256} << 30)          \
  ENGINE(max_manifest_file_size, size_t, size_t, 1 << 30)                                   \
  HINT(table_cache_numshardbits, int, int, 6)                                               \
  HINT(arena_block_size, size_t, size_t, 0)                                                 \
  HINT(use_fsync, int, int, 0)                                                              \
  HINT(WAL_ttl_seconds, uint64_t, uint64_t, 0)                                              \
  HINT(WAL_size_limit_MB, uint64_t, uint64_t, 0)                                            \
  HINT(manifest_preallocation_size, size_t, size_t, 4 << 20)                                \
  HINT(allow_mmap_reads, unsigned char, unsigned char, false)                               \
  HINT(allow_mmap_writes, unsigned char, unsigned char, false)                              \
  ENGINE(use_direct_reads, unsigned char, unsigned char, false)                             \
  ENGINE(use_direct_io_for_flush_and_compaction, unsigned char, unsigned char, false)       \
  HINT(is_fd_close_on_exec, unsigned char, unsigned char, true)                             \
  HINT(stats_dump_period_sec, unsigned int, unsigned int, 600)                              \
  HINT(stats_persist_period_sec, unsigned int, unsigned int, 600)                           \
  HINT(advise_random_on_open, unsigned char, unsigned char, true)                           \
  HINT(use_adaptive_mutex, unsigned char, unsigned char, false)                             \
  HINT(bytes_per_sync, uint64_t, uint64_t, 0)                                               \
  HINT(wal_bytes_per_sync, uint64_t, uint64_t, 0)                                           \
  HINT(writable_file_max_buffer_size, uint64_t, uint64_t, 1 << 20)                          \
  ENGINE(allow_concurrent_memtable_write, unsigned char, unsigned char, true)               \
  HINT(enable_write_thread_adaptive_yield, unsigned char, unsigned char, true)              \
  HINT(max_sequential_skip_in_iterations, uint64_t, uint64_t, 8)                            \
  ENGINE(disable_auto_compactions, int, unsigned char, false)                               \
  HINT(optimize_filters_for_hits, int, unsigned char, false)                                \
  HINT(delete_obsolete_files_period_micros, uint64_t, uint64_t, uint64_t{21600000000})      \
  HINT(memtable_prefix_bloom_size_ratio, double, double, 0)                                 \
  ENGINE(max_compaction_bytes, uint64_t, uint64_t, 0)                                       \
  HINT(memtable_huge_page_size, size_t, size_t, 0)                                          \
  HINT(max_successive_merges, size_t, size_t, 0)                                            \
  HINT(bloom_locality, uint32_t, uint32_t, 0)                                               \
  OWN(inplace_update_support, unsigned char, unsigned char, false)                          \
  HINT(inplace_update_num_locks, size_t, size_t, 10000)                                     \
  HINT(report_bg_io_stats, int, unsigned char, false)                                       \
  HINT(avoid_unnecessary_blocking_io, unsigned char, unsigned char, false)                  \
  HINT(experimental_mempurge_threshold, double, double, 0)                                  \
  OWN(wal_recovery_mode, int, int, 2)                                                       \
  OWN(compression, int, int, 1)                                                             \
  OWN(bottommost_compression, int, int, 255)                                                \
  OWN(compaction_style, int, int, 0)                                                        \
  REFUSED(atomic_flush, unsigned char, unsigned char, false)                                \
  HINT(manual_wal_flush, unsigned char, unsigned char, false)                               \
  HINT(wal_compression, int, int, 0)

// Those that c.h of 11.8.1 has no more: all are hints. (What only that has: eleven_rows.h.)
#define VARVE_C_SEVEN_OPTION_ROWS(HINT)                                          \
  HINT(skip_checking_sst_file_sizes_on_db_open, unsigned char, unsigned char, false) \
  HINT(max_write_buffer_number_to_maintain, int, int, 0)                         \
  HINT(access_hint_on_compaction_start, int, int, 1)
// clang-format on
