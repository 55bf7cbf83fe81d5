// SPDX-License-Identifier: Apache-2.0
// Obsolete tables stay while deletions of files are disabled.
#include <dirent.h>

#include "steps.h"

static void PrintTables(Fixture* f, const char* directory) {
  int tables = 0;
  DIR* const entries = opendir(directory);
  for (struct dirent* entry; (entry = readdir(entries)) != NULL;) {
    const char* const dot = strrchr(entry->d_name, '.');
    tables += dot != NULL && strcmp(dot, ".sst") == 0;
  }
  closedir(entries);
  uint64_t enabled = 7;
  rocksdb_property_int(f->db, "rocksdb.is-file-deletions-enabled", &enabled);
  printf("%d tables, enabled: %d\n", tables, (int)enabled);
}

static void WriteTable(Fixture* f) {
  Put(f, "a", "1");
  Put(f, "z", "1");
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush(f->db, flush, &f->error);
  rocksdb_flushoptions_destroy(flush);
  MustBeOk("flush", f->error);
}

static void Disable(Fixture* f) {
  rocksdb_disable_file_deletions(f->db, &f->error);
  Outcome("disable", &f->error);
}
static void Enable(Fixture* f, unsigned char force) {
  rocksdb_enable_file_deletions(f->db, force, &f->error);
  Outcome("enable", &f->error);
}

void KeptFilesStep(const char* directory) {
  Fixture f = Opened(directory);
  for (int round = 0; round < 2; ++round) {
    WriteTable(&f);
    WriteTable(&f);
    PrintTables(&f, directory);
    Disable(&f);
    Disable(&f);
    rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
    PrintTables(&f, directory);
    Enable(&f, (unsigned char)round);
    PrintTables(&f, directory);
    Enable(&f, 0);
    PrintTables(&f, directory);
  }
  Enable(&f, 0);
  Disable(&f);
  WriteTable(&f);
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  Closed(&f);
  f = Opened(directory);
  PrintTables(&f, directory);
  rocksdb_close(f.db);
  f.db = rocksdb_open_for_read_only(f.options, directory, 0, &f.error);
  Disable(&f);
  Enable(&f, 1);
  Closed(&f);
}
