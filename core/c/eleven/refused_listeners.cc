// SPDX-License-Identifier: Apache-2.0
// Refused: what event listeners are told of jobs, tables and stalls. No database is opened with a
// listener, so no handle gets here but of the statistics of a compaction of chosen files, of which
// these are not known (job_info.cc has the others).
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/c/eleven/handles.h"
#include "core/c/eleven/nothing.h"
#include "core/c/error.h"

struct rocksdb_blob_file_addition_info_t;
struct rocksdb_compaction_job_stats_t;
struct rocksdb_compactionjobinfo_t;
struct rocksdb_externalfileingestioninfo_t;
struct rocksdb_flushjobinfo_t;
struct rocksdb_memtableinfo_t;
struct rocksdb_status_ptr_t;
struct rocksdb_subcompactionjobinfo_t;
struct rocksdb_t;
struct rocksdb_table_properties_t;
struct rocksdb_writestallcondition_t;
struct rocksdb_writestallinfo_t;

// c.h has these types in the open.
struct rocksdb_eventlistener_t {
  void* state;
  void (*destructor)(void*);
};

extern "C" {

// --- refused when a database is opened

rocksdb_eventlistener_t* rocksdb_eventlistener_create(
    void* state, void (*destructor)(void*),
    void (*)(void*, rocksdb_t*, const rocksdb_flushjobinfo_t*),
    void (*)(void*, rocksdb_t*, const rocksdb_flushjobinfo_t*),
    void (*)(void*, rocksdb_t*, const rocksdb_compactionjobinfo_t*),
    void (*)(void*, rocksdb_t*, const rocksdb_compactionjobinfo_t*),
    void (*)(void*, const rocksdb_subcompactionjobinfo_t*),
    void (*)(void*, const rocksdb_subcompactionjobinfo_t*),
    void (*)(void*, rocksdb_t*, const rocksdb_externalfileingestioninfo_t*),
    void (*)(void*, uint32_t, rocksdb_status_ptr_t*),
    void (*)(void*, const rocksdb_writestallinfo_t*),
    void (*)(void*, const rocksdb_memtableinfo_t*)) {
  return new rocksdb_eventlistener_t{state, destructor};
}
void rocksdb_eventlistener_destroy(rocksdb_eventlistener_t* listener) {
  if (listener != nullptr && listener->destructor != nullptr) {
    listener->destructor(listener->state);
  }
  delete listener;
}
// The options own it, as in RocksDB; they keep none.
void rocksdb_options_add_eventlistener(rocksdb_options_t* options,
                                       rocksdb_eventlistener_t* listener) {
  options->refused.insert(__func__);
  rocksdb_eventlistener_destroy(listener);
}

// --- the rest

VARVE_C_NOTHING(uint32_t, rocksdb_flushjobinfo_cf_id, const rocksdb_flushjobinfo_t*)
VARVE_C_NO_TEXT(rocksdb_flushjobinfo_cf_name, const rocksdb_flushjobinfo_t*)
VARVE_C_NO_TEXT(rocksdb_flushjobinfo_file_path, const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_flushjobinfo_file_number, const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_flushjobinfo_oldest_blob_file_number,
                const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_flushjobinfo_thread_id, const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(int, rocksdb_flushjobinfo_job_id, const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(unsigned char, rocksdb_flushjobinfo_triggered_writes_slowdown,
                const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(unsigned char, rocksdb_flushjobinfo_triggered_writes_stop,
                const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_flushjobinfo_smallest_seqno, const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_flushjobinfo_largest_seqno, const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(uint32_t, rocksdb_flushjobinfo_flush_reason, const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(uint32_t, rocksdb_flushjobinfo_blob_compression_type, const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(uint32_t, rocksdb_subcompactionjobinfo_cf_id, const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NO_TEXT(rocksdb_subcompactionjobinfo_cf_name, const rocksdb_subcompactionjobinfo_t*)
void rocksdb_subcompactionjobinfo_status(const rocksdb_subcompactionjobinfo_t* /*info*/,
                                         char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
VARVE_C_NOTHING(uint64_t, rocksdb_subcompactionjobinfo_thread_id,
                const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NOTHING(int, rocksdb_subcompactionjobinfo_job_id, const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NOTHING(int, rocksdb_subcompactionjobinfo_subcompaction_job_id,
                const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NOTHING(int, rocksdb_subcompactionjobinfo_base_input_level,
                const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NOTHING(int, rocksdb_subcompactionjobinfo_output_level,
                const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NOTHING(uint32_t, rocksdb_subcompactionjobinfo_compaction_reason,
                const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NOTHING(uint32_t, rocksdb_subcompactionjobinfo_compression,
                const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NOTHING(uint32_t, rocksdb_subcompactionjobinfo_blob_compression_type,
                const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NO_TEXT(rocksdb_externalfileingestioninfo_cf_name,
                const rocksdb_externalfileingestioninfo_t*)
VARVE_C_NO_TEXT(rocksdb_externalfileingestioninfo_external_file_path,
                const rocksdb_externalfileingestioninfo_t*)
VARVE_C_NO_TEXT(rocksdb_externalfileingestioninfo_internal_file_path,
                const rocksdb_externalfileingestioninfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_externalfileingestioninfo_global_seqno,
                const rocksdb_externalfileingestioninfo_t*)
VARVE_C_NO_TEXT(rocksdb_memtableinfo_cf_name, const rocksdb_memtableinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_memtableinfo_first_seqno, const rocksdb_memtableinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_memtableinfo_earliest_seqno, const rocksdb_memtableinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_memtableinfo_num_entries, const rocksdb_memtableinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_memtableinfo_num_deletes, const rocksdb_memtableinfo_t*)
VARVE_C_NO_TEXT(rocksdb_memtableinfo_newest_udt, const rocksdb_memtableinfo_t*)
VARVE_C_NO_TEXT(rocksdb_writestallinfo_cf_name, const rocksdb_writestallinfo_t*)
VARVE_C_NOTHING(const rocksdb_writestallcondition_t*, rocksdb_writestallinfo_cur,
                const rocksdb_writestallinfo_t*)
VARVE_C_NOTHING(const rocksdb_writestallcondition_t*, rocksdb_writestallinfo_prev,
                const rocksdb_writestallinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_orig_file_number,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_data_size, const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_uncompressed_data_size,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_index_size, const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_index_partitions,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_top_level_index_size,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_index_key_is_user_key,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_index_value_is_delta_encoded,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_udi_is_primary_index,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_filter_size, const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_raw_key_size, const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_raw_value_size,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_num_data_blocks,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_num_data_blocks_compression_rejected,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_num_data_blocks_compression_bypassed,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_num_uniform_blocks,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_num_entries, const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_num_filter_entries,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_num_deletions, const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_num_merge_operands,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_num_range_deletions,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_format_version,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_fixed_key_len, const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_column_family_id,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_creation_time, const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_oldest_key_time,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_newest_key_time,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_file_creation_time,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_slow_compression_estimated_data_size,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_fast_compression_estimated_data_size,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_external_sst_file_global_seqno_offset,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_tail_start_offset,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_user_defined_timestamps_persisted,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_key_largest_seqno,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_key_smallest_seqno,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_data_block_restart_interval,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_index_block_restart_interval,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_table_properties_separate_key_value_in_data_block,
                const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_db_id, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_db_session_id, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_db_host_id, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_column_family_name, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_filter_policy_name, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_comparator_name, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_merge_operator_name, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_prefix_extractor_name, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_property_collectors_names,
                const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_compression_name, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_compression_options, const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_seqno_to_time_mapping, const rocksdb_table_properties_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_cpu_micros,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_num_blobs_read,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(size_t, rocksdb_compaction_job_stats_num_filtered_input_files,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(size_t, rocksdb_compaction_job_stats_num_filtered_input_files_at_output_level,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_total_blob_bytes_read,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_total_skipped_input_bytes,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_num_records_replaced,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_num_expired_deletion_records,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_num_corrupt_keys,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_file_write_nanos,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_file_range_sync_nanos,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_file_fsync_nanos,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_file_prepare_write_nanos,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NO_TEXT(rocksdb_compaction_job_stats_smallest_output_key_prefix,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NO_TEXT(rocksdb_compaction_job_stats_largest_output_key_prefix,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_num_single_del_fallthru,
                const rocksdb_compaction_job_stats_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compaction_job_stats_num_single_del_mismatch,
                const rocksdb_compaction_job_stats_t*)
void rocksdb_reset_status(rocksdb_status_ptr_t* /*status_ptr*/) {}
void rocksdb_status_ptr_get_error(rocksdb_status_ptr_t* /*status*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
VARVE_C_NOTHING(unsigned char, rocksdb_table_properties_has_key_largest_seqno,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(unsigned char, rocksdb_table_properties_has_key_smallest_seqno,
                const rocksdb_table_properties_t*)
VARVE_C_NOTHING(size_t, rocksdb_table_properties_user_collected_properties_count,
                const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_user_collected_properties_key_at,
                const rocksdb_table_properties_t*, size_t)
VARVE_C_NO_TEXT(rocksdb_table_properties_user_collected_properties_value_at,
                const rocksdb_table_properties_t*, size_t)
VARVE_C_NOTHING(size_t, rocksdb_table_properties_readable_properties_count,
                const rocksdb_table_properties_t*)
VARVE_C_NO_TEXT(rocksdb_table_properties_readable_properties_key_at,
                const rocksdb_table_properties_t*, size_t)
VARVE_C_NO_TEXT(rocksdb_table_properties_readable_properties_value_at,
                const rocksdb_table_properties_t*, size_t)
VARVE_C_NOTHING(const rocksdb_table_properties_t*, rocksdb_flushjobinfo_table_properties,
                const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(size_t, rocksdb_flushjobinfo_blob_file_addition_infos_count,
                const rocksdb_flushjobinfo_t*)
VARVE_C_NOTHING(const rocksdb_blob_file_addition_info_t*,
                rocksdb_flushjobinfo_blob_file_addition_info_at, const rocksdb_flushjobinfo_t*,
                size_t)
VARVE_C_NO_TEXT(rocksdb_compactionjobinfo_table_properties_key_at,
                const rocksdb_compactionjobinfo_t*, size_t)
VARVE_C_NOTHING(const rocksdb_table_properties_t*,
                rocksdb_compactionjobinfo_table_properties_value_at,
                const rocksdb_compactionjobinfo_t*, size_t)
VARVE_C_NOTHING(const rocksdb_table_properties_t*,
                rocksdb_compactionjobinfo_table_properties_for_file,
                const rocksdb_compactionjobinfo_t*, const char*, size_t)
VARVE_C_NOTHING(const rocksdb_compaction_job_stats_t*, rocksdb_subcompactionjobinfo_stats,
                const rocksdb_subcompactionjobinfo_t*)
VARVE_C_NOTHING(const rocksdb_table_properties_t*,
                rocksdb_externalfileingestioninfo_table_properties,
                const rocksdb_externalfileingestioninfo_t*)

}  // extern "C"
