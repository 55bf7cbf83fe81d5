// SPDX-License-Identifier: Apache-2.0
// What the handle of a dropped column family can still do.
#include "steps.h"

static void PrintIn(Fixture* f, rocksdb_column_family_handle_t* family, const char* key) {
  size_t size = 0;
  char* const value = rocksdb_get_cf(f->db, f->read, family, key, strlen(key), &size, &f->error);
  PrintAnswer(key, value, size, &f->error);
}

static void PrintFamily(Fixture* f, rocksdb_column_family_handle_t* family) {
  rocksdb_iterator_t* const iterator = rocksdb_create_iterator_cf(f->db, f->read, family);
  rocksdb_iter_seek_to_first(iterator);
  PrintForward(iterator);
  rocksdb_iter_destroy(iterator);
}

static void PutIn(Fixture* f, rocksdb_column_family_handle_t* family, const char* key,
                  const char* value) {
  rocksdb_put_cf(f->db, f->write, family, key, strlen(key), value, strlen(value), &f->error);
}

// Some in tables, some in memory.
static void Fill(Fixture* f, rocksdb_column_family_handle_t* family) {
  PutIn(f, family, "in a table", "1");
  PutIn(f, family, "twice", "old");
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush_cf(f->db, flush, family, &f->error);
  rocksdb_flushoptions_destroy(flush);
  PutIn(f, family, "in memory", "2");
  PutIn(f, family, "twice", "new");
  MustBeOk("fill", f->error);
}

static void ReadMany(Fixture* f, rocksdb_column_family_handle_t* family) {
  const rocksdb_column_family_handle_t* const families[] = {family, family};
  const char* const keys[] = {"in a table", "in memory"};
  const size_t sizes[] = {10, 9};
  char *values[2], *errors[2];
  size_t value_sizes[2];
  rocksdb_multi_get_cf(f->db, f->read, families, 2, keys, sizes, values, value_sizes, errors);
  for (int i = 0; i < 2; ++i) {
    Outcome("multi_get", &errors[i]);
    printf("%s\n", values[i] == NULL ? "absent" : "there");
    rocksdb_free(values[i]);
  }
}

void DroppedStep(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_column_family_handle_t* const family =
      rocksdb_create_column_family(f.db, f.options, "one", &f.error);
  Outcome("create", &f.error);
  Fill(&f, family);
  const rocksdb_snapshot_t* const snapshot = rocksdb_create_snapshot(f.db);
  PutIn(&f, family, "twice", "newest");
  rocksdb_drop_column_family(f.db, family, &f.error);
  Outcome("drop", &f.error);
  PrintIn(&f, family, "in a table");
  PrintIn(&f, family, "in memory");
  PrintIn(&f, family, "nothing");
  ReadMany(&f, family);
  PrintFamily(&f, family);
  rocksdb_readoptions_set_snapshot(f.read, snapshot);
  PrintFamily(&f, family);
  rocksdb_readoptions_set_snapshot(f.read, NULL);
  rocksdb_release_snapshot(f.db, snapshot);
  rocksdb_column_family_handle_t* const again =
      rocksdb_create_column_family(f.db, f.options, "one", &f.error);
  Outcome("create again", &f.error);
  PutIn(&f, again, "twice", "of another family");
  PrintIn(&f, again, "twice");
  PrintIn(&f, family, "twice");
  // Many others, so that the engine's list of families is made anew.
  for (int i = 0; i < 20; ++i) {
    char name[20];
    snprintf(name, sizeof(name), "more %d", i);
    rocksdb_column_family_handle_t* const more =
        rocksdb_create_column_family(f.db, f.options, name, &f.error);
    MustBeOk("create", f.error);
    PutIn(&f, more, "twice", name);
    if (i % 2 == 0) rocksdb_drop_column_family(f.db, more, &f.error);
    MustBeOk("drop", f.error);
    rocksdb_column_family_handle_destroy(more);
  }
  PrintIn(&f, family, "twice");
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush_cf(f.db, flush, family, &f.error);
  Outcome("flush", &f.error);
  rocksdb_flushoptions_destroy(flush);
  const char *const name = "write_buffer_size", *const value = "1000000";
  rocksdb_set_options_cf(f.db, family, 1, &name, &value, &f.error);
  Outcome("set options", &f.error);
  rocksdb_drop_column_family(f.db, family, &f.error);
  Outcome("drop again", &f.error);
  PutIn(&f, family, "late", "3");  // RocksDB refuses other writes as well from here on.
  Outcome("put", &f.error);
  PrintFamily(&f, family);
  rocksdb_column_family_handle_destroy(family);
  PrintIn(&f, again, "twice");
  rocksdb_column_family_handle_destroy(again);
  Closed(&f);
}
