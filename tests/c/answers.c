// SPDX-License-Identifier: Apache-2.0
// Answers that depend on options of reads, and failures of paths and ranges.
#include <locale.h>
#include <sys/stat.h>

#include "steps.h"

static void PrintRead(Fixture* f, const char* what, const char* key) {
  size_t size = 0;
  char* const value = rocksdb_get(f->db, f->read, key, strlen(key), &size, &f->error);
  printf("%s: %s, ", what, value == NULL ? "no value" : "a value");
  rocksdb_free(value);
  Outcome("get", &f->error);
  rocksdb_iterator_t* const iterator = rocksdb_create_iterator(f->db, f->read);
  rocksdb_iter_seek_to_first(iterator);
  printf("%s, ", rocksdb_iter_valid(iterator) ? "valid" : "not valid");
  rocksdb_iter_get_error(iterator, &f->error);
  Outcome("iterator", &f->error);
  rocksdb_iter_destroy(iterator);
}

void ReadOptionsStep(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  Put(&f, "a", "in a table");
  rocksdb_flush(f.db, flush, &f.error);
  MustBeOk("flush", f.error);
  rocksdb_flushoptions_destroy(flush);
  Reopen(&f, directory);  // No block of the table is in the cache.
  rocksdb_readoptions_set_read_tier(f.read, 1);
  PrintRead(&f, "the cache only", "a");
  rocksdb_readoptions_set_read_tier(f.read, 2);
  PrintRead(&f, "what is persistent", "a");
  Put(&f, "b", "in a log");
  PrintRead(&f, "what is persistent", "b");
  rocksdb_readoptions_set_managed(f.read, 1);
  rocksdb_readoptions_set_read_tier(f.read, 0);
  PrintRead(&f, "managed", "a");
  rocksdb_readoptions_set_managed(f.read, 0);
  PrintRead(&f, "not managed", "a");
  Closed(&f);
}

void RangesStep(const char* directory) {
  Fixture f = Opened(directory);
  for (int i = 0; i < 5; ++i) {
    const char key[2] = {(char)('a' + i), 0};
    Put(&f, key, "v");
  }
  rocksdb_writebatch_wi_t* const batch = rocksdb_writebatch_wi_create(0, 1);
  rocksdb_writebatch_wi_put(batch, "x", 1, "v", 1);
  rocksdb_writebatch_wi_delete_range(batch, "a", 1, "d", 1);
  printf("an indexed batch: %d changes\n", rocksdb_writebatch_wi_count(batch));
  rocksdb_write_writebatch_wi(f.db, f.write, batch, &f.error);
  Outcome("written", &f.error);
  rocksdb_writebatch_wi_destroy(batch);
  PrintAll(&f);
  rocksdb_close(f.db);
  const char* const name = "default";
  const rocksdb_options_t* const options = f.options;
  rocksdb_column_family_handle_t* handle = NULL;
  f.db = rocksdb_open_column_families(f.options, directory, 1, &name, &options, &handle, &f.error);
  MustBeOk("open", f.error);
  rocksdb_delete_range_cf(f.db, f.write, handle, "b", 1, "b", 1, &f.error);
  Outcome("an empty range", &f.error);
  rocksdb_delete_range_cf(f.db, f.write, handle, "d", 1, "b", 1, &f.error);
  Outcome("the end before the start", &f.error);
  PrintAll(&f);
  rocksdb_column_family_handle_destroy(handle);
  Closed(&f);
}

static int Descending(void* state, const char* a, size_t a_size, const char* b, size_t b_size) {
  (void)state;
  const int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
  return order != 0 ? -order : (int)b_size - (int)a_size;
}
static const char* DescendingName(void* state) {
  (void)state;
  return "descending";
}
static void NoDestructor(void* state) { (void)state; }

static void WriteRange(Fixture* f, rocksdb_column_family_handle_t* family, const char* begin,
                       const char* end) {
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  if (family == NULL) {
    rocksdb_writebatch_delete_range(batch, begin, 1, end, 1);
  } else {
    rocksdb_writebatch_delete_range_cf(batch, family, begin, 1, end, 1);
  }
  rocksdb_write(f->db, f->write, batch, &f->error);
  Outcome("a batch with a range", &f->error);
  rocksdb_writebatch_destroy(batch);
}

static void WriteMerge(Fixture* f) {
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  rocksdb_writebatch_merge(batch, "k", 1, "v", 1);
  rocksdb_write(f->db, f->write, batch, &f->error);
  Outcome("a batch with a merge", &f->error);
  rocksdb_writebatch_destroy(batch);
}

// Without a merge operator.
void BatchMergeStep(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_close(f.db);
  f.db = rocksdb_open_for_read_only(f.options, directory, 0, &f.error);
  MustBeOk("read-only", f.error);
  WriteMerge(&f);
  Reopen(&f, directory);
  WriteMerge(&f);
  Closed(&f);
}

