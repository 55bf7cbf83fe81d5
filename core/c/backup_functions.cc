// SPDX-License-Identifier: Apache-2.0
// The backup engine and its options. The limits of rates and threads, and the naming, are hints.
#include "core/c/backup_engine.h"
#include "core/c/error.h"
#include "core/c/handle_functions.h"

using BackupHandle = rocksdb_backup_engine_t;
using BackupInfo = rocksdb_backup_engine_info_t;
using BackupOptions = rocksdb_backup_engine_options_t;
using varve::c::IoErrorIfMissing;
using varve::c::SaveError;

namespace varve::c {
namespace {

BackupHandle* Open(const BackupOptions& options, const Environment& env, char** errptr) {
  auto opened = BackupEngine::Open(options, env);
  if (SaveError(errptr, IoErrorIfMissing(opened.status()))) return nullptr;
  return new BackupHandle{*std::move(opened)};
}

const BackupMeta& MetaOf(const BackupInfo* info, int index) {
  return info->backups[static_cast<size_t>(index)].second;
}

}  // namespace
}  // namespace varve::c

using varve::c::MetaOf;

extern "C" {

// --- options

BackupOptions* rocksdb_backup_engine_options_create(const char* directory) {
  return new BackupOptions{directory};
}
void rocksdb_backup_engine_options_destroy(BackupOptions* options) { delete options; }
void rocksdb_backup_engine_options_set_backup_dir(BackupOptions* options, const char* directory) {
  options->backup_dir = directory;
}
void rocksdb_backup_engine_options_set_env(BackupOptions* options, rocksdb_env_t* env) {
  options->file_system = env == nullptr ? nullptr : env->env.file_system;
}

VARVE_C_PAIR(backup_engine_options, share_table_files, unsigned char)
VARVE_C_PAIR(backup_engine_options, sync, unsigned char)
VARVE_C_PAIR(backup_engine_options, destroy_old_data, unsigned char)
VARVE_C_PAIR(backup_engine_options, backup_log_files, unsigned char)
VARVE_C_PAIR(backup_engine_options, backup_rate_limit, uint64_t)
VARVE_C_PAIR(backup_engine_options, restore_rate_limit, uint64_t)
VARVE_C_PAIR(backup_engine_options, max_background_operations, int)
VARVE_C_PAIR(backup_engine_options, callback_trigger_interval_size, uint64_t)
VARVE_C_PAIR(backup_engine_options, max_valid_backups_to_open, int)
VARVE_C_PAIR(backup_engine_options, share_files_with_checksum_naming, int)

rocksdb_restore_options_t* rocksdb_restore_options_create() {
  return new rocksdb_restore_options_t;
}
void rocksdb_restore_options_destroy(rocksdb_restore_options_t* options) { delete options; }
void rocksdb_restore_options_set_keep_log_files(rocksdb_restore_options_t* options, int keep) {
  options->keep_log_files = keep != 0;
}

// --- the engine

BackupHandle* rocksdb_backup_engine_open(const rocksdb_options_t* options, const char* path,
                                         char** errptr) {
  return varve::c::Open({path}, options->env, errptr);
}
BackupHandle* rocksdb_backup_engine_open_opts(const BackupOptions* options, rocksdb_env_t* env,
                                              char** errptr) {
  return varve::c::Open(*options, env == nullptr ? varve::Environment() : env->env, errptr);
}
void rocksdb_backup_engine_close(BackupHandle* engine) { delete engine; }

void rocksdb_backup_engine_create_new_backup(BackupHandle* engine, rocksdb_t* db, char** errptr) {
  SaveError(errptr, engine->rep->Create(db, /*flush=*/false).status());
}
void rocksdb_backup_engine_create_new_backup_flush(BackupHandle* engine, rocksdb_t* db,
                                                   unsigned char flush, char** errptr) {
  SaveError(errptr, engine->rep->Create(db, flush != 0).status());
}
void rocksdb_backup_engine_purge_old_backups(BackupHandle* engine, uint32_t keep, char** errptr) {
  SaveError(errptr, engine->rep->Purge(keep));
}
void rocksdb_backup_engine_verify_backup(BackupHandle* engine, uint32_t id, char** errptr) {
  SaveError(errptr, engine->rep->Verify(id));
}
void rocksdb_backup_engine_restore_db_from_latest_backup(BackupHandle* engine,
                                                         const char* directory,
                                                         const char* wal_directory,
                                                         const rocksdb_restore_options_t* options,
                                                         char** errptr) {
  SaveError(errptr, engine->rep->Restore(0, directory, wal_directory, *options));
}
void rocksdb_backup_engine_restore_db_from_backup(BackupHandle* engine, const char* directory,
                                                  const char* wal_directory,
                                                  const rocksdb_restore_options_t* options,
                                                  const uint32_t id, char** errptr) {
  SaveError(errptr, engine->rep->Restore(id, directory, wal_directory, *options));
}

// --- what there is, oldest first

const BackupInfo* rocksdb_backup_engine_get_backup_info(BackupHandle* engine) {
  const auto backups = engine->rep->Backups();
  return new BackupInfo{{backups.begin(), backups.end()}};
}
void rocksdb_backup_engine_info_destroy(const BackupInfo* info) { delete info; }
int rocksdb_backup_engine_info_count(const BackupInfo* info) {
  return static_cast<int>(info->backups.size());
}
int64_t rocksdb_backup_engine_info_timestamp(const BackupInfo* info, int index) {
  return static_cast<int64_t>(MetaOf(info, index).unix_seconds);
}
uint32_t rocksdb_backup_engine_info_backup_id(const BackupInfo* info, int index) {
  return info->backups[static_cast<size_t>(index)].first;
}
uint64_t rocksdb_backup_engine_info_size(const BackupInfo* info, int index) {
  return MetaOf(info, index).size();
}
uint32_t rocksdb_backup_engine_info_number_files(const BackupInfo* info, int index) {
  return static_cast<uint32_t>(MetaOf(info, index).files.size());
}

}  // extern "C"
