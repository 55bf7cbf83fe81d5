// SPDX-License-Identifier: Apache-2.0
// The logs as a stream of updates.
#include "steps.h"

static void OnPut(void* state, const char* key, size_t key_size, const char* value,
                  size_t value_size) {
  (void)state;
  printf("  ");
  PrintBytes(key, key_size);
  printf("=");
  PrintBytes(value, value_size);
  printf("\n");
}
static void OnDelete(void* state, const char* key, size_t key_size) {
  (void)state;
  printf("  ");
  PrintBytes(key, key_size);
  printf(" deleted\n");
}

static void PrintUpdates(rocksdb_wal_iterator_t* updates) {
  for (; rocksdb_wal_iter_valid(updates); rocksdb_wal_iter_next(updates)) {
    uint64_t sequence = 0;
    rocksdb_writebatch_t* const batch = rocksdb_wal_iter_get_batch(updates, &sequence);
    printf("%d: %d changes\n", (int)sequence, rocksdb_writebatch_count(batch));
    rocksdb_writebatch_iterate(batch, NULL, OnPut, OnDelete);
    rocksdb_writebatch_destroy(batch);
  }
  char* error = NULL;
  rocksdb_wal_iter_status(updates, &error);
  Outcome("end", &error);
}

static void PrintSince(Fixture* f, uint64_t sequence) {
  printf("since %d\n", (int)sequence);
  rocksdb_wal_iterator_t* const updates =
      rocksdb_get_updates_since(f->db, sequence, NULL, &f->error);
  Outcome("updates", &f->error);
  if (updates == NULL) return;
  PrintUpdates(updates);
  rocksdb_wal_iter_destroy(updates);
}

// Over what is there, so that RocksDB gives it a sequence number, which no log has.
static void IngestOver(Fixture* f, const char* directory, const char* key) {
  char path[600];
  snprintf(path, sizeof(path), "%s.sst", directory);
  rocksdb_envoptions_t* const env = rocksdb_envoptions_create();
  rocksdb_sstfilewriter_t* const writer = rocksdb_sstfilewriter_create(env, f->options);
  rocksdb_sstfilewriter_open(writer, path, &f->error);
  rocksdb_sstfilewriter_put(writer, key, strlen(key), "ingested", 8, &f->error);
  rocksdb_sstfilewriter_finish(writer, &f->error);
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_envoptions_destroy(env);
  const char* const paths[] = {path};
  rocksdb_ingestexternalfileoptions_t* const options = rocksdb_ingestexternalfileoptions_create();
  rocksdb_ingest_external_file(f->db, paths, 1, options, &f->error);
  rocksdb_ingestexternalfileoptions_destroy(options);
  Outcome("ingest", &f->error);
}

static void UpdatesAround(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_column_family_handle_t* const other =
      rocksdb_create_column_family(f.db, f.options, "other", &f.error);
  rocksdb_put_cf(f.db, f.write, other, "keeps the log", 13, "1", 1, &f.error);
  Put(&f, "a", "1");
  IngestOver(&f, directory, "a");
  Put(&f, "b", "2");
  Put(&f, "c", "3");
  PrintSince(&f, rocksdb_get_latest_sequence_number(f.db));
  PrintSince(&f, rocksdb_get_latest_sequence_number(f.db) - 1);
  PrintSince(&f, 1);
  rocksdb_column_family_handle_destroy(other);
  Closed(&f);
}

void UpdatesStep(const char* directory) {
  char around[600];
  snprintf(around, sizeof(around), "%s.around", directory);
  UpdatesAround(around);
  Fixture f = Opened(directory);
  PrintSince(&f, 0);
  PrintSince(&f, 1);
  Put(&f, "a", "1");
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put(batch, "b", 1, "2", 1);
  rocksdb_writebatch_delete(batch, "a", 1);
  rocksdb_writebatch_put(batch, "c", 1, "3", 1);
  rocksdb_write(f.db, f.write, batch, &f.error);
  Outcome("write", &f.error);
  rocksdb_writebatch_destroy(batch);
  Put(&f, "d", "4");
  printf("latest %d\n", (int)rocksdb_get_latest_sequence_number(f.db));
  for (uint64_t sequence = 0; sequence < 8; ++sequence) PrintSince(&f, sequence);
  rocksdb_wal_iterator_t* const updates = rocksdb_get_updates_since(f.db, 5, NULL, &f.error);
  PrintUpdates(updates);
  Put(&f, "e", "5");
  Put(&f, "f", "6");
  rocksdb_wal_iter_next(updates);
  PrintUpdates(updates);
  rocksdb_wal_iter_destroy(updates);
  PrintSince(&f, 5);
  // A long record, in several blocks of the log.
  char* const value = malloc(100001);
  memset(value, 'x', 100000);
  value[100000] = 0;
  Put(&f, "long", value);
  free(value);
  rocksdb_wal_iterator_t* const last = rocksdb_get_updates_since(f.db, 8, NULL, &f.error);
  uint64_t sequence = 0;
  rocksdb_writebatch_t* const long_batch = rocksdb_wal_iter_get_batch(last, &sequence);
  size_t size = 0;
  rocksdb_writebatch_data(long_batch, &size);
  printf("%d: %d bytes\n", (int)sequence, (int)size);
  rocksdb_writebatch_destroy(long_batch);
  rocksdb_wal_iter_destroy(last);
  Closed(&f);
}
