// SPDX-License-Identifier: Apache-2.0
// Plain values that only c.h of 11.8.1 has: a macro for each handle, a row for each pair
// rocksdb_HANDLE_set_NAME and rocksdb_HANDLE_get_NAME, as in option_rows.h:
//
//   KIND(NAME, type, RocksDB's default)
//
//   OWN      has a meaning, which options_to_engine.cc gives it
//   HINT     kept for its getter; changes no answer
//   REFUSED  what is done with the options fails if it is not the default
//
// Handles that both libraries have keep these values also in the one whose c.h lacks them.
#pragma once

// clang-format off
#define VARVE_C_ELEVEN_OPTIONS(HINT, REFUSED) \
  HINT(open_files_async, unsigned char, false) \
  HINT(ttl, uint64_t, UINT64_MAX - 1) \
  HINT(periodic_compaction_seconds, uint64_t, UINT64_MAX - 1) \
  HINT(memtable_op_scan_flush_trigger, uint32_t, 0) \
  HINT(memtable_avg_op_scan_flush_trigger, uint32_t, 0) \
  HINT(min_tombstones_for_range_conversion, uint32_t, 0) \
  HINT(read_triggered_compaction_threshold, double, 0.0) \
  HINT(max_compaction_trigger_wakeup_seconds, uint64_t, 43200) \
  HINT(write_dbid_to_manifest, unsigned char, true) \
  HINT(write_identity_file, unsigned char, true) \
  HINT(track_and_verify_wals_in_manifest, unsigned char, false) \
  HINT(compaction_pri, int, 3) \
  HINT(flush_verify_memtable_count, unsigned char, true) \
  HINT(compaction_verify_record_count, unsigned char, true) \
  HINT(track_and_verify_wals, unsigned char, false) \
  HINT(verify_sst_unique_id_in_manifest, unsigned char, true) \
  HINT(read_io_executor_threads, int, 1) \
  HINT(async_wal_precreate, unsigned char, false) \
  HINT(verify_manifest_content_on_close, unsigned char, false) \
  HINT(optimize_manifest_for_recovery, unsigned char, false) \
  HINT(reuse_manifest_on_open, unsigned char, false) \
  HINT(max_manifest_space_amp_pct, int, 500) \
  HINT(use_direct_io_for_compaction_reads, unsigned char, false) \
  HINT(allow_fallocate, unsigned char, true) \
  HINT(persist_stats_to_disk, unsigned char, false) \
  HINT(stats_history_buffer_size, size_t, 1048576) \
  HINT(strict_bytes_per_sync, unsigned char, false) \
  HINT(enable_thread_tracking, unsigned char, false) \
  HINT(delayed_write_rate, uint64_t, 0) \
  HINT(max_write_batch_group_size_bytes, uint64_t, 1048576) \
  HINT(write_thread_max_yield_usec, uint64_t, 100) \
  HINT(write_thread_slow_yield_usec, uint64_t, 3) \
  HINT(avoid_flush_during_recovery, unsigned char, false) \
  HINT(enforce_write_buffer_manager_during_recovery, unsigned char, true) \
  HINT(avoid_flush_during_shutdown, unsigned char, false) \
  HINT(two_write_queues, unsigned char, false) \
  HINT(background_close_inactive_wals, unsigned char, false) \
  HINT(prefix_seek_opt_in_only, unsigned char, false) \
  HINT(log_readahead_size, size_t, 0) \
  REFUSED(best_efforts_recovery, unsigned char, false) \
  HINT(max_bgerror_resume_count, int, 2147483647) \
  HINT(bgerror_resume_retry_interval, uint64_t, 1000000) \
  HINT(allow_data_in_errors, unsigned char, false) \
  HINT(lowest_used_cache_tier, int, 2) \
  HINT(enforce_single_del_contracts, unsigned char, true) \
  HINT(follower_refresh_catchup_period_ms, uint64_t, 10000) \
  HINT(follower_catchup_retry_count, uint64_t, 10) \
  HINT(follower_catchup_retry_wait_ms, uint64_t, 100) \
  HINT(metadata_write_temperature, int, 0) \
  HINT(wal_write_temperature, int, 0) \
  HINT(fast_sst_open, unsigned char, false) \
  HINT(target_file_size_is_upper_bound, unsigned char, false) \
  HINT(strict_max_successive_merges, unsigned char, false) \
  HINT(paranoid_file_checks, unsigned char, false) \
  HINT(verify_output_flags, int, 0) \
  HINT(force_consistency_checks, unsigned char, true) \
  REFUSED(disallow_memtable_writes, unsigned char, false) \
  HINT(sample_for_compression, uint64_t, 0) \
  HINT(last_level_temperature, int, 0) \
  HINT(default_write_temperature, int, 0) \
  HINT(default_temperature, int, 0) \
  HINT(preclude_last_level_data_seconds, uint64_t, 0) \
  HINT(preserve_internal_time_seconds, uint64_t, 0) \
  HINT(enable_blob_direct_write, unsigned char, false) \
  HINT(blob_direct_write_partitions, uint32_t, 1) \
  HINT(memtable_protection_bytes_per_key, uint32_t, 0) \
  REFUSED(persist_user_defined_timestamps, unsigned char, true) \
  HINT(bottommost_file_compaction_delay, uint32_t, 0) \
  HINT(paranoid_memory_checks, unsigned char, false) \
  HINT(memtable_verify_per_key_checksum_on_seek, unsigned char, false) \
  HINT(cf_allow_ingest_behind, unsigned char, false) \
  HINT(memtable_batch_lookup_optimization, unsigned char, false) \
  HINT(memtable_max_range_deletions, uint32_t, 0) \
  HINT(uncache_aggressiveness, uint32_t, 0)

