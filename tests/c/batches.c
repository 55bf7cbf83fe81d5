// SPDX-License-Identifier: Apache-2.0
// Write batches.
#include "steps.h"

static void OnPut(void* state, const char* key, size_t key_size, const char* value,
                  size_t value_size) {
  ++*(int*)state;
  printf("  put ");
  PrintBytes(key, key_size);
  printf(" ");
  PrintBytes(value, value_size);
  printf("\n");
}

static void OnDelete(void* state, const char* key, size_t key_size) {
  ++*(int*)state;
  printf("  delete ");
  PrintBytes(key, key_size);
  printf("\n");
}

static void PrintBatch(rocksdb_writebatch_t* batch) {
  int calls = 0;
  size_t size = 0;
  rocksdb_writebatch_iterate(batch, &calls, OnPut, OnDelete);
  const char* const data = rocksdb_writebatch_data(batch, &size);
  unsigned sum = 0;
  for (size_t i = 0; i < size; ++i) sum = sum * 31 + (unsigned char)data[i];
  printf("%d changes, %d calls, %d bytes, %08x\n", rocksdb_writebatch_count(batch), calls,
         (int)size, sum);
}

void BatchesStep(const char* directory) {
  Fixture f = Opened(directory);
  for (int i = 0; i < 20; ++i) {
    char key[2] = {(char)('a' + i), 0};
    Put(&f, key, "old");
  }
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  PrintBatch(batch);
  rocksdb_writebatch_put(batch, "a", 1, "new", 3);
  rocksdb_writebatch_delete(batch, "b", 1);
  rocksdb_writebatch_put_log_data(batch, "for the log", 11);
  const char* const keys[] = {"c", "1"};
  const char* const values[] = {"v", "w", "x"};
  const size_t sizes[] = {1, 1, 1};
  rocksdb_writebatch_putv(batch, 2, keys, sizes, 3, values, sizes);
  rocksdb_writebatch_deletev(batch, 2, keys, sizes);
  rocksdb_writebatch_singledelete(batch, "d", 1);
  PrintBatch(batch);
  rocksdb_writebatch_delete_range(batch, "f", 1, "k", 1);
  rocksdb_writebatch_put(batch, "g", 1, "after the range", 15);
  PrintBatch(batch);
  size_t size = 0;
  const char* const data = rocksdb_writebatch_data(batch, &size);
  rocksdb_writebatch_t* const copy = rocksdb_writebatch_create_from(data, size);
  PrintBatch(copy);
  rocksdb_write(f.db, f.write, copy, &f.error);
  Outcome("write", &f.error);
  rocksdb_writebatch_clear(batch);
  PrintBatch(batch);
  PrintAll(&f);
  rocksdb_writebatch_destroy(batch);
  rocksdb_writebatch_destroy(copy);
  rocksdb_writebatch_t* const broken = rocksdb_writebatch_create_from("too short", 9);
  rocksdb_write(f.db, f.write, broken, &f.error);
  Outcome("a batch that is none", &f.error);
  rocksdb_writebatch_destroy(broken);
  // What says that it is full stays as it is: it is not written, and nothing ends.
  rocksdb_writebatch_t* const full =
      rocksdb_writebatch_create_from("\0\0\0\0\0\0\0\0\xff\xff\xff\xff", 12);
  printf("%d\n", rocksdb_writebatch_count(full));
  rocksdb_writebatch_put(full, "a", 1, "1", 1);
  rocksdb_writebatch_delete(full, "a", 1);
  rocksdb_writebatch_set_save_point(full);
  rocksdb_writebatch_merge(full, "a", 1, "1", 1);
  rocksdb_writebatch_delete_range(full, "a", 1, "b", 1);
  rocksdb_writebatch_destroy(full);
  Closed(&f);
}

void SavePointsStep(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  rocksdb_writebatch_rollback_to_save_point(batch, &f.error);
  Outcome("no save point", &f.error);
  rocksdb_writebatch_pop_save_point(batch, &f.error);
  Outcome("none to drop", &f.error);
  rocksdb_writebatch_put(batch, "a", 1, "1", 1);
  rocksdb_writebatch_set_save_point(batch);
  rocksdb_writebatch_put(batch, "b", 1, "2", 1);
  rocksdb_writebatch_set_save_point(batch);
  rocksdb_writebatch_put(batch, "c", 1, "3", 1);
  rocksdb_writebatch_pop_save_point(batch, &f.error);
  Outcome("dropped", &f.error);
  PrintBatch(batch);
  rocksdb_writebatch_rollback_to_save_point(batch, &f.error);
  Outcome("back", &f.error);
  PrintBatch(batch);
  rocksdb_writebatch_put(batch, "d", 1, "4", 1);
  rocksdb_write(f.db, f.write, batch, &f.error);
  Outcome("write", &f.error);
  PrintAll(&f);
  rocksdb_writebatch_destroy(batch);
  Closed(&f);
}
