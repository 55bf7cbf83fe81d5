// SPDX-License-Identifier: Apache-2.0
// Options of the backup engine. They keep their values; what they are for is refused where it is
// opened.
#include <cstddef>
#include <cstdint>
#include <string>

struct rocksdb_backup_engine_options_t {
  bool share_table_files = true;
  bool sync = true;
  bool destroy_old_data = false;
  bool backup_log_files = true;
  uint64_t backup_rate_limit = 0;
  uint64_t restore_rate_limit = 0;
  int max_background_operations = 1;
  uint64_t callback_trigger_interval_size = 4 << 20;
  int max_valid_backups_to_open = 2147483647;
  int share_files_with_checksum_naming = -2147483646;
};

struct rocksdb_restore_options_t {};
struct rocksdb_env_t;

using Backup = rocksdb_backup_engine_options_t;

#define VARVE_C_PAIR(name, Type)                                               \
  void rocksdb_backup_engine_options_set_##name(Backup* options, Type value) { \
    options->name = value;                                                     \
  }                                                                            \
  Type rocksdb_backup_engine_options_get_##name(Backup* options) { return options->name; }
#define VARVE_C_LIFE(Handle)                                                             \
  rocksdb_##Handle##_t* rocksdb_##Handle##_create() { return new rocksdb_##Handle##_t; } \
  void rocksdb_##Handle##_destroy(rocksdb_##Handle##_t* options) { delete options; }
#define VARVE_C_SETTER(Handle, name, Type) \
  void rocksdb_##Handle##_set_##name(rocksdb_##Handle##_t* /*options*/, Type /*value*/) {}

extern "C" {

Backup* rocksdb_backup_engine_options_create(const char* /*backup_dir*/) { return new Backup; }
void rocksdb_backup_engine_options_destroy(Backup* options) { delete options; }
void rocksdb_backup_engine_options_set_backup_dir(Backup* /*options*/, const char* /*backup_dir*/) {
}
void rocksdb_backup_engine_options_set_env(Backup* /*options*/, rocksdb_env_t* /*env*/) {}

VARVE_C_PAIR(share_table_files, unsigned char)
VARVE_C_PAIR(sync, unsigned char)
VARVE_C_PAIR(destroy_old_data, unsigned char)
VARVE_C_PAIR(backup_log_files, unsigned char)
VARVE_C_PAIR(backup_rate_limit, uint64_t)
VARVE_C_PAIR(restore_rate_limit, uint64_t)
VARVE_C_PAIR(max_background_operations, int)
VARVE_C_PAIR(callback_trigger_interval_size, uint64_t)
VARVE_C_PAIR(max_valid_backups_to_open, int)
VARVE_C_PAIR(share_files_with_checksum_naming, int)

VARVE_C_LIFE(restore_options)
VARVE_C_SETTER(restore_options, keep_log_files, int)

}  // extern "C"

#undef VARVE_C_PAIR
#undef VARVE_C_LIFE
#undef VARVE_C_SETTER
