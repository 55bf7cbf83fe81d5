// SPDX-License-Identifier: Apache-2.0
// Backups, and databases restored from them.
#include "steps.h"

static void PrintInfo(rocksdb_backup_engine_t* backups) {
  const rocksdb_backup_engine_info_t* const info = rocksdb_backup_engine_get_backup_info(backups);
  const int count = rocksdb_backup_engine_info_count(info);
  printf("%d backups:", count);
  for (int i = 0; i < count; ++i) {
    printf(" %d%s", (int)rocksdb_backup_engine_info_backup_id(info, i),
           rocksdb_backup_engine_info_size(info, i) > 0 &&
                   rocksdb_backup_engine_info_number_files(info, i) > 2 &&
                   rocksdb_backup_engine_info_timestamp(info, i) > 1500000000
               ? ""
               : " (nothing in it)");
  }
  printf("\n");
  rocksdb_backup_engine_info_destroy(info);
}

static void PrintRestored(const char* directory) {
  Fixture f = Opened(directory);
  PrintAll(&f);
  Closed(&f);
}

static void Restore(rocksdb_backup_engine_t* backups, uint32_t id, const char* directory) {
  char* error = NULL;
  rocksdb_restore_options_t* const options = rocksdb_restore_options_create();
  rocksdb_restore_options_set_keep_log_files(options, 0);
  if (id == 0) {
    rocksdb_backup_engine_restore_db_from_latest_backup(backups, directory, directory, options,
                                                        &error);
  } else {
    rocksdb_backup_engine_restore_db_from_backup(backups, directory, directory, options, id,
                                                 &error);
  }
  rocksdb_restore_options_destroy(options);
  const int restored = error == NULL;
  Outcome("restore", &error);
  if (restored) PrintRestored(directory);
}

static rocksdb_backup_engine_t* OpenedBackups(Fixture* f, const char* path, int destroy_old) {
  rocksdb_env_t* const env = rocksdb_create_default_env();
  rocksdb_backup_engine_options_t* const options = rocksdb_backup_engine_options_create(path);
  rocksdb_backup_engine_options_set_destroy_old_data(options, (unsigned char)destroy_old);
  rocksdb_backup_engine_t* const backups = rocksdb_backup_engine_open_opts(options, env, &f->error);
  Outcome("open", &f->error);
  PrintInfo(backups);
  rocksdb_backup_engine_options_destroy(options);
  rocksdb_env_destroy(env);
  return backups;
}

static void NewBackup(Fixture* f, rocksdb_backup_engine_t* backups) {
  rocksdb_backup_engine_create_new_backup(backups, f->db, &f->error);
  Outcome("new backup", &f->error);
  PrintInfo(backups);
}

// No ID is used twice, unless old backups are destroyed; those that are damaged are destroyed too.
static void NumberedBackups(const char* directory) {
  char path[600], meta[700];
  Fixture f = Opened(directory);
  snprintf(path, sizeof(path), "%s.backups", directory);
  Put(&f, "a", "1");
  rocksdb_backup_engine_t* backups = OpenedBackups(&f, path, 0);
  NewBackup(&f, backups);
  NewBackup(&f, backups);
  rocksdb_backup_engine_purge_old_backups(backups, 0, &f.error);
  Outcome("purge all", &f.error);
  NewBackup(&f, backups);
  NewBackup(&f, backups);
  rocksdb_backup_engine_close(backups);
  snprintf(meta, sizeof(meta), "%s/meta/4", path);
  FILE* const file = fopen(meta, "ab");
  fputs("more\n", file);
  fclose(file);
  backups = OpenedBackups(&f, path, 0);
  NewBackup(&f, backups);
  rocksdb_backup_engine_close(backups);
  backups = OpenedBackups(&f, path, 1);
  NewBackup(&f, backups);
  rocksdb_backup_engine_close(backups);
  backups = OpenedBackups(&f, path, 0);
  rocksdb_backup_engine_close(backups);
  Closed(&f);
}

void BackupsStep(const char* directory) {
  char numbered[600];
  snprintf(numbered, sizeof(numbered), "%s.numbered", directory);
  NumberedBackups(numbered);
  char path[600], restored[600];
  Fixture nowhere = Opened(directory);
  snprintf(path, sizeof(path), "%s.none/below", directory);
  rocksdb_backup_engine_open(nowhere.options, path, &nowhere.error);
  Outcome("where it cannot be made", &nowhere.error);
  Closed(&nowhere);
  snprintf(path, sizeof(path), "%s.backups", directory);
  snprintf(restored, sizeof(restored), "%s.restored", directory);
  Fixture f = Opened(directory);
  rocksdb_backup_engine_t* backups = rocksdb_backup_engine_open(f.options, path, &f.error);
  Outcome("open", &f.error);
  PrintInfo(backups);
  Restore(backups, 0, restored);
  Put(&f, "a", "1");
  rocksdb_backup_engine_create_new_backup(backups, f.db, &f.error);
  Outcome("a backup", &f.error);
  Put(&f, "b", "2");
  rocksdb_backup_engine_create_new_backup_flush(backups, f.db, 1, &f.error);
  Outcome("a flushed one", &f.error);
  Put(&f, "a", "changed");
  rocksdb_backup_engine_create_new_backup(backups, f.db, &f.error);
  PrintInfo(backups);
  Put(&f, "c", "not in a backup");
  Restore(backups, 0, restored);
  Restore(backups, 1, restored);
  Restore(backups, 2, restored);
  Restore(backups, 7, restored);
  rocksdb_backup_engine_verify_backup(backups, 2, &f.error);
  Outcome("verify", &f.error);
  rocksdb_backup_engine_verify_backup(backups, 7, &f.error);
  Outcome("verify none", &f.error);
  rocksdb_backup_engine_close(backups);
  backups = rocksdb_backup_engine_open(f.options, path, &f.error);
  Outcome("open again", &f.error);
  PrintInfo(backups);
  rocksdb_backup_engine_purge_old_backups(backups, 1, &f.error);
  Outcome("purge", &f.error);
  PrintInfo(backups);
  Restore(backups, 0, restored);
  rocksdb_backup_engine_create_new_backup(backups, f.db, &f.error);
  PrintInfo(backups);
  rocksdb_backup_engine_close(backups);
  rocksdb_backup_engine_options_t* const options = rocksdb_backup_engine_options_create(path);
  rocksdb_backup_engine_options_set_share_table_files(options, 0);
  rocksdb_env_t* const env = rocksdb_create_default_env();
  backups = rocksdb_backup_engine_open_opts(options, env, &f.error);
  Outcome("with options", &f.error);
  rocksdb_backup_engine_create_new_backup_flush(backups, f.db, 1, &f.error);
  PrintInfo(backups);
  Closed(&f);
  Restore(backups, 0, directory);
  rocksdb_backup_engine_close(backups);
  rocksdb_backup_engine_options_set_destroy_old_data(options, 1);
  char* error = NULL;
  backups = rocksdb_backup_engine_open_opts(options, env, &error);
  Outcome("without the old ones", &error);
  PrintInfo(backups);
  rocksdb_backup_engine_close(backups);
  rocksdb_env_destroy(env);
  rocksdb_backup_engine_options_destroy(options);
}
