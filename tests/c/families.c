// SPDX-License-Identifier: Apache-2.0
#include "steps.h"

enum { kFamilies = 3 };
static const char* const kNames[kFamilies] = {"default", "one", "two"};

static rocksdb_t* OpenAll(rocksdb_options_t* options, const char* directory, int count,
                          const char* const* names, rocksdb_column_family_handle_t** handles,
                          char** error) {
  const rocksdb_options_t* family_options[kFamilies + 1] = {options, options, options, options};
  return rocksdb_open_column_families(options, directory, count, names, family_options, handles,
                                      error);
}

static void PrintFamilies(const rocksdb_options_t* options, const char* directory) {
  char* error = NULL;
  size_t count = 0;
  char** const names = rocksdb_list_column_families(options, directory, &count, &error);
  MustBeOk("list", error);
  for (size_t i = 0; i < count; ++i) printf("%s ", names[i]);
  printf("\n");
  rocksdb_list_column_families_destroy(names, count);
}

static void PrintHandle(rocksdb_column_family_handle_t* handle) {
  size_t size = 0;
  char* const name = rocksdb_column_family_handle_get_name(handle, &size);
  printf("family %d ", (int)rocksdb_column_family_handle_get_id(handle));
  PrintBytes(name, size);
  printf("\n");
  rocksdb_free(name);
}

static void UseFamilies(Fixture* f, rocksdb_column_family_handle_t** handles) {
  for (int i = 0; i < kFamilies; ++i) {
    PrintHandle(handles[i]);
    rocksdb_put_cf(f->db, f->write, handles[i], "k", 1, kNames[i], strlen(kNames[i]), &f->error);
    MustBeOk("put", f->error);
  }
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put_cf(batch, handles[1], "b", 1, "batch", 5);
  rocksdb_writebatch_delete_cf(batch, handles[2], "k", 1);
  rocksdb_writebatch_put_cf(batch, handles[2], "r1", 2, "1", 1);
  rocksdb_writebatch_put_cf(batch, handles[2], "r2", 2, "2", 1);
  rocksdb_write(f->db, f->write, batch, &f->error);
  Outcome("batch", &f->error);
  rocksdb_writebatch_destroy(batch);
  rocksdb_delete_range_cf(f->db, f->write, handles[2], "r2", 2, "r9", 2, &f->error);
  Outcome("delete_range", &f->error);
}

static void ReadFamilies(Fixture* f, rocksdb_column_family_handle_t** handles) {
  const rocksdb_column_family_handle_t* families[] = {handles[0], handles[1], handles[2],
                                                      handles[1]};
  const char* const keys[] = {"k", "k", "k", "b"};
  const size_t sizes[] = {1, 1, 1, 1};
  char *values[4], *errors[4];
  size_t value_sizes[4];
  rocksdb_multi_get_cf(f->db, f->read, families, 4, keys, sizes, values, value_sizes, errors);
  for (int i = 0; i < 4; ++i) {
    MustBeOk("multi_get_cf", errors[i]);
    printf("%s\n", values[i] == NULL ? "absent" : "there");
    rocksdb_free(values[i]);
  }
  rocksdb_pinnableslice_t* pinned[2];
  rocksdb_batched_multi_get_cf(f->db, f->read, handles[1], 2, keys + 2, sizes, pinned, errors,
                               false);
  for (int i = 0; i < 2; ++i) {
    size_t size = 0;
    const char* const bytes = rocksdb_pinnableslice_value(pinned[i], &size);
    PrintBytes(bytes, size);
    printf("\n");
    rocksdb_pinnableslice_destroy(pinned[i]);
  }
  rocksdb_iterator_t* iterators[kFamilies];
  rocksdb_create_iterators(f->db, f->read, handles, iterators, kFamilies, &f->error);
  Outcome("iterators", &f->error);
  for (int i = 0; i < kFamilies; ++i) {
    rocksdb_iter_seek_to_first(iterators[i]);
    PrintForward(iterators[i]);
    rocksdb_iter_destroy(iterators[i]);
  }
}

void FamiliesStep(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_column_family_handle_t* handles[kFamilies + 1];
  handles[1] = rocksdb_create_column_family(f.db, f.options, "one", &f.error);
  Outcome("create", &f.error);
  PrintHandle(handles[1]);
  rocksdb_column_family_handle_destroy(handles[1]);
  handles[1] = rocksdb_create_column_family(f.db, f.options, "one", &f.error);
  Outcome("create again", &f.error);
  if (handles[1] != NULL) rocksdb_column_family_handle_destroy(handles[1]);  // RocksDB's is empty.
  rocksdb_close(f.db);
  PrintFamilies(f.options, directory);
  f.db = rocksdb_open(f.options, directory, &f.error);
  printf("not all named: %s\n", f.db == NULL ? "null" : "open");
  Outcome("open", &f.error);
  f.db = OpenAll(f.options, directory, kFamilies, kNames, handles, &f.error);
  printf("one too many: %s\n", f.db == NULL ? "null" : "open");
  Outcome("open", &f.error);
  f.db = OpenAll(f.options, directory, 1, kNames + 1, handles, &f.error);
  printf("without the default: %s\n", f.db == NULL ? "null" : "open");
  Outcome("open", &f.error);
  rocksdb_options_set_create_missing_column_families(f.options, 1);
  f.db = OpenAll(f.options, directory, kFamilies, kNames, handles, &f.error);
  Outcome("open", &f.error);
  UseFamilies(&f, handles);
  ReadFamilies(&f, handles);
  rocksdb_drop_column_family(f.db, handles[1], &f.error);
  Outcome("drop", &f.error);
  for (int i = 0; i < kFamilies; ++i) rocksdb_column_family_handle_destroy(handles[i]);
  rocksdb_close(f.db);
  PrintFamilies(f.options, directory);
  const char* const left[] = {"default", "two"};
  f.db = OpenAll(f.options, directory, 2, left, handles, &f.error);
  Outcome("open", &f.error);
  PrintAll(&f);
  rocksdb_column_family_handle_destroy(handles[0]);
  rocksdb_column_family_handle_destroy(handles[1]);
  Closed(&f);
}
