// SPDX-License-Identifier: Apache-2.0
// Properties whose numbers follow from what was written.
#include "steps.h"

static void PrintFigures(Fixture* f) {
  const char* const names[] = {"rocksdb.estimate-num-keys",
                               "rocksdb.num-entries-active-mem-table",
                               "rocksdb.num-entries-imm-mem-tables",
                               "rocksdb.num-deletes-active-mem-table",
                               "rocksdb.num-deletes-imm-mem-tables",
                               "rocksdb.num-immutable-mem-table",
                               "rocksdb.num-immutable-mem-table-flushed",
                               "rocksdb.num-snapshots",
                               "rocksdb.is-write-stopped"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    uint64_t number = 12345;
    const int answered = rocksdb_property_int(f->db, names[i], &number);
    char* const text = rocksdb_property_value(f->db, names[i]);
    printf("%s: %d, %d, %s\n", names[i], answered, (int)number, text == NULL ? "null" : text);
    rocksdb_free(text);
  }
}

void FiguresStep(const char* directory) {
  Fixture f = Opened(directory);
  PrintFigures(&f);
  Put(&f, "a", "1");
  Put(&f, "b", "1");
  Put(&f, "c", "1");
  PrintFigures(&f);
  rocksdb_delete(f.db, f.write, "a", 1, &f.error);
  PrintFigures(&f);
  const rocksdb_snapshot_t* const snapshot = rocksdb_create_snapshot(f.db);
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush(f.db, flush, &f.error);
  rocksdb_flushoptions_destroy(flush);
  PrintFigures(&f);
  rocksdb_release_snapshot(f.db, snapshot);
  Put(&f, "d", "1");
  Put(&f, "e", "1");
  PrintFigures(&f);
  Closed(&f);
}

// The block that an iterator stands on is pinned. RocksDB has an entry of its own that always is.
void PinnedStep(const char* directory) {
  Fixture f = {rocksdb_options_create(), rocksdb_readoptions_create(),
               rocksdb_writeoptions_create(), NULL, NULL};
  rocksdb_options_set_create_if_missing(f.options, 1);
  rocksdb_cache_t* const cache = rocksdb_cache_create_lru(1 << 20);
  rocksdb_block_based_table_options_t* const table = rocksdb_block_based_options_create();
  rocksdb_block_based_options_set_block_cache(table, cache);
  rocksdb_options_set_block_based_table_factory(f.options, table);
  f.db = rocksdb_open(f.options, directory, &f.error);
  MustBeOk("open", f.error);
  for (char key[2] = "a"; key[0] <= 'z'; ++key[0]) {
    char value[1001];
    for (int i = 0; i < 1000; ++i) value[i] = (char)('!' + (i * i * key[0] >> 3) % 90);
    value[1000] = '\0';
    Put(&f, key, value);
  }
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush(f.db, flush, &f.error);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_iterator_t* const iterator = rocksdb_create_iterator(f.db, f.read);
  for (rocksdb_iter_seek_to_first(iterator); rocksdb_iter_valid(iterator);
       rocksdb_iter_next(iterator)) {
  }
  printf("used: %d\n", rocksdb_cache_get_usage(cache) > 0);
  rocksdb_iter_seek(iterator, "m", 1);
  const size_t pinned = rocksdb_cache_get_pinned_usage(cache);
  printf("pinned: %d, all: %d\n", pinned > 0, pinned == rocksdb_cache_get_usage(cache));
  rocksdb_iter_destroy(iterator);
  printf("released: %d\n", rocksdb_cache_get_pinned_usage(cache) < pinned);
  Closed(&f);
  rocksdb_block_based_options_destroy(table);
  rocksdb_cache_destroy(cache);
}
