// SPDX-License-Identifier: Apache-2.0
// Write batches that are read by key, alone and over a database.
#include "steps.h"

static void PrintResult(const char* what, char* value, size_t size, char** error) {
  Outcome(what, error);
  printf("  ");
  if (value == NULL) {
    printf("absent");
  } else {
    PrintBytes(value, size);
  }
  printf("\n");
  rocksdb_free(value);
}

static void PrintKey(Fixture* f, rocksdb_writebatch_wi_t* batch, const char* key) {
  size_t size = 0;
  char* value =
      rocksdb_writebatch_wi_get_from_batch(batch, f->options, key, strlen(key), &size, &f->error);
  PrintResult(key, value, size, &f->error);
  value = rocksdb_writebatch_wi_get_from_batch_and_db(batch, f->db, f->read, key, strlen(key),
                                                      &size, &f->error);
  PrintResult("  with the database", value, size, &f->error);
}

static void PrintKeys(Fixture* f, rocksdb_writebatch_wi_t* batch) {
  const char* const keys[] = {"a", "b", "c", "d", "e", "f", "m", "n", "zz"};
  for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); ++i) PrintKey(f, batch, keys[i]);
}

static void PrintBackward(rocksdb_iterator_t* iterator) {
  for (; rocksdb_iter_valid(iterator); rocksdb_iter_prev(iterator)) {
    size_t size = 0;
    const char* const key = rocksdb_iter_key(iterator, &size);
    printf("  ");
    PrintBytes(key, size);
    printf("\n");
  }
}

static void PrintWhere(const char* what, rocksdb_iterator_t* iterator) {
  printf("%s: ", what);
  if (!rocksdb_iter_valid(iterator)) {
    printf("nowhere\n");
    return;
  }
  size_t size = 0, value_size = 0;
  const char* const key = rocksdb_iter_key(iterator, &size);
  const char* const value = rocksdb_iter_value(iterator, &value_size);
  PrintBytes(key, size);
  printf("=");
  PrintBytes(value, value_size);
  printf("\n");
}

// Turns around at each record, and where only one of the two has more.
static void TurnAround(rocksdb_iterator_t* iterator) {
  for (int from = 0; from < 7; ++from) {
    rocksdb_iter_seek_to_first(iterator);
    for (int i = 0; i < from && rocksdb_iter_valid(iterator); ++i) rocksdb_iter_next(iterator);
    if (!rocksdb_iter_valid(iterator)) break;
    PrintWhere("from", iterator);
    rocksdb_iter_prev(iterator);
    PrintWhere("  back", iterator);
    if (rocksdb_iter_valid(iterator)) rocksdb_iter_next(iterator);
    PrintWhere("  and forth", iterator);
    if (rocksdb_iter_valid(iterator)) rocksdb_iter_next(iterator);
    PrintWhere("  on", iterator);
  }
}

static void Seek(rocksdb_iterator_t* iterator, const char* key) {
  rocksdb_iter_seek(iterator, key, strlen(key));
  PrintWhere(key, iterator);
  rocksdb_iter_seek_for_prev(iterator, key, strlen(key));
  PrintWhere("  for prev", iterator);
}

static void Iterate(Fixture* f, rocksdb_writebatch_wi_t* batch) {
  rocksdb_iterator_t* const iterator = rocksdb_writebatch_wi_create_iterator_with_base(
      batch, rocksdb_create_iterator(f->db, f->read));
  PrintWhere("at first", iterator);
  rocksdb_iter_seek_to_first(iterator);
  PrintForward(iterator);
  rocksdb_iter_seek_to_last(iterator);
  PrintBackward(iterator);
  Seek(iterator, "b");
  Seek(iterator, "bb");
  Seek(iterator, "A");
  Seek(iterator, "zzz");
  TurnAround(iterator);
  rocksdb_iter_destroy(iterator);
}

static void Fill(rocksdb_writebatch_wi_t* batch) {
  rocksdb_writebatch_wi_put(batch, "b", 1, "in the batch", 12);
  rocksdb_writebatch_wi_put(batch, "b", 1, "again", 5);
  rocksdb_writebatch_wi_delete(batch, "c", 1);
  rocksdb_writebatch_wi_put(batch, "d", 1, "put and deleted", 15);
  rocksdb_writebatch_wi_singledelete(batch, "d", 1);
  rocksdb_writebatch_wi_delete(batch, "f", 1);
  rocksdb_writebatch_wi_put(batch, "f", 1, "deleted and put", 15);
  rocksdb_writebatch_wi_put_log_data(batch, "log", 3);
  rocksdb_writebatch_wi_put(batch, "zz", 2, "behind all", 10);
}

static void SavePoints(Fixture* f, rocksdb_writebatch_wi_t* batch) {
  rocksdb_writebatch_wi_set_save_point(batch);
  rocksdb_writebatch_wi_delete(batch, "b", 1);
  rocksdb_writebatch_wi_put(batch, "only here", 9, "1", 1);
  PrintKey(f, batch, "b");
  PrintKey(f, batch, "only here");
  rocksdb_writebatch_wi_rollback_to_save_point(batch, &f->error);
  Outcome("back", &f->error);
  PrintKey(f, batch, "b");
  PrintKey(f, batch, "only here");
  // As long as before, but another change.
  rocksdb_writebatch_wi_delete(batch, "a", 1);
  rocksdb_writebatch_wi_put(batch, "only then", 9, "2", 1);
  PrintKey(f, batch, "a");
  PrintKey(f, batch, "only here");
  PrintKey(f, batch, "only then");
}

