// SPDX-License-Identifier: Apache-2.0
// Opening a database whose log is damaged, with each recovery mode.
#include <dirent.h>

#include "steps.h"

// The newest log, with the byte at `offset` changed, or cut there.
static void DamageLog(const char* directory, long offset, int cut) {
  char path[800] = "", bytes[4096];
  DIR* const entries = opendir(directory);
  for (struct dirent* entry; (entry = readdir(entries)) != NULL;) {
    const char* const dot = strrchr(entry->d_name, '.');
    if (dot == NULL || strcmp(dot, ".log") != 0) continue;
    char found[800];
    snprintf(found, sizeof(found), "%s/%s", directory, entry->d_name);
    if (strcmp(found, path) > 0) memcpy(path, found, sizeof(path));
  }
  closedir(entries);
  FILE* file = fopen(path, "rb");
  size_t size = fread(bytes, 1, sizeof(bytes), file);
  fclose(file);
  if (cut) size = (size_t)offset;
  bytes[offset] ^= 1;
  file = fopen(path, "wb");
  fwrite(bytes, 1, size, file);
  fclose(file);
}

static void OpenDamaged(const char* directory, int mode, long offset, int cut) {
  printf("mode %d, %s at %ld\n", mode, cut ? "cut" : "damaged", offset);
  char path[600];
  snprintf(path, sizeof(path), "%s.%d.%ld.%d", directory, mode, offset, cut);
  Fixture f = Opened(path);
  for (char key[2] = "a"; key[0] <= 'f'; ++key[0]) Put(&f, key, "a value");
  rocksdb_close(f.db);
  DamageLog(path, offset, cut);
  rocksdb_options_set_wal_recovery_mode(f.options, mode);
  f.db = rocksdb_open(f.options, path, &f.error);
  const int opened = f.error == NULL;
  Outcome("open", &f.error);
  if (opened) {
    PrintAll(&f);
    Put(&f, "new", "value");
    Reopen(&f, path);
    PrintAll(&f);
    rocksdb_close(f.db);
  }
  rocksdb_writeoptions_destroy(f.write);
  rocksdb_readoptions_destroy(f.read);
  rocksdb_options_destroy(f.options);
}

// Each record has 31 bytes.
void RecoveryStep(const char* directory) {
  for (int mode = 0; mode <= 3; ++mode) {
    OpenDamaged(directory, mode, 2 * 31 + 25, 0);
    OpenDamaged(directory, mode, 4 * 31 + 20, 1);
  }
}
