// SPDX-License-Identifier: Apache-2.0
// The functions of eleven_rows.h, and getters of values that c.h of 7.8.3 can only set.
#include "core/c/accepted_objects.h"
#include "core/c/eleven/handles.h"
#include "core/c/handle_functions.h"

using TableHandle = rocksdb_block_based_table_options_t;

#define VARVE_C_ELEVEN_GETTER(Handle, Struct, name, Type, member)     \
  Type rocksdb_##Handle##_get_##name(rocksdb_##Struct##_t* options) { \
    return static_cast<Type>(options->member);                        \
  }

extern "C" {

#define VARVE_C_ROW(name, Type, initial)                                     \
  void rocksdb_options_set_##name(rocksdb_options_t* options, Type value) {  \
    options->values.name = static_cast<varve::c::Stored<Type, Type>>(value); \
  }                                                                          \
  VARVE_C_ELEVEN_GETTER(options, options, name, Type, values.name)
VARVE_C_ELEVEN_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial)                                          \
  void rocksdb_block_based_options_set_##name(TableHandle* options, Type value) { \
    options->values.name = static_cast<varve::c::Stored<Type, Type>>(value);      \
  }                                                                               \
  VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, name, Type, values.name)
VARVE_C_ELEVEN_BLOCK_BASED_OPTIONS(VARVE_C_ROW, VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

// --- of handles that both have

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(readoptions, name, Type)
VARVE_C_ELEVEN_READOPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(writeoptions, name, Type)
VARVE_C_ELEVEN_WRITEOPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(flushoptions, name, Type)
VARVE_C_ELEVEN_FLUSHOPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(compactoptions, name, Type)
VARVE_C_ELEVEN_COMPACTOPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(ingestexternalfileoptions, name, Type)
VARVE_C_ELEVEN_INGESTEXTERNALFILEOPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(universal_compaction_options, name, Type)
VARVE_C_ELEVEN_UNIVERSAL_COMPACTION_OPTIONS(VARVE_C_ROW, VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(fifo_compaction_options, name, Type)
VARVE_C_ELEVEN_FIFO_COMPACTION_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(backup_engine_options, name, Type)
VARVE_C_ELEVEN_BACKUP_ENGINE_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(restore_options, name, Type)
VARVE_C_ELEVEN_RESTORE_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(transactiondb_options, name, Type)
VARVE_C_ELEVEN_TRANSACTIONDB_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(transaction_options, name, Type)
VARVE_C_ELEVEN_TRANSACTION_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(envoptions, name, Type)
VARVE_C_ELEVEN_ENVOPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

// --- of handles that only c.h of 11.8.1 has

VARVE_C_LIFE(replay_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(replay_options, name, Type)
VARVE_C_ELEVEN_REPLAY_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(import_column_family_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(import_column_family_options, name, Type)
VARVE_C_ELEVEN_IMPORT_COLUMN_FAMILY_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(wait_for_compact_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(wait_for_compact_options, name, Type)
VARVE_C_ELEVEN_WAIT_FOR_COMPACT_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(open_and_compact_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(open_and_compact_options, name, Type)
VARVE_C_ELEVEN_OPEN_AND_COMPACT_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(flushwaloptions)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(flushwaloptions, name, Type)
VARVE_C_ELEVEN_FLUSHWALOPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(trace_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(trace_options, name, Type)
VARVE_C_ELEVEN_TRACE_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(block_cache_trace_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(block_cache_trace_options, name, Type)
VARVE_C_ELEVEN_BLOCK_CACHE_TRACE_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(block_cache_trace_writer_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(block_cache_trace_writer_options, name, Type)
VARVE_C_ELEVEN_BLOCK_CACHE_TRACE_WRITER_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(compaction_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(compaction_options, name, Type)
VARVE_C_ELEVEN_COMPACTION_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(size_approximation_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(size_approximation_options, name, Type)
VARVE_C_ELEVEN_SIZE_APPROXIMATION_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(livefiles_storage_info_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(livefiles_storage_info_options, name, Type)
VARVE_C_ELEVEN_LIVEFILES_STORAGE_INFO_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(optimistictransactiondb_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(optimistictransactiondb_options, name, Type)
VARVE_C_ELEVEN_OPTIMISTICTRANSACTIONDB_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(wal_readoptions)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(wal_readoptions, name, Type)
VARVE_C_ELEVEN_WAL_READOPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(create_backup_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(create_backup_options, name, Type)
VARVE_C_ELEVEN_CREATE_BACKUP_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

VARVE_C_LIFE(column_family_metadata_options)
#define VARVE_C_ROW(name, Type, initial) VARVE_C_PAIR(column_family_metadata_options, name, Type)
VARVE_C_ELEVEN_COLUMN_FAMILY_METADATA_OPTIONS(VARVE_C_ROW, VARVE_C_ROW)
#undef VARVE_C_ROW

// --- getters

VARVE_C_ELEVEN_GETTER(ingestexternalfileoptions, ingestexternalfileoptions, move_files,
                      unsigned char, move_files)
VARVE_C_ELEVEN_GETTER(ingestexternalfileoptions, ingestexternalfileoptions, snapshot_consistency,
                      unsigned char, snapshot_consistency)
VARVE_C_ELEVEN_GETTER(ingestexternalfileoptions, ingestexternalfileoptions, allow_global_seqno,
                      unsigned char, allow_global_seqno)
VARVE_C_ELEVEN_GETTER(ingestexternalfileoptions, ingestexternalfileoptions, allow_blocking_flush,
                      unsigned char, allow_blocking_flush)
VARVE_C_ELEVEN_GETTER(ingestexternalfileoptions, ingestexternalfileoptions, ingest_behind,
                      unsigned char, ingest_behind)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, cache_index_and_filter_blocks,
                      unsigned char, values.cache_index_and_filter_blocks)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options,
                      cache_index_and_filter_blocks_with_high_priority, unsigned char,
                      values.cache_index_and_filter_blocks_with_high_priority)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options,
                      pin_l0_filter_and_index_blocks_in_cache, unsigned char,
                      values.pin_l0_filter_and_index_blocks_in_cache)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options,
                      pin_top_level_index_and_filter, unsigned char,
                      values.pin_top_level_index_and_filter)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, index_type, int,
                      values.index_type)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, data_block_index_type, int,
                      values.data_block_index_type)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, checksum, int,
                      values.checksum)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, no_block_cache, unsigned char,
                      values.no_block_cache)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, block_size, uint64_t,
                      values.block_size)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, block_size_deviation, int,
                      values.block_size_deviation)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, block_restart_interval, int,
                      values.block_restart_interval)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, index_block_restart_interval,
                      int, values.index_block_restart_interval)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, metadata_block_size, uint64_t,
                      values.metadata_block_size)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, partition_filters,
                      unsigned char, values.partition_filters)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, use_delta_encoding,
                      unsigned char, values.use_delta_encoding)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, whole_key_filtering,
                      unsigned char, values.whole_key_filtering)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options, format_version, uint32_t,
                      values.format_version)
