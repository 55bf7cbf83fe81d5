// SPDX-License-Identifier: Apache-2.0
// The options of writes, flushes, compactions and ingestions, and those of two compaction styles.
#include "core/c/handle_functions.h"
#include "core/c/option_handles.h"

extern "C" {

VARVE_C_LIFE(writeoptions)
VARVE_C_PAIR(writeoptions, sync, unsigned char)
VARVE_C_PAIR(writeoptions, ignore_missing_column_families, unsigned char)
VARVE_C_PAIR(writeoptions, no_slowdown, unsigned char)
VARVE_C_PAIR(writeoptions, low_pri, unsigned char)                         // A hint.
VARVE_C_PAIR(writeoptions, memtable_insert_hint_per_batch, unsigned char)  // A hint.
void rocksdb_writeoptions_disable_WAL(rocksdb_writeoptions_t* options, int disable) {
  options->disable_WAL = disable != 0;
}
unsigned char rocksdb_writeoptions_get_disable_WAL(rocksdb_writeoptions_t* options) {
  return options->disable_WAL;
}

VARVE_C_LIFE(flushoptions)
VARVE_C_PAIR(flushoptions, wait, unsigned char)

VARVE_C_LIFE(compactoptions)
VARVE_C_PAIR(compactoptions, bottommost_level_compaction, unsigned char)
VARVE_C_PAIR(compactoptions, exclusive_manual_compaction, unsigned char)  // A hint.
VARVE_C_PAIR(compactoptions, change_level, unsigned char)                 // A hint.
VARVE_C_PAIR(compactoptions, target_level, int)                           // A hint.
void rocksdb_compactoptions_set_full_history_ts_low(rocksdb_compactoptions_t* options,
                                                    char* timestamp, size_t size) {
  options->full_history_ts_low.reset();
  if (timestamp != nullptr) options->full_history_ts_low.emplace(timestamp, size);
}

VARVE_C_LIFE(ingestexternalfileoptions)
VARVE_C_SETTER(ingestexternalfileoptions, move_files, unsigned char)
VARVE_C_SETTER(ingestexternalfileoptions, allow_global_seqno, unsigned char)
VARVE_C_SETTER(ingestexternalfileoptions, ingest_behind, unsigned char)
VARVE_C_SETTER(ingestexternalfileoptions, snapshot_consistency, unsigned char)  // A hint.
VARVE_C_SETTER(ingestexternalfileoptions, allow_blocking_flush, unsigned char)  // A hint.

VARVE_C_LIFE(universal_compaction_options)
VARVE_C_PAIR(universal_compaction_options, size_ratio, int)
VARVE_C_PAIR(universal_compaction_options, min_merge_width, int)
VARVE_C_PAIR(universal_compaction_options, max_merge_width, int)
VARVE_C_PAIR(universal_compaction_options, max_size_amplification_percent, int)
VARVE_C_PAIR(universal_compaction_options, compression_size_percent, int)
VARVE_C_PAIR(universal_compaction_options, stop_style, int)

VARVE_C_LIFE(fifo_compaction_options)
VARVE_C_PAIR(fifo_compaction_options, max_table_files_size, uint64_t)

}  // extern "C"
