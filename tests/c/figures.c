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
