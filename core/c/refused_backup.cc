// SPDX-License-Identifier: Apache-2.0
// The backup engine: opening one is refused. Its options are in inert_options.cc.
#include <cstddef>
#include <cstdint>

#include "core/c/error.h"
#include "core/c/refused.h"

using varve::c::Refuse;

extern "C" {

rocksdb_backup_engine_t* rocksdb_backup_engine_open(const rocksdb_options_t* /*options*/,
                                                    const char* /*path*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_backup_engine_t* rocksdb_backup_engine_open_opts(
    const rocksdb_backup_engine_options_t* /*options*/, rocksdb_env_t* /*env*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
void rocksdb_backup_engine_create_new_backup(rocksdb_backup_engine_t* /*be*/, rocksdb_t* /*db*/,
                                             char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_backup_engine_create_new_backup_flush(rocksdb_backup_engine_t* /*be*/,
                                                   rocksdb_t* /*db*/,
                                                   unsigned char /*flush_before_backup*/,
                                                   char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_backup_engine_purge_old_backups(rocksdb_backup_engine_t* /*be*/,
                                             uint32_t /*num_backups_to_keep*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_backup_engine_verify_backup(rocksdb_backup_engine_t* /*be*/, uint32_t /*backup_id*/,
                                         char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_backup_engine_restore_db_from_latest_backup(
    rocksdb_backup_engine_t* /*be*/, const char* /*db_dir*/, const char* /*wal_dir*/,
    const rocksdb_restore_options_t* /*restore_options*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_backup_engine_restore_db_from_backup(
    rocksdb_backup_engine_t* /*be*/, const char* /*db_dir*/, const char* /*wal_dir*/,
    const rocksdb_restore_options_t* /*restore_options*/, const uint32_t /*backup_id*/,
    char** errptr) {
  Refuse(errptr, __func__);
}
const rocksdb_backup_engine_info_t* rocksdb_backup_engine_get_backup_info(
    rocksdb_backup_engine_t* /*be*/) {
  return nullptr;
}
int rocksdb_backup_engine_info_count(const rocksdb_backup_engine_info_t* /*info*/) { return 0; }
int64_t rocksdb_backup_engine_info_timestamp(const rocksdb_backup_engine_info_t* /*info*/,
                                             int /*index*/) {
  return 0;
}
uint32_t rocksdb_backup_engine_info_backup_id(const rocksdb_backup_engine_info_t* /*info*/,
                                              int /*index*/) {
  return 0;
}
uint64_t rocksdb_backup_engine_info_size(const rocksdb_backup_engine_info_t* /*info*/,
                                         int /*index*/) {
  return 0;
}
uint32_t rocksdb_backup_engine_info_number_files(const rocksdb_backup_engine_info_t* /*info*/,
                                                 int /*index*/) {
  return 0;
}
void rocksdb_backup_engine_info_destroy(const rocksdb_backup_engine_info_t* /*info*/) {}
void rocksdb_backup_engine_close(rocksdb_backup_engine_t* /*be*/) {}

}  // extern "C"