VARVE_C_ELEVEN_GETTER(cuckoo_options, cuckoo_table_options, max_search_depth, uint32_t,
                      max_search_depth)
VARVE_C_ELEVEN_GETTER(cuckoo_options, cuckoo_table_options, cuckoo_block_size, uint32_t,
                      cuckoo_block_size)
VARVE_C_ELEVEN_GETTER(cuckoo_options, cuckoo_table_options, identity_as_first_hash, unsigned char,
                      identity_as_first_hash)
VARVE_C_ELEVEN_GETTER(cuckoo_options, cuckoo_table_options, use_module_hash, unsigned char,
                      use_module_hash)
VARVE_C_ELEVEN_GETTER(restore_options, restore_options, keep_log_files, unsigned char,
                      keep_log_files)
VARVE_C_ELEVEN_GETTER(transactiondb_options, transactiondb_options, max_num_locks, int64_t,
                      max_num_locks)
VARVE_C_ELEVEN_GETTER(transactiondb_options, transactiondb_options, num_stripes, size_t,
                      num_stripes)
VARVE_C_ELEVEN_GETTER(transactiondb_options, transactiondb_options, transaction_lock_timeout,
                      int64_t, transaction_lock_timeout)
VARVE_C_ELEVEN_GETTER(transactiondb_options, transactiondb_options, default_lock_timeout, int64_t,
                      default_lock_timeout)
VARVE_C_ELEVEN_GETTER(transaction_options, transaction_options, set_snapshot, unsigned char,
                      set_snapshot)
VARVE_C_ELEVEN_GETTER(transaction_options, transaction_options, deadlock_detect, unsigned char,
                      deadlock_detect)
VARVE_C_ELEVEN_GETTER(transaction_options, transaction_options, lock_timeout, int64_t, lock_timeout)
VARVE_C_ELEVEN_GETTER(transaction_options, transaction_options, expiration, int64_t, expiration)
VARVE_C_ELEVEN_GETTER(transaction_options, transaction_options, deadlock_detect_depth, int64_t,
                      deadlock_detect_depth)
VARVE_C_ELEVEN_GETTER(transaction_options, transaction_options, max_write_batch_size, size_t,
                      max_write_batch_size)
VARVE_C_ELEVEN_GETTER(transaction_options, transaction_options, skip_prepare, unsigned char,
                      skip_prepare)
VARVE_C_ELEVEN_GETTER(optimistictransaction_options, optimistictransaction_options, set_snapshot,
                      unsigned char, set_snapshot)
VARVE_C_ELEVEN_GETTER(block_based_options, block_based_table_options,
                      data_block_hash_table_util_ratio, double, values.data_block_hash_ratio)
VARVE_C_ELEVEN_GETTER(cuckoo_options, cuckoo_table_options, hash_table_ratio, double,
                      hash_table_ratio)
VARVE_C_ELEVEN_GETTER(options, options, dump_malloc_stats, unsigned char, values.dump_malloc_stats)
VARVE_C_ELEVEN_GETTER(options, options, memtable_whole_key_filtering, unsigned char,
                      values.memtable_whole_key_filtering)
VARVE_C_ELEVEN_GETTER(options, options, allow_2pc, unsigned char, allow_2pc)

// --- setters of values that have another name in c.h of 7.8.3, or none

void rocksdb_block_based_options_set_data_block_hash_table_util_ratio(TableHandle* options,
                                                                      double value) {
  options->values.data_block_hash_ratio = value;
}
void rocksdb_cuckoo_options_set_hash_table_ratio(rocksdb_cuckoo_table_options_t* options,
                                                 double value) {
  options->hash_table_ratio = value;
}
void rocksdb_options_set_block_protection_bytes_per_key(rocksdb_options_t* options, uint8_t value) {
  options->values.block_protection_bytes_per_key = value;
}
uint8_t rocksdb_options_get_block_protection_bytes_per_key(rocksdb_options_t* options) {
  return static_cast<uint8_t>(options->values.block_protection_bytes_per_key);
}
void rocksdb_options_set_allow_2pc(rocksdb_options_t* options, unsigned char value) {
  options->allow_2pc = value != 0;
}

}  // extern "C"

#undef VARVE_C_ELEVEN_GETTER
