// SPDX-License-Identifier: Apache-2.0
// Databases with a time to live. Old values are made by writing their time with the database opened
// without one.
#include <time.h>

#include "steps.h"

enum { kOld = 1400000000 };  // 2014.

static int destroyed = 0;
static void Destroy(void* state) {
  (void)state;
  ++destroyed;
}
static const char* Name(void* state) {
  (void)state;
  return "test.Ttl";
}

static char replacement[] = "by the filter";

// Sees values without their time.
static unsigned char Filter(void* state, int level, const char* key, size_t key_size,
                            const char* value, size_t value_size, char** new_value,
                            size_t* new_value_size, unsigned char* value_changed) {
  (void)state;
  (void)level;
  (void)key;
  (void)key_size;
  if (value_size == 6 && memcmp(value, "remove", 6) == 0) return 1;
  if (value_size == 6 && memcmp(value, "change", 6) == 0) {
    *new_value = replacement;
    *new_value_size = strlen(replacement);
    *value_changed = 1;
  }
  return 0;
}

static Fixture Unopened(void) {
  Fixture f = {rocksdb_options_create(), rocksdb_readoptions_create(),
               rocksdb_writeoptions_create(), NULL, NULL};
  rocksdb_options_set_create_if_missing(f.options, 1);
  rocksdb_options_set_create_missing_column_families(f.options, 1);
  rocksdb_options_set_uint64add_merge_operator(f.options);
  return f;
}

static void PutAged(Fixture* f, const char* key, const char* value, uint32_t seconds) {
  char stored[100];
  const size_t size = strlen(value);
  memcpy(stored, value, size);
  for (int i = 0; i < 4; ++i) stored[size + (size_t)i] = (char)(seconds >> (8 * i));
  rocksdb_put(f->db, f->write, key, strlen(key), stored, size + 4, &f->error);
  MustBeOk("put", f->error);
}

// A value and whether the time behind it is that of this test.
static void PrintStored(Fixture* f, rocksdb_column_family_handle_t* family, const char* key,
                        time_t begin) {
  size_t size = 0;
  char* const value =
      family == NULL ? rocksdb_get(f->db, f->read, key, strlen(key), &size, &f->error)
                     : rocksdb_get_cf(f->db, f->read, family, key, strlen(key), &size, &f->error);
  Outcome(key, &f->error);
  if (value == NULL) return;
  time_t written = 0;
  for (int i = 0; i < 4; ++i) {
    written |= (time_t)(unsigned char)value[size - 4 + (size_t)i] << (8 * i);
  }
  printf("  %d bytes, %s\n", (int)size,
         written >= begin && written <= time(NULL) ? "now" : "not now");
  rocksdb_free(value);
}

static void PrintGet(Fixture* f, const char* key) {
  size_t size = 0;
  char* const value = rocksdb_get(f->db, f->read, key, strlen(key), &size, &f->error);
  PrintAnswer(key, value, size, &f->error);
}

static void PrintReads(Fixture* f) {
  const char* const keys[] = {"new", "old", "short", "none"};
  const size_t sizes[] = {3, 3, 5, 4};
  char *values[4], *errors[4];
  size_t value_sizes[4];
  rocksdb_multi_get(f->db, f->read, 4, keys, sizes, values, value_sizes, errors);
  for (int i = 0; i < 4; ++i) {
    Outcome(keys[i], &errors[i]);
    printf("  %d bytes\n", values[i] == NULL ? -1 : (int)value_sizes[i]);
    rocksdb_free(values[i]);
    rocksdb_pinnableslice_t* const pinned =
        rocksdb_get_pinned(f->db, f->read, keys[i], sizes[i], &f->error);
    Outcome(keys[i], &f->error);
    size_t size = 0;
    rocksdb_pinnableslice_value(pinned, &size);
    printf("  %d bytes pinned\n", (int)size);
    if (pinned != NULL) rocksdb_pinnableslice_destroy(pinned);
  }
}

static void WriteBatch(Fixture* f) {
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put(batch, "batch", 5, "1", 1);
  rocksdb_writebatch_put(batch, "gone", 4, "1", 1);
  rocksdb_writebatch_delete(batch, "gone", 4);
  rocksdb_writebatch_put_log_data(batch, "log", 3);
  rocksdb_writebatch_put(batch, "range", 5, "1", 1);
  rocksdb_writebatch_delete_range(batch, "range", 5, "ranges", 6);
  rocksdb_writebatch_merge(batch, "sum", 3, "\1\0\0\0\0\0\0\0", 8);
  rocksdb_write(f->db, f->write, batch, &f->error);
  Outcome("batch", &f->error);
  rocksdb_writebatch_destroy(batch);
  rocksdb_writebatch_wi_t* const indexed = rocksdb_writebatch_wi_create(0, 1);
  rocksdb_writebatch_wi_put(indexed, "indexed", 7, "2", 1);
  size_t size = 0;
  char* value = rocksdb_writebatch_wi_get_from_batch_and_db(indexed, f->db, f->read, "batch", 5,
                                                            &size, &f->error);
  Outcome("over the database", &f->error);
  printf("  %d bytes\n", (int)size);
  rocksdb_free(value);
  rocksdb_write_writebatch_wi(f->db, f->write, indexed, &f->error);
  Outcome("indexed batch", &f->error);
  rocksdb_writebatch_wi_destroy(indexed);
}

