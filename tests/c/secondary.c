// SPDX-License-Identifier: Apache-2.0
// A secondary instance beside the primary that writes, both in this process.
#include "steps.h"

typedef struct {
  Fixture primary;
  rocksdb_column_family_handle_t* other;  // Of the primary.
  rocksdb_options_t* options;             // Of the secondary.
  rocksdb_t* db;                          // The secondary.
  rocksdb_column_family_handle_t* families[2];
  char* error;
} Pair;

static const char* const kNames[] = {"default", "other"};

static void OpenSecondary(Pair* p, const char* directory) {
  char path[600];
  snprintf(path, sizeof(path), "%s-secondary", directory);
  const rocksdb_options_t* const options[] = {p->options, p->options};
  p->db = rocksdb_open_as_secondary_column_families(p->options, directory, path, 2, kNames, options,
                                                    p->families, &p->error);
  MustBeOk("open as secondary", p->error);
}

static void CloseSecondary(Pair* p) {
  for (int i = 0; i < 2; ++i) rocksdb_column_family_handle_destroy(p->families[i]);
  rocksdb_close(p->db);
}

static void CatchUp(Pair* p) {
  rocksdb_try_catch_up_with_primary(p->db, &p->error);
  Outcome("catch up", &p->error);
}

static void PutIn(Pair* p, const char* key, const char* value) {
  rocksdb_put_cf(p->primary.db, p->primary.write, p->other, key, strlen(key), value, strlen(value),
                 &p->error);
  MustBeOk("put", p->error);
}

static void Flush(Pair* p) {
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush(p->primary.db, flush, &p->error);
  rocksdb_flush_cf(p->primary.db, flush, p->other, &p->error);
  MustBeOk("flush", p->error);
  rocksdb_flushoptions_destroy(flush);
}

static void PrintSecondary(Pair* p) {
  for (int i = 0; i < 2; ++i) {
    printf(" %s\n", kNames[i]);
    rocksdb_iterator_t* const it =
        rocksdb_create_iterator_cf(p->db, p->primary.read, p->families[i]);
    rocksdb_iter_seek_to_first(it);
    PrintForward(it);
    rocksdb_iter_get_error(it, &p->error);
    Outcome("iterate", &p->error);
    rocksdb_iter_destroy(it);
  }
  printf(" at %llu\n", (unsigned long long)rocksdb_get_latest_sequence_number(p->db));
}

// What is written, flushed, compacted and logged in a new MANIFEST.
static void Follow(Pair* p, const char* directory) {
  Put(&p->primary, "a", "1");
  PutIn(p, "a", "other 1");
  PrintSecondary(p);
  CatchUp(p);
  PrintSecondary(p);
  Flush(p);
  Put(&p->primary, "a", "2");
  PutIn(p, "b", "other 2");
  rocksdb_delete_range_cf(p->primary.db, p->primary.write, p->other, "a", 1, "b", 1, &p->error);
  MustBeOk("delete range", p->error);
  CatchUp(p);
  PrintSecondary(p);
  rocksdb_iterator_t* const before = rocksdb_create_iterator(p->db, p->primary.read);
  rocksdb_iter_seek_to_first(before);
  Put(&p->primary, "c", "3");
  Flush(p);
  rocksdb_compact_range(p->primary.db, NULL, 0, NULL, 0);
  rocksdb_compact_range_cf(p->primary.db, p->other, NULL, 0, NULL, 0);
  CatchUp(p);
  PrintSecondary(p);
  printf(" an iterator of before\n");
  PrintForward(before);
  rocksdb_iter_destroy(before);
  rocksdb_column_family_handle_destroy(p->other);
  rocksdb_close(p->primary.db);
  CatchUp(p);
  PrintSecondary(p);
  rocksdb_column_family_handle_t* handles[2];
  const rocksdb_options_t* const options[] = {p->primary.options, p->primary.options};
  p->primary.db = rocksdb_open_column_families(p->primary.options, directory, 2, kNames, options,
                                               handles, &p->error);
  MustBeOk("reopen", p->error);
  rocksdb_column_family_handle_destroy(handles[0]);
  p->other = handles[1];
  Put(&p->primary, "d", "4");
  CatchUp(p);
  PrintSecondary(p);
}

static void Drop(Pair* p) {
  rocksdb_drop_column_family(p->primary.db, p->other, &p->error);
  Outcome("drop", &p->error);
  rocksdb_column_family_handle_destroy(p->other);
  p->other = rocksdb_create_column_family(p->primary.db, p->primary.options, "later", &p->error);
  MustBeOk("create", p->error);
  PutIn(p, "a", "of a later family");
  Put(&p->primary, "e", "5");
  CatchUp(p);
  PrintSecondary(p);
  CatchUp(p);
  PrintSecondary(p);
}

static void Refused(Pair* p, const char* directory) {
  rocksdb_try_catch_up_with_primary(p->primary.db, &p->error);
  Outcome("catch up of the primary", &p->error);
  rocksdb_t* const reader =
      rocksdb_open_for_read_only(p->options, directory, /*error_if_wal_file_exists=*/0, &p->error);
  MustBeOk("open read-only", p->error);
  rocksdb_try_catch_up_with_primary(reader, &p->error);
  Outcome("catch up of one that is read-only", &p->error);
  rocksdb_close(reader);
  rocksdb_put(p->db, p->primary.write, "a", 1, "9", 1, &p->error);
  Outcome("put", &p->error);
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush(p->db, flush, &p->error);
  Outcome("flush", &p->error);
  rocksdb_flushoptions_destroy(flush);
  const char* const names[] = {"default", "nothing"};
  const rocksdb_options_t* const options[] = {p->options, p->options};
  rocksdb_column_family_handle_t* handles[2];
  char path[600];
  snprintf(path, sizeof(path), "%s-more", directory);
  rocksdb_open_as_secondary_column_families(p->options, directory, path, 2, names, options, handles,
                                            &p->error);
  Outcome("open with a family that is not there", &p->error);
  rocksdb_open_as_secondary(p->options, path, path, &p->error);
  Outcome("open what is no database", &p->error);
  rocksdb_destroy_db(p->options, path, &p->error);
  Outcome("destroy what the secondary had there", &p->error);
}

void SecondaryStep(const char* directory) {
  Pair p = {Opened(directory), NULL, rocksdb_options_create(), NULL, {NULL, NULL}, NULL};
  rocksdb_options_set_max_open_files(p.options, -1);
  p.other = rocksdb_create_column_family(p.primary.db, p.primary.options, "other", &p.error);
  MustBeOk("create", p.error);
  OpenSecondary(&p, directory);
  Follow(&p, directory);
  Refused(&p, directory);
  Drop(&p);
  CloseSecondary(&p);
  rocksdb_column_family_handle_destroy(p.other);
  rocksdb_options_destroy(p.options);
  Closed(&p.primary);
}