#define VARVE_C_ELEVEN_READOPTIONS(HINT, REFUSED) \
  HINT(rate_limiter_priority, int, 4) \
  REFUSED(value_size_soft_limit, uint64_t, UINT64_MAX) \
  HINT(async_io, unsigned char, false) \
  HINT(optimize_multiget_for_io, unsigned char, true) \
  HINT(auto_prefix_mode, unsigned char, false) \
  HINT(adaptive_readahead, unsigned char, false) \
  HINT(auto_readahead_size, unsigned char, true) \
  HINT(allow_unprepared_value, unsigned char, false) \
  HINT(auto_refresh_iterator_with_snapshot, unsigned char, false) \
  HINT(io_activity, int, 255)

#define VARVE_C_ELEVEN_WRITEOPTIONS(HINT, REFUSED) \
  HINT(rate_limiter_priority, int, 4) \
  HINT(protection_bytes_per_key, size_t, 0) \
  HINT(io_activity, int, 255)

#define VARVE_C_ELEVEN_FLUSHOPTIONS(HINT, REFUSED) \
  HINT(allow_write_stall, unsigned char, false) \
  REFUSED(force_atomic_flush, unsigned char, false) \
  HINT(listener_wait, unsigned char, false)

#define VARVE_C_ELEVEN_COMPACTOPTIONS(HINT, REFUSED) \
  HINT(target_path_id, int, 0) \
  HINT(allow_write_stall, unsigned char, false) \
  HINT(max_subcompactions, int, 0) \
  HINT(blob_garbage_collection_policy, int, 2) \
  HINT(blob_garbage_collection_age_cutoff, double, -1.0)

#define VARVE_C_ELEVEN_INGESTEXTERNALFILEOPTIONS(HINT, REFUSED) \
  REFUSED(fail_if_not_bottommost_level, unsigned char, false) \
  HINT(link_files, unsigned char, false) \
  HINT(failed_move_fall_back_to_copy, unsigned char, true) \
  HINT(write_global_seqno, unsigned char, false) \
  HINT(verify_checksums_before_ingest, unsigned char, false) \
  HINT(verify_checksums_readahead_size, size_t, 0) \
  HINT(verify_file_checksum, unsigned char, true) \
  REFUSED(allow_db_generated_files, unsigned char, false) \
  HINT(fill_cache, unsigned char, true) \
  HINT(prefetch_lmax_index_and_filter_blocks, unsigned char, true) \
  HINT(file_opening_threads, int, 1)

