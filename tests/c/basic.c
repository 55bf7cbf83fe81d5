// SPDX-License-Identifier: Apache-2.0
// Opening, single changes, reads, and what happens where something is wrong.
#include "steps.h"

void BasicStep(const char* directory) {
  Fixture f = Opened(directory);
  Put(&f, "a", "1");
  Put(&f, "b", "2");
  Put(&f, "empty", "");
  Put(&f, "c", "3");
  PrintValue(&f, "a");
  PrintValue(&f, "empty");
  PrintValue(&f, "none");
  rocksdb_delete(f.db, f.write, "b", 1, &f.error);
  rocksdb_singledelete(f.db, f.write, "c", 1, &f.error);
  Outcome("deletions", &f.error);
  PrintAll(&f);
  rocksdb_writeoptions_set_sync(f.write, 1);
  Put(&f, "synced", "yes");
  rocksdb_writeoptions_set_sync(f.write, 0);
  rocksdb_flush_wal(f.db, 1, &f.error);
  Outcome("flush_wal", &f.error);
  const uint64_t sequence = rocksdb_get_latest_sequence_number(f.db);
  Put(&f, "one more", "x");
  printf("sequence numbers grow by %d\n",
         (int)(rocksdb_get_latest_sequence_number(f.db) - sequence));
  Reopen(&f, directory);
  PrintAll(&f);
  rocksdb_writeoptions_disable_WAL(f.write, 1);
  Put(&f, "not logged", "kept by closing");
  Closed(&f);
  f = Opened(directory);
  PrintValue(&f, "not logged");
  Closed(&f);
}

void ErrorsStep(const char* directory) {
  char* error = NULL;
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_t* db = rocksdb_open(options, directory, &error);
  printf("a database that is not there: %s\n", db == NULL ? "null" : "open");
  // An error that is there already is released: nothing may leak here.
  db = rocksdb_open(options, directory, &error);
  Outcome("again", &error);
  rocksdb_options_set_create_if_missing(options, 1);
  db = rocksdb_open(options, directory, &error);
  Outcome("created", &error);
  printf("a second opening: %s\n", rocksdb_open(options, directory, &error) == NULL ? "null" : "");
  Outcome("locked", &error);
  rocksdb_destroy_db(options, directory, &error);
  Outcome("destroyed while it is open", &error);
  rocksdb_writeoptions_t* const write = rocksdb_writeoptions_create();
  rocksdb_merge(db, write, "k", 1, "v", 1, &error);
  Outcome("merge without an operator", &error);
  rocksdb_writeoptions_set_sync(write, 1);
  rocksdb_writeoptions_disable_WAL(write, 1);
  rocksdb_put(db, write, "k", 1, "v", 1, &error);
  Outcome("sync without a log", &error);
  rocksdb_writeoptions_destroy(write);
  rocksdb_close(db);
  rocksdb_options_set_error_if_exists(options, 1);
  db = rocksdb_open(options, directory, &error);
  Outcome("exists", &error);
  rocksdb_options_set_error_if_exists(options, 0);
  rocksdb_destroy_db(options, directory, &error);
  Outcome("destroyed", &error);
  rocksdb_options_set_create_if_missing(options, 0);
  db = rocksdb_open(options, directory, &error);
  Outcome("destroyed is gone", &error);
  rocksdb_destroy_db(options, directory, &error);
  Outcome("destroyed twice", &error);
  size_t count = 7;
  char** const names = rocksdb_list_column_families(options, directory, &count, &error);
  printf("families of nothing: %d\n", (int)count);
  rocksdb_list_column_families_destroy(names, count);
  Outcome("families", &error);
  rocksdb_options_destroy(options);
}

void ReadOnlyStep(const char* directory) {
  Fixture f = Opened(directory);
  Put(&f, "k", "v");
  rocksdb_close(f.db);
  f.db = rocksdb_open_for_read_only(f.options, directory, 0, &f.error);
  Outcome("read-only", &f.error);
  PrintValue(&f, "k");
  rocksdb_put(f.db, f.write, "k", 1, "w", 1, &f.error);
  Outcome("write", &f.error);
  rocksdb_close(f.db);
  const char* const name = "default";
  const rocksdb_options_t* const options = f.options;
  rocksdb_column_family_handle_t* handle = NULL;
  f.db = rocksdb_open_for_read_only_column_families(f.options, directory, 1, &name, &options,
                                                    &handle, 1, &f.error);
  printf("with a log, which is an error: %s\n", f.db == NULL ? "null" : "open");
  Outcome("read-only", &f.error);
  f.db = rocksdb_open(f.options, directory, &f.error);
  Closed(&f);
}

static void PrintMany(Fixture* f, size_t count, const char* const* keys) {
  size_t sizes[8], value_sizes[8];
  char* values[8];
  char* errors[8];
  for (size_t i = 0; i < count; ++i) sizes[i] = strlen(keys[i]);
  rocksdb_multi_get(f->db, f->read, count, keys, sizes, values, value_sizes, errors);
  for (size_t i = 0; i < count; ++i) {
    MustBeOk("multi_get", errors[i]);
    printf("%s: %s, %d\n", keys[i], values[i] == NULL ? "absent" : "there", (int)value_sizes[i]);
    rocksdb_free(values[i]);
  }
}

void ReadsStep(const char* directory) {
  Fixture f = Opened(directory);
  Put(&f, "a", "one");
  Put(&f, "b", "");
  const char* const keys[] = {"b", "a", "nothing", "a"};
  PrintMany(&f, 4, keys);
  rocksdb_pinnableslice_t* pinned = rocksdb_get_pinned(f.db, f.read, "a", 1, &f.error);
  size_t size = 0;
  const char* bytes = rocksdb_pinnableslice_value(pinned, &size);
  PrintBytes(bytes, size);
  printf(" pinned\n");
  rocksdb_pinnableslice_destroy(pinned);
  pinned = rocksdb_get_pinned(f.db, f.read, "z", 1, &f.error);
  printf("%s, %s\n", pinned == NULL ? "absent" : "there",
         rocksdb_pinnableslice_value(NULL, &size) == NULL ? "null" : "bytes");
  const rocksdb_snapshot_t* const snapshot = rocksdb_create_snapshot(f.db);
  Put(&f, "a", "two");
  rocksdb_readoptions_set_snapshot(f.read, snapshot);
  PrintValue(&f, "a");
  PrintAll(&f);
  rocksdb_readoptions_set_snapshot(f.read, NULL);
  rocksdb_release_snapshot(f.db, snapshot);
  PrintValue(&f, "a");
  char* value = NULL;
  unsigned char found = 7;
  int may = rocksdb_key_may_exist(f.db, f.read, "a", 1, &value, &size, NULL, 0, &found);
  printf("may exist: %d, found %d\n", may, found);
  if (found) {
    PrintBytes(value, size);
    printf("\n");
    rocksdb_free(value);
  }
  may = rocksdb_key_may_exist(f.db, f.read, "zz", 2, NULL, NULL, NULL, 0, NULL);
  printf("may not: %d\n", may);
  may = rocksdb_key_may_exist(f.db, f.read, "zz", 2, &value, &size, NULL, 0, &found);
  printf("may not: %d, found %d, %zu bytes\n", may, found, size);
  rocksdb_free(value);
  Closed(&f);
}