static void OtherFamily(Fixture* f) {
  rocksdb_column_family_handle_t* const family =
      rocksdb_create_column_family(f->db, f->options, "other", &f->error);
  MustBeOk("create", f->error);
  rocksdb_put_cf(f->db, f->write, family, "b", 1, "of the other", 12, &f->error);
  rocksdb_put_cf(f->db, f->write, family, "x", 1, "of the other", 12, &f->error);
  rocksdb_writebatch_wi_t* const batch = rocksdb_writebatch_wi_create(0, 1);
  rocksdb_writebatch_wi_put(batch, "b", 1, "default", 7);
  rocksdb_writebatch_wi_put_cf(batch, family, "c", 1, "other", 5);
  rocksdb_writebatch_wi_delete_cf(batch, family, "x", 1);
  size_t size = 0;
  char* value =
      rocksdb_writebatch_wi_get_from_batch_cf(batch, f->options, family, "b", 1, &size, &f->error);
  PrintResult("b in the batch", value, size, &f->error);
  value = rocksdb_writebatch_wi_get_from_batch_and_db_cf(batch, f->db, f->read, family, "b", 1,
                                                         &size, &f->error);
  PrintResult("b over the database", value, size, &f->error);
  rocksdb_iterator_t* const iterator = rocksdb_writebatch_wi_create_iterator_with_base_cf(
      batch, rocksdb_create_iterator_cf(f->db, f->read, family), family);
  rocksdb_iter_seek_to_first(iterator);
  PrintForward(iterator);
  rocksdb_iter_destroy(iterator);
  rocksdb_writebatch_wi_destroy(batch);
  rocksdb_column_family_handle_destroy(family);
}

static void WithMerges(Fixture* f) {
  rocksdb_writebatch_wi_t* const batch = rocksdb_writebatch_wi_create(0, 1);
  const char one[8] = {1}, two[8] = {2};
  rocksdb_writebatch_wi_merge(batch, "n", 1, one, 8);
  rocksdb_writebatch_wi_merge(batch, "n", 1, two, 8);
  rocksdb_writebatch_wi_put(batch, "m", 1, one, 8);
  rocksdb_writebatch_wi_merge(batch, "m", 1, two, 8);
  rocksdb_writebatch_wi_merge(batch, "new", 3, two, 8);
  const char* const keys[] = {"m", "n", "new"};
  for (int i = 0; i < 3; ++i) {
    size_t size = 0;
    char* value = rocksdb_writebatch_wi_get_from_batch_and_db(batch, f->db, f->read, keys[i],
                                                              strlen(keys[i]), &size, &f->error);
    Outcome(keys[i], &f->error);
    printf("  %d\n", value == NULL ? -1 : value[0]);
    rocksdb_free(value);
    value = rocksdb_writebatch_wi_get_from_batch(batch, f->options, keys[i], strlen(keys[i]), &size,
                                                 &f->error);
    Outcome("  alone", &f->error);
    printf("  %d\n", value == NULL ? -1 : value[0]);
    rocksdb_free(value);
  }
  rocksdb_writebatch_wi_destroy(batch);
}

void IndexedStep(const char* directory) {
  Fixture f = Opened(directory);
  Put(&f, "a", "1");
  Put(&f, "b", "2");
  Put(&f, "c", "3");
  Put(&f, "e", "5");
  for (int overwrite = 0; overwrite < 2; ++overwrite) {
    rocksdb_writebatch_wi_t* const batch =
        rocksdb_writebatch_wi_create(0, (unsigned char)overwrite);
    PrintKeys(&f, batch);
    Fill(batch);
    printf("%d changes\n", rocksdb_writebatch_wi_count(batch));
    PrintKeys(&f, batch);
    Iterate(&f, batch);
    SavePoints(&f, batch);
    rocksdb_writebatch_wi_clear(batch);
    PrintKeys(&f, batch);
    Iterate(&f, batch);
    rocksdb_writebatch_wi_destroy(batch);
  }
  OtherFamily(&f);
  Closed(&f);
}

void IndexedMergeStep(const char* directory) {
  Fixture f = {rocksdb_options_create(), rocksdb_readoptions_create(),
               rocksdb_writeoptions_create(), NULL, NULL};
  rocksdb_options_set_create_if_missing(f.options, 1);
  rocksdb_options_set_uint64add_merge_operator(f.options);
  f.db = rocksdb_open(f.options, directory, &f.error);
  MustBeOk("open", f.error);
  const char five[8] = {5};
  rocksdb_put(f.db, f.write, "n", 1, five, 8, &f.error);
  rocksdb_put(f.db, f.write, "m", 1, five, 8, &f.error);
  MustBeOk("put", f.error);
  WithMerges(&f);
  Closed(&f);
}