#define VARVE_C_ELEVEN_BLOCK_BASED_OPTIONS(OWN, HINT, REFUSED) \
  HINT(index_block_search_type, int, 0) \
  OWN(decouple_partitioned_filters, unsigned char, true) \
  HINT(optimize_filters_for_memory, unsigned char, true) \
  REFUSED(use_udi_as_primary_index, unsigned char, false) \
  HINT(fail_if_no_udi_on_open, unsigned char, false) \
  HINT(detect_filter_construct_corruption, unsigned char, false) \
  HINT(verify_compression, unsigned char, false) \
  HINT(read_amp_bytes_per_bit, uint32_t, 0) \
  HINT(separate_key_value_in_data_block, unsigned char, false) \
  HINT(uniform_cv_threshold, double, -1.0) \
  HINT(enable_index_compression, unsigned char, true) \
  HINT(block_align, unsigned char, false) \
  HINT(super_block_alignment_size, size_t, 0) \
  HINT(super_block_alignment_space_overhead_ratio, size_t, 128) \
  HINT(index_shortening, int, 1) \
  HINT(max_auto_readahead_size, size_t, 262144) \
  HINT(prepopulate_block_cache, int, 0) \
  HINT(initial_auto_readahead_size, size_t, 8192) \
  HINT(num_file_reads_for_auto_readahead, uint64_t, 2)

#define VARVE_C_ELEVEN_UNIVERSAL_COMPACTION_OPTIONS(OWN, HINT, REFUSED) \
  HINT(max_read_amp, int, -1) \
  OWN(allow_trivial_move, unsigned char, false) \
  REFUSED(incremental, unsigned char, false) \
  HINT(reduce_file_locking, unsigned char, true)

#define VARVE_C_ELEVEN_FIFO_COMPACTION_OPTIONS(HINT, REFUSED) \
  HINT(allow_compaction, unsigned char, false) \
  REFUSED(max_data_files_size, uint64_t, 0) \
  HINT(use_kv_ratio_compaction, unsigned char, false) \
  HINT(age_for_warm, uint64_t, 0) \
  HINT(allow_trivial_copy_when_change_temperature, unsigned char, false) \
  HINT(trivial_copy_buffer_size, uint64_t, 4096)

#define VARVE_C_ELEVEN_BACKUP_ENGINE_OPTIONS(HINT, REFUSED) \
  HINT(io_buffer_size, uint64_t, 0) \
  HINT(share_files_with_checksum, unsigned char, true) \
  HINT(schema_version, int, 1) \
  HINT(current_temperatures_override_manifest, unsigned char, false)

#define VARVE_C_ELEVEN_RESTORE_OPTIONS(HINT, REFUSED) \
  HINT(mode, int, 65535)

#define VARVE_C_ELEVEN_TRANSACTIONDB_OPTIONS(HINT, REFUSED) \
  HINT(max_num_deadlocks, uint32_t, 5) \
  REFUSED(write_policy, int, 0) \
  HINT(rollback_merge_operands, unsigned char, false) \
  HINT(use_per_key_point_lock_mgr, unsigned char, false) \
  REFUSED(skip_concurrency_control, unsigned char, false) \
  HINT(default_write_batch_flush_threshold, int64_t, 0) \
  HINT(enable_udt_validation, unsigned char, true) \
  HINT(txn_commit_bypass_memtable_threshold, uint32_t, UINT32_MAX)

#define VARVE_C_ELEVEN_TRANSACTION_OPTIONS(HINT, REFUSED) \
  HINT(use_only_the_last_commit_time_batch_for_recovery, unsigned char, false) \
  HINT(deadlock_timeout_us, int64_t, 500) \
  REFUSED(skip_concurrency_control, unsigned char, false) \
  HINT(write_batch_flush_threshold, int64_t, -1) \
  HINT(write_batch_track_timestamp_size, unsigned char, false) \
  HINT(commit_bypass_memtable, unsigned char, false) \
  HINT(large_txn_commit_optimize_threshold, uint32_t, 0) \
  HINT(large_txn_commit_optimize_byte_threshold, uint64_t, 0)

#define VARVE_C_ELEVEN_ENVOPTIONS(HINT, REFUSED) \
  HINT(use_mmap_reads, unsigned char, false) \
  HINT(use_mmap_writes, unsigned char, false) \
  HINT(use_direct_reads, unsigned char, false) \
  HINT(use_direct_writes, unsigned char, false) \
  HINT(allow_fallocate, unsigned char, true) \
  HINT(fd_cloexec, unsigned char, true) \
  HINT(bytes_per_sync, uint64_t, 0) \
  HINT(strict_bytes_per_sync, unsigned char, false) \
  HINT(fallocate_with_keep_size, unsigned char, true) \
  HINT(compaction_readahead_size, size_t, 2097152) \
  HINT(writable_file_max_buffer_size, size_t, 1048576)