static void PrintSum(Fixture* f) {
  size_t size = 0;
  char* const sum = rocksdb_get(f->db, f->read, "sum", 3, &size, &f->error);
  Outcome("sum", &f->error);
  printf("  %d of %d bytes\n", sum == NULL ? -1 : sum[0], (int)size);
  rocksdb_free(sum);
}

static void Merge(Fixture* f) {
  rocksdb_merge(f->db, f->write, "sum", 3, "\2\0\0\0\0\0\0\0", 8, &f->error);
  Outcome("merge", &f->error);
  PrintSum(f);
}

static void OneFamily(const char* directory) {
  const time_t begin = time(NULL);
  Fixture f = Unopened();
  f.db = rocksdb_open(f.options, directory, &f.error);
  MustBeOk("open", f.error);
  PutAged(&f, "old", "of 2014", kOld);
  PutAged(&f, "older", "of 1970", 1000);
  PutAged(&f, "empty", "", kOld);
  PutAged(&f, "fresh", "of now", (uint32_t)begin);
  Put(&f, "short", "abc");
  rocksdb_close(f.db);
  f.db = rocksdb_open_with_ttl(f.options, directory, 1000000, &f.error);
  Outcome("open with ttl", &f.error);
  Put(&f, "new", "value");
  PrintGet(&f, "older");
  PrintReads(&f);
  rocksdb_delete(f.db, f.write, "short", 5, &f.error);
  rocksdb_delete(f.db, f.write, "older", 5, &f.error);
  Merge(&f);
  WriteBatch(&f);
  Merge(&f);
  rocksdb_delete(f.db, f.write, "sum", 3, &f.error);
  PrintAll(&f);
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  PrintAll(&f);
  Merge(&f);
  rocksdb_close(f.db);
  f.db = rocksdb_open(f.options, directory, &f.error);
  Outcome("open", &f.error);
  PrintStored(&f, NULL, "new", begin);
  PrintStored(&f, NULL, "batch", begin);
  PrintStored(&f, NULL, "indexed", begin);
  PrintStored(&f, NULL, "gone", begin);
  Closed(&f);
}

static void OpenFamilies(Fixture* f, const char* directory, const int* ttls,
                         rocksdb_column_family_handle_t** handles) {
  const char* const names[] = {"default", "short-lived"};
  const rocksdb_options_t* const options[] = {f->options, f->options};
  f->db = ttls == NULL ? rocksdb_open_column_families(f->options, directory, 2, names, options,
                                                      handles, &f->error)
                       : rocksdb_open_column_families_with_ttl(f->options, directory, 2, names,
                                                               options, handles, ttls, &f->error);
  Outcome("open families", &f->error);
}

static void CloseFamilies(Fixture* f, rocksdb_column_family_handle_t** handles) {
  for (int i = 0; i < 2; ++i) rocksdb_column_family_handle_destroy(handles[i]);
  rocksdb_close(f->db);
}

// A filter of the program, which sees what is young enough.
static void Families(const char* directory) {
  const time_t begin = time(NULL);
  Fixture f = Unopened();
  rocksdb_compactionfilter_t* const filter =
      rocksdb_compactionfilter_create(NULL, Destroy, Filter, Name);
  rocksdb_options_set_compaction_filter(f.options, filter);
  rocksdb_column_family_handle_t* handles[2];
  OpenFamilies(&f, directory, NULL, handles);
  PutAged(&f, "old", "of 2014", kOld);
  rocksdb_put_cf(f.db, f.write, handles[1], "old", 3, "value\0\xc0\x72\x53", 9, &f.error);
  Outcome("put", &f.error);
  CloseFamilies(&f, handles);
  const int ttls[] = {0, 10};
  OpenFamilies(&f, directory, ttls, handles);
  rocksdb_put_cf(f.db, f.write, handles[1], "new", 3, "value", 5, &f.error);
  rocksdb_put_cf(f.db, f.write, handles[1], "a", 1, "remove", 6, &f.error);
  rocksdb_put_cf(f.db, f.write, handles[1], "b", 1, "change", 6, &f.error);
  Outcome("put", &f.error);
  for (int i = 0; i < 2; ++i) {
    rocksdb_compact_range_cf(f.db, handles[i], NULL, 0, NULL, 0);
    rocksdb_iterator_t* const iterator = rocksdb_create_iterator_cf(f.db, f.read, handles[i]);
    rocksdb_iter_seek_to_first(iterator);
    PrintForward(iterator);
    rocksdb_iter_seek_to_last(iterator);
    PrintForward(iterator);
    rocksdb_iter_destroy(iterator);
  }
  rocksdb_column_family_handle_t* const more =
      rocksdb_create_column_family_with_ttl(f.db, f.options, "more", 10, &f.error);
  Outcome("create", &f.error);
  rocksdb_put_cf(f.db, f.write, more, "a", 1, "1", 1, &f.error);
  Outcome("put", &f.error);
  rocksdb_drop_column_family(f.db, more, &f.error);
  Outcome("drop", &f.error);
  rocksdb_column_family_handle_destroy(more);
  CloseFamilies(&f, handles);
  OpenFamilies(&f, directory, NULL, handles);
  PrintStored(&f, handles[1], "b", begin);
  CloseFamilies(&f, handles);
  rocksdb_writeoptions_destroy(f.write);
  rocksdb_readoptions_destroy(f.read);
  rocksdb_options_destroy(f.options);
  rocksdb_compactionfilter_destroy(filter);
  printf("%d destroyed\n", destroyed);
}

void TtlStep(const char* directory) {
  char families[600];
  OneFamily(directory);
  snprintf(families, sizeof(families), "%s.families", directory);
  Families(families);
}
