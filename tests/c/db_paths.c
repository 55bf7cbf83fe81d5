// SPDX-License-Identifier: Apache-2.0
// Tables in several directories.
#include <dirent.h>

#include "steps.h"

static int Tables(const char* directory) {
  DIR* const opened = opendir(directory);
  if (opened == NULL) return -1;
  int tables = 0;
  for (const struct dirent* entry = readdir(opened); entry != NULL; entry = readdir(opened)) {
    tables += strstr(entry->d_name, ".sst") != NULL;
  }
  closedir(opened);
  return tables;
}

static void Flush(Fixture* f) {
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush(f->db, flush, &f->error);
  Outcome("flush", &f->error);
  rocksdb_flushoptions_destroy(flush);
}

void DbPathsStep(const char* directory) {
  Fixture f = {rocksdb_options_create(), rocksdb_readoptions_create(),
               rocksdb_writeoptions_create(), NULL, NULL};
  rocksdb_options_set_create_if_missing(f.options, 1);
  rocksdb_options_set_disable_auto_compactions(f.options, 1);
  rocksdb_options_set_max_bytes_for_level_base(f.options, 1 << 20);
  char fast[600], slow[600];
  snprintf(fast, sizeof(fast), "%s-fast", directory);
  snprintf(slow, sizeof(slow), "%s-slow", directory);
  rocksdb_dbpath_t* const paths[] = {rocksdb_dbpath_create(fast, 1 << 20),
                                     rocksdb_dbpath_create(slow, 1 << 30)};
  rocksdb_options_set_db_paths(f.options, (const rocksdb_dbpath_t**)paths, 2);
  rocksdb_dbpath_destroy(paths[0]);
  rocksdb_dbpath_destroy(paths[1]);
  f.db = rocksdb_open(f.options, directory, &f.error);
  Outcome("open", &f.error);
  Put(&f, "a", "1");
  Flush(&f);
  printf("tables: %d, %d\n", Tables(directory), Tables(fast));
  Put(&f, "a", "2");
  Put(&f, "b", "1");
  Flush(&f);
  printf("tables: %d, %d\n", Tables(directory), Tables(fast));
  // RocksDB puts what this makes into the first path, ours into that of its level.
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  printf("tables: %d, %d\n", Tables(directory), Tables(fast) + Tables(slow));
  Put(&f, "c", "1");
  Flush(&f);
  PrintAll(&f);
  Reopen(&f, directory);
  PrintAll(&f);
  rocksdb_close(f.db);
  rocksdb_destroy_db(f.options, directory, &f.error);
  Outcome("destroy", &f.error);
  printf("tables: %d, %d\n", Tables(fast), Tables(slow));
  rocksdb_writeoptions_destroy(f.write);
  rocksdb_readoptions_destroy(f.read);
  rocksdb_options_destroy(f.options);
}
