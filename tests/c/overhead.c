// SPDX-License-Identifier: Apache-2.0
#include "overhead.h"

#include "steps.h"

static size_t sum = 0;

static void PutOne(Fixture* f, const char* key, const char* value) {
  rocksdb_put(f->db, f->write, key, kKeySize, value, kValueSize, &f->error);
}

static void GetOne(Fixture* f, const char* key) {
  size_t size = 0;
  char* const value = rocksdb_get(f->db, f->read, key, kKeySize, &size, &f->error);
  sum += size;
  rocksdb_free(value);
}

static void GetPinnedOne(Fixture* f, const char* key) {
  size_t size = 0;
  rocksdb_pinnableslice_t* const value =
      rocksdb_get_pinned(f->db, f->read, key, kKeySize, &f->error);
  rocksdb_pinnableslice_value(value, &size);
  sum += size;
  rocksdb_pinnableslice_destroy(value);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  Fixture f = Opened(argv[3]);
  char key[kKeySize], value[kValueSize];
  memset(value, 'v', sizeof(value));
  for (unsigned i = 0; i < kRecords; ++i) {
    MakeOverheadKey(key, i);
    PutOne(&f, key, value);
  }
  const int puts = strcmp(argv[1], "put") == 0;
  const int pinned = strcmp(argv[1], "get_pinned") == 0;
  if (!puts) rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  const unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
  for (unsigned i = 0; i < count; ++i) {
    MakeOverheadKey(key, i);
    if (puts) {
      PutOne(&f, key, value);
    } else if (pinned) {
      GetPinnedOne(&f, key);
    } else {
      GetOne(&f, key);
    }
  }
  MustBeOk(argv[1], f.error);
  printf("%zu\n", sum);
  Closed(&f);
  return 0;
}
