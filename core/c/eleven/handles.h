// SPDX-License-Identifier: Apache-2.0
// What stands behind handles of c.h of 11.8.1 that that of 7.8.3 does not have.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/c/backup_engine.h"
#include "core/c/option_handles.h"
#include "core/c/transaction.h"

#define VARVE_C_ELEVEN_HANDLE(Handle, Rows) \
  struct rocksdb_##Handle##_t {             \
    Rows(VARVE_C_MEMBER, VARVE_C_MEMBER)    \
  }

VARVE_C_ELEVEN_HANDLE(replay_options, VARVE_C_ELEVEN_REPLAY_OPTIONS);
VARVE_C_ELEVEN_HANDLE(import_column_family_options, VARVE_C_ELEVEN_IMPORT_COLUMN_FAMILY_OPTIONS);
VARVE_C_ELEVEN_HANDLE(wait_for_compact_options, VARVE_C_ELEVEN_WAIT_FOR_COMPACT_OPTIONS);
VARVE_C_ELEVEN_HANDLE(open_and_compact_options, VARVE_C_ELEVEN_OPEN_AND_COMPACT_OPTIONS);
VARVE_C_ELEVEN_HANDLE(flushwaloptions, VARVE_C_ELEVEN_FLUSHWALOPTIONS);
VARVE_C_ELEVEN_HANDLE(trace_options, VARVE_C_ELEVEN_TRACE_OPTIONS);
VARVE_C_ELEVEN_HANDLE(block_cache_trace_options, VARVE_C_ELEVEN_BLOCK_CACHE_TRACE_OPTIONS);
VARVE_C_ELEVEN_HANDLE(block_cache_trace_writer_options,
                      VARVE_C_ELEVEN_BLOCK_CACHE_TRACE_WRITER_OPTIONS);
VARVE_C_ELEVEN_HANDLE(size_approximation_options, VARVE_C_ELEVEN_SIZE_APPROXIMATION_OPTIONS);
VARVE_C_ELEVEN_HANDLE(livefiles_storage_info_options,
                      VARVE_C_ELEVEN_LIVEFILES_STORAGE_INFO_OPTIONS);
VARVE_C_ELEVEN_HANDLE(optimistictransactiondb_options,
                      VARVE_C_ELEVEN_OPTIMISTICTRANSACTIONDB_OPTIONS);
VARVE_C_ELEVEN_HANDLE(wal_readoptions, VARVE_C_ELEVEN_WAL_READOPTIONS);
#undef VARVE_C_ELEVEN_HANDLE

struct rocksdb_compaction_options_t {
  VARVE_C_ELEVEN_COMPACTION_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
  const std::atomic<bool>* cancelled = nullptr;
};

struct rocksdb_create_backup_options_t {
  VARVE_C_ELEVEN_CREATE_BACKUP_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
  void (*progress)(void*) = nullptr;
  void* progress_state = nullptr;
  bool excludes = false;
};

struct rocksdb_column_family_metadata_options_t {
  VARVE_C_ELEVEN_COLUMN_FAMILY_METADATA_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
  std::optional<std::string> start_key = {};
  std::optional<std::string> end_key = {};
};

// c.h has its members in the open.
#ifndef ROCKSDB_LIBRARY_API
struct rocksdb_slice_t {
  const char* data;
  size_t size;
};
#endif