#define VARVE_C_ELEVEN_WAL_READOPTIONS(HINT, REFUSED) \
  HINT(verify_checksums, unsigned char, true)

#define VARVE_C_ELEVEN_REPLAY_OPTIONS(HINT, REFUSED) \
  HINT(num_threads, uint32_t, 1) \
  HINT(fast_forward, double, 1.0)

#define VARVE_C_ELEVEN_IMPORT_COLUMN_FAMILY_OPTIONS(HINT, REFUSED) \
  HINT(move_files, unsigned char, false)

#define VARVE_C_ELEVEN_WAIT_FOR_COMPACT_OPTIONS(HINT, REFUSED) \
  HINT(abort_on_pause, unsigned char, false) \
  HINT(flush, unsigned char, false) \
  HINT(close_db, unsigned char, false) \
  HINT(timeout, uint64_t, 0) \
  HINT(wait_for_purge, unsigned char, false)

#define VARVE_C_ELEVEN_OPEN_AND_COMPACT_OPTIONS(HINT, REFUSED) \
  HINT(allow_resumption, unsigned char, false)

#define VARVE_C_ELEVEN_FLUSHWALOPTIONS(HINT, REFUSED) \
  HINT(sync, unsigned char, false) \
  HINT(rate_limiter_priority, int, 4)

#define VARVE_C_ELEVEN_TRACE_OPTIONS(HINT, REFUSED) \
  HINT(max_trace_file_size, uint64_t, uint64_t{68719476736}) \
  HINT(sampling_frequency, uint64_t, 1) \
  HINT(filter, uint64_t, 0) \
  HINT(preserve_write_order, unsigned char, false)

#define VARVE_C_ELEVEN_BLOCK_CACHE_TRACE_OPTIONS(HINT, REFUSED) \
  HINT(sampling_frequency, uint64_t, 1)

#define VARVE_C_ELEVEN_BLOCK_CACHE_TRACE_WRITER_OPTIONS(HINT, REFUSED) \
  HINT(max_trace_file_size, uint64_t, uint64_t{68719476736})

#define VARVE_C_ELEVEN_COMPACTION_OPTIONS(OWN, HINT) \
  OWN(compression, int, 255) \
  OWN(output_file_size_limit, uint64_t, UINT64_MAX) \
  OWN(max_subcompactions, uint32_t, 0) \
  HINT(output_temperature_override, int, 0) \
  OWN(allow_trivial_move, unsigned char, false)

#define VARVE_C_ELEVEN_SIZE_APPROXIMATION_OPTIONS(HINT, REFUSED) \
  HINT(include_memtables, unsigned char, false) \
  HINT(include_files, unsigned char, true) \
  HINT(include_blob_files, unsigned char, false) \
  HINT(files_size_error_margin, double, -1.0)

#define VARVE_C_ELEVEN_LIVEFILES_STORAGE_INFO_OPTIONS(HINT, REFUSED) \
  HINT(include_checksum_info, unsigned char, false) \
  HINT(wal_size_for_flush, uint64_t, 0) \
  HINT(atomic_flush, unsigned char, false)

#define VARVE_C_ELEVEN_COLUMN_FAMILY_METADATA_OPTIONS(HINT, REFUSED) \
  HINT(level, int, -1)

#define VARVE_C_ELEVEN_CREATE_BACKUP_OPTIONS(HINT, REFUSED) \
  HINT(decrease_background_thread_cpu_priority, unsigned char, false) \
  HINT(background_thread_cpu_priority, int, 2) \
  HINT(flush_before_backup, unsigned char, false) \
  HINT(atomic_flush, unsigned char, false)

#define VARVE_C_ELEVEN_OPTIMISTICTRANSACTIONDB_OPTIONS(HINT, REFUSED) \
  HINT(validate_policy, int, 1) \
  HINT(occ_lock_buckets, uint32_t, 1048576)

// clang-format on
