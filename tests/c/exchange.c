// SPDX-License-Identifier: Apache-2.0
// Writes and reads a database that the other library reads and has written.
#include "exchange.h"

#include "steps.h"

enum { kKeys = 3000 };
static const char* const kNames[] = {"default", "other"};

static rocksdb_t* OpenBoth(Fixture* f, const char* directory,
                           rocksdb_column_family_handle_t** handles) {
  rocksdb_options_set_create_if_missing(f->options, 1);
  rocksdb_options_set_create_missing_column_families(f->options, 1);
  rocksdb_options_set_write_buffer_size(f->options, 100000);
  rocksdb_options_set_uint64add_merge_operator(f->options);
  const rocksdb_options_t* options[] = {f->options, f->options};
  rocksdb_t* const db =
      rocksdb_open_column_families(f->options, directory, 2, kNames, options, handles, &f->error);
  MustBeOk("open", f->error);
  return db;
}

static Fixture Both(const char* directory, rocksdb_column_family_handle_t** handles) {
  Fixture f = {rocksdb_options_create(), rocksdb_readoptions_create(),
               rocksdb_writeoptions_create(), NULL, NULL};
  f.db = OpenBoth(&f, directory, handles);
  return f;
}

static rocksdb_backup_engine_t* Backups(const char* directory) {
  char path[600];
  char* error = NULL;
  snprintf(path, sizeof(path), "%s.backups", directory);
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_backup_engine_t* const backups = rocksdb_backup_engine_open(options, path, &error);
  MustBeOk("backups", error);
  rocksdb_options_destroy(options);
  return backups;
}

static void BackUp(const char* directory, Fixture* f) {
  rocksdb_backup_engine_t* const backups = Backups(directory);
  rocksdb_backup_engine_create_new_backup(backups, f->db, &f->error);
  MustBeOk("a backup", f->error);
  rocksdb_backup_engine_close(backups);
}

static void RestoreLast(const char* directory, const char* restored) {
  char* error = NULL;
  rocksdb_backup_engine_t* const backups = Backups(directory);
  rocksdb_restore_options_t* const options = rocksdb_restore_options_create();
  rocksdb_backup_engine_restore_db_from_latest_backup(backups, restored, restored, options, &error);
  MustBeOk("restore", error);
  rocksdb_restore_options_destroy(options);
  rocksdb_backup_engine_close(backups);
}

void WriteForOthers(const char* directory) {
  rocksdb_column_family_handle_t* handles[2];
  Fixture f = Both(directory, handles);
  char key[16], value[64];
  for (int i = 0; i < kKeys; ++i) {
    snprintf(key, sizeof(key), "%06d", i * 37 % kKeys);
    snprintf(value, sizeof(value), "value %d, long enough for several memtables", i);
    rocksdb_put_cf(f.db, f.write, handles[i % 2], key, 6, value, strlen(value), &f.error);
    const char one[8] = {1};
    rocksdb_merge(f.db, f.write, "counter", 7, one, 8, &f.error);
    MustBeOk("write", f.error);
  }
  rocksdb_delete(f.db, f.write, "000010", 6, &f.error);
  rocksdb_delete_range_cf(f.db, f.write, handles[1], "000100", 6, "000200", 6, &f.error);
  MustBeOk("delete", f.error);
  BackUp(directory, &f);
  rocksdb_column_family_handle_destroy(handles[0]);
  rocksdb_column_family_handle_destroy(handles[1]);
  Closed(&f);
}

// With `backups`, makes one more.
static void PrintSums(const char* directory, const char* backups) {
  rocksdb_column_family_handle_t* handles[2];
  Fixture f = Both(directory, handles);
  for (int i = 0; i < 2; ++i) {
    int count = 0;
    unsigned sum = 0;
    rocksdb_iterator_t* const iterator = rocksdb_create_iterator_cf(f.db, f.read, handles[i]);
    for (rocksdb_iter_seek_to_first(iterator); rocksdb_iter_valid(iterator);
         rocksdb_iter_next(iterator), ++count) {
      size_t size = 0;
      const char* bytes = rocksdb_iter_key(iterator, &size);
      for (size_t j = 0; j < size; ++j) sum = sum * 31 + (unsigned char)bytes[j];
      bytes = rocksdb_iter_value(iterator, &size);
      for (size_t j = 0; j < size; ++j) sum = sum * 31 + (unsigned char)bytes[j];
    }
    rocksdb_iter_get_error(iterator, &f.error);
    MustBeOk("read", f.error);
    rocksdb_iter_destroy(iterator);
    printf("%s: %d records, %08x\n", kNames[i], count, sum);
  }
  if (backups != NULL) BackUp(backups, &f);
  for (int i = 0; i < 2; ++i) rocksdb_column_family_handle_destroy(handles[i]);
  Closed(&f);
}

void ReadOfOthers(const char* directory) {
  char restored[600];
  snprintf(restored, sizeof(restored), "%s.restored", directory);
  PrintSums(directory, NULL);
  RestoreLast(directory, restored);
  PrintSums(restored, directory);
}