void BatchRangesStep(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_comparator_t* const order =
      rocksdb_comparator_create(NULL, NoDestructor, Descending, DescendingName);
  rocksdb_options_set_comparator(f.options, order);
  rocksdb_column_family_handle_t* const handle =
      rocksdb_create_column_family(f.db, f.options, "descending", &f.error);
  MustBeOk("create", f.error);
  Put(&f, "b", "v");
  WriteRange(&f, handle, "c", "a");
  WriteRange(&f, NULL, "a", "c");
  PrintAll(&f);
  WriteRange(&f, handle, "a", "c");
  rocksdb_column_family_handle_destroy(handle);
  Closed(&f);
  rocksdb_comparator_destroy(order);
}

static void TryOpen(rocksdb_options_t* options, const char* what, const char* path) {
  char* error = NULL;
  rocksdb_t* const db = rocksdb_open(options, path, &error);
  Outcome(what, &error);
  if (db != NULL) rocksdb_close(db);
}

static void TryTable(const char* path) {
  char* error = NULL;
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_options_set_wal_dir(options, "/anywhere");
  rocksdb_envoptions_t* const env = rocksdb_envoptions_create();
  rocksdb_sstfilewriter_t* const writer = rocksdb_sstfilewriter_create(env, options);
  rocksdb_sstfilewriter_open(writer, path, &error);
  Outcome("a table", &error);
  rocksdb_sstfilewriter_delete_range(writer, "a", 1, "a", 1, &error);
  Outcome("an empty range", &error);
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_envoptions_destroy(env);
  rocksdb_options_destroy(options);
}

void PathsStep(const char* directory) {
  char below[600], file[600], table[600], archive[600], slash[600], log[700];
  snprintf(below, sizeof(below), "%s.none/db", directory);
  snprintf(file, sizeof(file), "%s.file", directory);
  snprintf(table, sizeof(table), "%s.sst", directory);
  snprintf(archive, sizeof(archive), "%s/archive", directory);
  snprintf(slash, sizeof(slash), "%s/./", directory);
  fclose(fopen(file, "w"));
  rocksdb_options_t* const options = rocksdb_options_create();
  TryOpen(options, "not created, below nothing", below);
  TryOpen(options, "not created, a file", file);
  rocksdb_options_set_create_if_missing(options, 1);
  TryOpen(options, "below nothing", below);
  TryOpen(options, "a file", file);
  rocksdb_options_set_wal_dir(options, slash);
  TryOpen(options, "logs beside", directory);
  rocksdb_options_set_wal_dir(options, "");
  TryTable(below);
  TryTable(table);
  char* error = NULL;
  rocksdb_t* const db = rocksdb_open(options, directory, &error);
  MustBeOk("open", error);
  const char* const missing[] = {below};
  rocksdb_ingestexternalfileoptions_t* const ingest = rocksdb_ingestexternalfileoptions_create();
  rocksdb_ingest_external_file(db, missing, 1, ingest, &error);
  Outcome("ingest of nothing", &error);
  rocksdb_ingestexternalfileoptions_destroy(ingest);
  rocksdb_checkpoint_t* const checkpoint = rocksdb_checkpoint_object_create(db, &error);
  rocksdb_checkpoint_create(checkpoint, below, 0, &error);
  Outcome("a checkpoint below nothing", &error);
  rocksdb_checkpoint_object_destroy(checkpoint);
  rocksdb_close(db);
  snprintf(slash, sizeof(slash), "%s/", directory);
  rocksdb_repair_db(options, slash, &error);
  Outcome("repaired", &error);
  TryOpen(options, "and opened", directory);
  rocksdb_destroy_db(options, directory, &error);
  Outcome("destroyed", &error);
  mkdir(directory, 0755);
  TryOpen(options, "made again", directory);
  mkdir(archive, 0755);
  snprintf(log, sizeof(log), "%s/000007.log", archive);
  fclose(fopen(log, "w"));
  rocksdb_destroy_db(options, directory, &error);
  Outcome("destroyed", &error);
  struct stat about;
  printf("its archive is %s\n", stat(archive, &about) == 0 ? "there" : "gone");
  rocksdb_options_destroy(options);
}

void FormatStep(const char* directory) {
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_block_based_table_options_t* const table = rocksdb_block_based_options_create();
  for (int version = 4; version <= 7; ++version) {
    rocksdb_block_based_options_set_format_version(table, version);
    rocksdb_options_set_block_based_table_factory(options, table);
    printf("%d ", version);
    TryOpen(options, "format_version", directory);
  }
  rocksdb_block_based_options_destroy(table);
  rocksdb_options_destroy(options);
}

// The locale is one of program_test.py's.
void LocaleStep(const char* directory) {
  if (setlocale(LC_ALL, "") == NULL) printf("the locale is not there\n");
  printf("half is %.1f\n", 0.5);
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_max_bytes_for_level_multiplier(options, 7.25);
  TryOpen(options, "created", directory);
  TryOpen(options, "opened", directory);
  setlocale(LC_ALL, "C");
  rocksdb_options_destroy(options);
}
