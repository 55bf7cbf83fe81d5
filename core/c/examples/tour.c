// SPDX-License-Identifier: Apache-2.0
// tour DIRECTORY: a database from C.
//   cc tour.c $(pkg-config --libs varve-rocksdb)
#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>

// Every function that may fail leaves a message in *error, which is ours to free.
static void Require(char* error) {
  if (error == NULL) return;
  fprintf(stderr, "tour: %s\n", error);
  rocksdb_free(error);
  exit(1);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  char* error = NULL;

  // #region program
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_t* db = rocksdb_open(options, argv[1], &error);
  Require(error);

  rocksdb_writeoptions_t* durable = rocksdb_writeoptions_create();
  rocksdb_writeoptions_set_sync(durable, 1);
  rocksdb_put(db, durable, "user:1", 6, "Ada", 3, &error);
  Require(error);

  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();  // All of it or nothing.
  rocksdb_writebatch_put(batch, "user:2", 6, "Grace", 5);
  rocksdb_writebatch_delete(batch, "user:0", 6);
  rocksdb_write(db, durable, batch, &error);
  Require(error);

  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  size_t size = 0;
  char* value = rocksdb_get(db, read, "user:1", 6, &size, &error);
  Require(error);
  printf("user:1 is %.*s\n", (int)size, value);  // Null would be: there is none.
  rocksdb_free(value);

  rocksdb_iterator_t* it = rocksdb_create_iterator(db, read);
  for (rocksdb_iter_seek(it, "user:", 5); rocksdb_iter_valid(it); rocksdb_iter_next(it)) {
    const char* key = rocksdb_iter_key(it, &size);
    printf("%.*s\n", (int)size, key);
  }
  rocksdb_iter_get_error(it, &error);
  Require(error);
  // #endregion program

  rocksdb_iter_destroy(it);
  rocksdb_readoptions_destroy(read);
  rocksdb_writebatch_destroy(batch);
  rocksdb_writeoptions_destroy(durable);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
  return 0;
}
