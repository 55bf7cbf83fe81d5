// SPDX-License-Identifier: Apache-2.0
// Keys with user-defined timestamps: what the functions answer, and a database of random changes
// that either library goes on with and reads at every timestamp.
#include "timestamps.h"

#include <stdint.h>

#include "steps.h"

enum { kKeys = 40, kTimestampSize = 8 };
typedef rocksdb_column_family_handle_t Family;

// --- the order that RocksDB has under this name

static int CompareBytes(const char* a, size_t a_size, const char* b, size_t b_size) {
  const int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
  if (order != 0) return order;
  return a_size < b_size ? -1 : a_size > b_size;
}
static uint64_t NumberOf(const char* timestamp) {
  uint64_t number = 0;
  for (int i = kTimestampSize - 1; i >= 0; --i) {
    number = number << 8 | (unsigned char)timestamp[i];
  }
  return number;
}
static int CompareTimestamps(void* state, const char* a, size_t a_size, const char* b,
                             size_t b_size) {
  (void)state;
  (void)a_size;
  (void)b_size;
  const uint64_t x = NumberOf(a), y = NumberOf(b);
  return x < y ? -1 : x > y;
}
static int CompareWithout(void* state, const char* a, size_t a_size, unsigned char a_has_ts,
                          const char* b, size_t b_size, unsigned char b_has_ts) {
  (void)state;
  return CompareBytes(a, a_size - (a_has_ts ? kTimestampSize : 0), b,
                      b_size - (b_has_ts ? kTimestampSize : 0));
}
static int Compare(void* state, const char* a, size_t a_size, const char* b, size_t b_size) {
  const int order = CompareWithout(state, a, a_size, 1, b, b_size, 1);
  if (order != 0) return order;
  return -CompareTimestamps(state, a + a_size - kTimestampSize, kTimestampSize,
                            b + b_size - kTimestampSize, kTimestampSize);
}
static const char* ComparatorName(void* state) {
  (void)state;
  return "leveldb.BytewiseComparator.u64ts";
}
static void Nothing(void* state) { (void)state; }

typedef struct {
  char bytes[kTimestampSize];
} Timestamp;
static Timestamp At(uint64_t number) {
  Timestamp timestamp;
  for (int i = 0; i < kTimestampSize; ++i) timestamp.bytes[i] = (char)(number >> (8 * i));
  return timestamp;
}

// --- a database whose family "ts" has timestamps

typedef struct {
  Fixture base;
  rocksdb_comparator_t* comparator;
  rocksdb_options_t* stamped;
  Family* families[2];  // "default" has no timestamps.
} Stamped;

static Stamped OpenedStamped(const char* directory, int read_only) {
  static const char* const kNames[] = {"default", "ts"};
  Stamped s = {{rocksdb_options_create(), rocksdb_readoptions_create(),
                rocksdb_writeoptions_create(), NULL, NULL},
               rocksdb_comparator_with_ts_create(NULL, Nothing, Compare, CompareTimestamps,
                                                 CompareWithout, ComparatorName, kTimestampSize),
               rocksdb_options_create(),
               {NULL, NULL}};
  rocksdb_block_based_table_options_t* const table = rocksdb_block_based_options_create();
  rocksdb_block_based_options_set_filter_policy(table, rocksdb_filterpolicy_create_bloom_full(10));
  rocksdb_block_based_options_set_block_size(table, 512);
  rocksdb_options_t* const each[] = {s.base.options, s.stamped};
  for (int i = 0; i < 2; ++i) {
    rocksdb_options_set_create_if_missing(each[i], 1);
    rocksdb_options_set_create_missing_column_families(each[i], 1);
    rocksdb_options_set_block_based_table_factory(each[i], table);
    rocksdb_options_set_target_file_size_base(each[i], 16 << 10);
    rocksdb_options_set_max_bytes_for_level_base(each[i], 64 << 10);
    rocksdb_options_set_level0_file_num_compaction_trigger(each[i], 3);
  }
  rocksdb_options_set_comparator(s.stamped, s.comparator);
  const rocksdb_options_t* options[] = {s.base.options, s.stamped};
  s.base.db = read_only
                  ? rocksdb_open_for_read_only_column_families(
                        s.base.options, directory, 2, kNames, options, s.families, 0, &s.base.error)
                  : rocksdb_open_column_families(s.base.options, directory, 2, kNames, options,
                                                 s.families, &s.base.error);
  MustBeOk("open", s.base.error);
  rocksdb_block_based_options_destroy(table);
  return s;
}

static void ClosedStamped(Stamped* s) {
  for (int i = 0; i < 2; ++i) rocksdb_column_family_handle_destroy(s->families[i]);
  Closed(&s->base);
  rocksdb_options_destroy(s->stamped);
  rocksdb_comparator_destroy(s->comparator);
}

static void PutAt(Stamped* s, const char* key, uint64_t timestamp, const char* value) {
  const Timestamp at = At(timestamp);
  rocksdb_put_cf_with_ts(s->base.db, s->base.write, s->families[1], key, strlen(key), at.bytes,
                         kTimestampSize, value, strlen(value), &s->base.error);
  MustBeOk("put", s->base.error);
}
static void DeleteAt(Stamped* s, const char* key, uint64_t timestamp) {
  const Timestamp at = At(timestamp);
  rocksdb_delete_cf_with_ts(s->base.db, s->base.write, s->families[1], key, strlen(key), at.bytes,
                            kTimestampSize, &s->base.error);
  MustBeOk("delete", s->base.error);
}

// --- reading

// Long values are padded at their ends.
static int ShownOf(size_t size) { return size < 20 ? (int)size : 20; }

static void PrintAt(Stamped* s, const char* key, uint64_t timestamp) {
  const Timestamp at = At(timestamp);
  rocksdb_readoptions_set_timestamp(s->base.read, at.bytes, kTimestampSize);
  size_t size = 0, timestamp_size = 0;
  char* written = NULL;
  char* const value =
      rocksdb_get_cf_with_ts(s->base.db, s->base.read, s->families[1], key, strlen(key), &size,
                             &written, &timestamp_size, &s->base.error);
  printf("%s at %d: ", key, (int)timestamp);
  if (s->base.error != NULL) {
    Outcome("error", &s->base.error);
  } else if (value == NULL) {
    printf("absent\n");
  } else {
    printf("%.*s of %d\n", ShownOf(size), value, (int)NumberOf(written));
    rocksdb_free(value);
    rocksdb_free(written);
  }
}

static void PrintManyAt(Stamped* s, uint64_t timestamp) {
  const Timestamp at = At(timestamp);
  rocksdb_readoptions_set_timestamp(s->base.read, at.bytes, kTimestampSize);
  char names[kKeys][8];
  const char* keys[kKeys];
  const Family* families[kKeys];
  size_t key_sizes[kKeys], sizes[kKeys], timestamp_sizes[kKeys];
  char *values[kKeys], *timestamps[kKeys], *errors[kKeys];
  for (int i = 0; i < kKeys; ++i) {
    snprintf(names[i], sizeof(names[i]), "k%03d", i);
    keys[i] = names[i];
    key_sizes[i] = strlen(names[i]);
    families[i] = s->families[1];
  }
  rocksdb_multi_get_cf_with_ts(s->base.db, s->base.read, families, kKeys, keys, key_sizes, values,
                               sizes, timestamps, timestamp_sizes, errors);
  printf("many at %d:", (int)timestamp);
  for (int i = 0; i < kKeys; ++i) {
    if (errors[i] != NULL) {
      printf(" error");
      rocksdb_free(errors[i]);
    } else if (values[i] == NULL) {
      printf(" -");
    } else {
      printf(" %.*s of %d", ShownOf(sizes[i]), values[i], (int)NumberOf(timestamps[i]));
      rocksdb_free(values[i]);
      rocksdb_free(timestamps[i]);
    }
  }
  printf("\n");
}

static void PrintStamped(const rocksdb_iterator_t* iterator, int versions) {
  size_t key_size = 0, value_size = 0, timestamp_size = 0;
  const char* const key = rocksdb_iter_key(iterator, &key_size);
  const char* const value = rocksdb_iter_value(iterator, &value_size);
  const char* const timestamp = rocksdb_iter_timestamp(iterator, &timestamp_size);
  if (versions) key_size -= kTimestampSize + 8;
  printf(" %.*s@%d=%.*s", (int)key_size, key, (int)NumberOf(timestamp), ShownOf(value_size), value);
  // The type of an internal key is its lowest byte.
  if (versions) printf("/%d", (unsigned char)key[key_size + kTimestampSize]);
}

static void PrintEnd(rocksdb_iterator_t* iterator) {
  char* error = NULL;
  rocksdb_iter_get_error(iterator, &error);
  Outcome("", &error);
}

static rocksdb_iterator_t* NewIterator(Stamped* s, const Timestamp* from, const Timestamp* at) {
  rocksdb_readoptions_set_timestamp(s->base.read, at->bytes, kTimestampSize);
  rocksdb_readoptions_set_iter_start_ts(s->base.read, from == NULL ? NULL : from->bytes,
                                        kTimestampSize);
  return rocksdb_create_iterator_cf(s->base.db, s->base.read, s->families[1]);
}

static void PrintScans(Stamped* s, uint64_t timestamp) {
  const Timestamp at = At(timestamp);
  rocksdb_iterator_t* const iterator = NewIterator(s, NULL, &at);
  printf("forward at %d:", (int)timestamp);
  for (rocksdb_iter_seek_to_first(iterator); rocksdb_iter_valid(iterator);
       rocksdb_iter_next(iterator)) {
    PrintStamped(iterator, 0);
  }
  PrintEnd(iterator);
  printf("backward:");
  for (rocksdb_iter_seek_to_last(iterator); rocksdb_iter_valid(iterator);
       rocksdb_iter_prev(iterator)) {
    PrintStamped(iterator, 0);
  }
  PrintEnd(iterator);
  printf("seeks:");
  for (int i = 0; i < kKeys; i += 3) {
    char key[8];
    snprintf(key, sizeof(key), "k%03d", i);
    rocksdb_iter_seek(iterator, key, strlen(key));
    if (rocksdb_iter_valid(iterator)) PrintStamped(iterator, 0);
    if (rocksdb_iter_valid(iterator)) rocksdb_iter_next(iterator);
    if (rocksdb_iter_valid(iterator)) rocksdb_iter_prev(iterator);
    if (rocksdb_iter_valid(iterator)) PrintStamped(iterator, 0);
    rocksdb_iter_seek_for_prev(iterator, key, strlen(key));
    if (rocksdb_iter_valid(iterator)) PrintStamped(iterator, 0);
    if (rocksdb_iter_valid(iterator)) rocksdb_iter_prev(iterator);
    if (rocksdb_iter_valid(iterator)) rocksdb_iter_next(iterator);
    if (rocksdb_iter_valid(iterator)) PrintStamped(iterator, 0);
    printf(";");
  }
  PrintEnd(iterator);
  rocksdb_iter_destroy(iterator);
}

static void PrintBounded(Stamped* s, uint64_t timestamp) {
  const Timestamp at = At(timestamp);
  rocksdb_readoptions_set_iterate_lower_bound(s->base.read, "k010", 4);
  rocksdb_readoptions_set_iterate_upper_bound(s->base.read, "k025", 4);
  rocksdb_iterator_t* const iterator = NewIterator(s, NULL, &at);
  printf("bounded:");
  for (rocksdb_iter_seek_to_first(iterator); rocksdb_iter_valid(iterator);
       rocksdb_iter_next(iterator)) {
    PrintStamped(iterator, 0);
  }
  printf(" |");
  for (rocksdb_iter_seek_to_last(iterator); rocksdb_iter_valid(iterator);
       rocksdb_iter_prev(iterator)) {
    PrintStamped(iterator, 0);
  }
  PrintEnd(iterator);
  rocksdb_iter_destroy(iterator);
  rocksdb_readoptions_set_iterate_lower_bound(s->base.read, NULL, 0);
  rocksdb_readoptions_set_iterate_upper_bound(s->base.read, NULL, 0);
}

static void PrintVersions(Stamped* s, uint64_t first, uint64_t last) {
  const Timestamp from = At(first), to = At(last);
  rocksdb_iterator_t* const iterator = NewIterator(s, &from, &to);
  printf("versions %d to %d:", (int)first, (int)last);
  for (rocksdb_iter_seek_to_first(iterator); rocksdb_iter_valid(iterator);
       rocksdb_iter_next(iterator)) {
    PrintStamped(iterator, 1);
  }
  PrintEnd(iterator);
  rocksdb_iter_destroy(iterator);
  rocksdb_readoptions_set_iter_start_ts(s->base.read, NULL, 0);
}

// --- random changes

static uint64_t Random(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static void Batch(Stamped* s, uint64_t* state, uint64_t now) {
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  for (uint64_t i = 0, count = 1 + Random(state) % 5; i < count; ++i) {
    char key[16], value[32];
    snprintf(key, sizeof(key), "k%03d", (int)(Random(state) % kKeys));
    snprintf(value, sizeof(value), "b%d.%d", (int)now, (int)i);
    const Timestamp at = At(now);
    if (Random(state) % 4 == 0) {
      rocksdb_writebatch_delete_cf_with_ts(batch, s->families[1], key, 4, at.bytes, kTimestampSize);
    } else {
      rocksdb_writebatch_put_cf_with_ts(batch, s->families[1], key, 4, at.bytes, kTimestampSize,
                                        value, strlen(value));
    }
    rocksdb_writebatch_put_cf(batch, s->families[0], key, 4, value, strlen(value));
  }
  rocksdb_write(s->base.db, s->base.write, batch, &s->base.error);
  MustBeOk("batch", s->base.error);
  rocksdb_writebatch_destroy(batch);
}

static void Flush(Stamped* s) {
  rocksdb_flushoptions_t* const options = rocksdb_flushoptions_create();
  rocksdb_flush_cf(s->base.db, options, s->families[1], &s->base.error);
  MustBeOk("flush", s->base.error);
  rocksdb_flushoptions_destroy(options);
}

// A key that is put once, and deleted by a single deletion.
static void PutAndDeleteOnce(Stamped* s, uint64_t* state, uint64_t now) {
  char key[16];
  snprintf(key, sizeof(key), "k%03ds", (int)(now % 10));
  PutAt(s, key, now, "once");
  if (Random(state) % 2 == 0) Flush(s);
  const Timestamp later = At(now + 1);
  rocksdb_singledelete_cf_with_ts(s->base.db, s->base.write, s->families[1], key, strlen(key),
                                  later.bytes, kTimestampSize, &s->base.error);
  MustBeOk("single deletion", s->base.error);
}

static void Ingest(Stamped* s, const char* directory, uint64_t* state, uint64_t now) {
  char path[600];
  snprintf(path, sizeof(path), "%s.sst", directory);
  rocksdb_envoptions_t* const env = rocksdb_envoptions_create();
  rocksdb_sstfilewriter_t* const writer = rocksdb_sstfilewriter_create(env, s->stamped);
  rocksdb_sstfilewriter_open(writer, path, &s->base.error);
  const Timestamp at = At(now);
  for (int i = (int)(Random(state) % 4); i < kKeys; i += 1 + (int)(Random(state) % 20)) {
    char key[16];
    snprintf(key, sizeof(key), "k%03d", i);
    if (Random(state) % 4 == 0) {
      rocksdb_sstfilewriter_delete_with_ts(writer, key, 4, at.bytes, kTimestampSize,
                                           &s->base.error);
    } else {
      rocksdb_sstfilewriter_put_with_ts(writer, key, 4, at.bytes, kTimestampSize, "ingested", 8,
                                        &s->base.error);
    }
    MustBeOk("adding to a table", s->base.error);
  }
  rocksdb_sstfilewriter_finish(writer, &s->base.error);
  MustBeOk("a table", s->base.error);
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_envoptions_destroy(env);
  rocksdb_ingestexternalfileoptions_t* const options = rocksdb_ingestexternalfileoptions_create();
  rocksdb_ingestexternalfileoptions_set_move_files(options, 1);
  const char* const paths[] = {path};
  rocksdb_ingest_external_file_cf(s->base.db, s->families[1], paths, 1, options, &s->base.error);
  MustBeOk("ingestion", s->base.error);
  rocksdb_ingestexternalfileoptions_destroy(options);
}

static void Change(Stamped* s, const char* directory, uint64_t* state, uint64_t now) {
  char key[16], value[500];
  snprintf(key, sizeof(key), "k%03d", (int)(Random(state) % kKeys));
  const uint64_t what = Random(state) % 100;
  if (what < 55) {
    snprintf(value, sizeof(value), "v%d.%*s", (int)now, (int)(Random(state) % 400), "");
    PutAt(s, key, now, value);
  } else if (what < 75) {
    DeleteAt(s, key, now);
  } else if (what == 93) {
    PutAndDeleteOnce(s, state, now);
  } else if (what == 94) {
    Ingest(s, directory, state, now);
  } else if (what < 95) {
    Batch(s, state, now);
  } else if (what == 95 && now >= 400) {
    const Timestamp low = At(now > 120 ? now - 120 : 1);
    rocksdb_increase_full_history_ts_low(s->base.db, s->families[1], low.bytes, kTimestampSize,
                                         &s->base.error);
    MustBeOk("full_history_ts_low", s->base.error);
  } else if (what < 98) {
    Flush(s);
  } else if (what == 98) {
    rocksdb_compact_range_cf(s->base.db, s->families[1], NULL, 0, NULL, 0);
  } else {
    rocksdb_compact_range_cf(s->base.db, s->families[1], "k005", 4, "k020", 4);
  }
}

void GrowTimestamps(const char* directory, uint64_t round) {
  Stamped s = OpenedStamped(directory, 0);
  uint64_t state = round * 7919;
  for (uint64_t i = 0; i < 300; ++i) Change(&s, directory, &state, round * 100 + i / 3);
  if (round % 3 == 0) _Exit(0);  // As by a crash: the logs have what no table has yet.
  ClosedStamped(&s);
}

void ShowTimestamps(const char* directory, uint64_t rounds) {
  Stamped s = OpenedStamped(directory, 1);
  char key[8];
  for (uint64_t at = 0; at <= (rounds + 1) * 100; at += 23) {
    for (int i = 0; i < kKeys; ++i) {
      snprintf(key, sizeof(key), "k%03d", i);
      PrintAt(&s, key, at);
    }
    PrintManyAt(&s, at);
    PrintScans(&s, at);
    PrintBounded(&s, at);
    PrintVersions(&s, at / 2, at);
  }
  ClosedStamped(&s);
}

// --- what the functions answer

static void Refusals(Stamped* s) {
  Fixture* const f = &s->base;
  const Timestamp at = At(7);
  size_t size = 0, timestamp_size = 0;
  char* written = NULL;
  rocksdb_readoptions_set_timestamp(f->read, NULL, 0);
  rocksdb_get_cf(f->db, f->read, s->families[1], "a", 1, &size, &f->error);
  Outcome("get without a timestamp", &f->error);
  rocksdb_readoptions_set_timestamp(f->read, at.bytes, 4);
  rocksdb_get_cf(f->db, f->read, s->families[1], "a", 1, &size, &f->error);
  Outcome("get with a short one", &f->error);
  rocksdb_readoptions_set_timestamp(f->read, at.bytes, kTimestampSize);
  rocksdb_get_cf_with_ts(f->db, f->read, s->families[0], "a", 1, &size, &written, &timestamp_size,
                         &f->error);
  Outcome("get with a timestamp where keys have none", &f->error);
  rocksdb_put_cf(f->db, f->write, s->families[1], "a", 1, "1", 1, &f->error);
  Outcome("put without a timestamp", &f->error);
  rocksdb_delete_cf(f->db, f->write, s->families[1], "a", 1, &f->error);
  Outcome("delete without a timestamp", &f->error);
  rocksdb_put_cf_with_ts(f->db, f->write, s->families[1], "a", 1, at.bytes, 4, "1", 1, &f->error);
  Outcome("put with a short one", &f->error);
  rocksdb_put_cf_with_ts(f->db, f->write, s->families[0], "a", 1, at.bytes, kTimestampSize, "1", 1,
                         &f->error);
  Outcome("put with a timestamp where keys have none", &f->error);
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put_cf(batch, s->families[1], "a", 1, "1", 1);
  rocksdb_write(f->db, f->write, batch, &f->error);
  Outcome("batch without timestamps", &f->error);
  rocksdb_writebatch_destroy(batch);
  rocksdb_readoptions_set_timestamp(f->read, NULL, 0);
  rocksdb_iterator_t* const iterator = rocksdb_create_iterator_cf(f->db, f->read, s->families[1]);
  rocksdb_iter_get_error(iterator, &f->error);
  Outcome("iterator without a timestamp", &f->error);
  rocksdb_iter_destroy(iterator);
}

static void History(Stamped* s) {
  Fixture* const f = &s->base;
  Timestamp low = At(8);
  rocksdb_increase_full_history_ts_low(f->db, s->families[1], low.bytes, kTimestampSize, &f->error);
  Outcome("give up the history before 8", &f->error);
  size_t size = 0;
  char* const now = rocksdb_get_full_history_ts_low(f->db, s->families[1], &size, &f->error);
  Outcome("full_history_ts_low", &f->error);
  printf("is %d, %d bytes\n", (int)NumberOf(now), (int)size);
  rocksdb_free(now);
  low = At(7);
  rocksdb_increase_full_history_ts_low(f->db, s->families[1], low.bytes, kTimestampSize, &f->error);
  Outcome("before 7", &f->error);
  rocksdb_increase_full_history_ts_low(f->db, s->families[1], low.bytes, 4, &f->error);
  Outcome("with a short one", &f->error);
  rocksdb_increase_full_history_ts_low(f->db, s->families[0], low.bytes, kTimestampSize, &f->error);
  Outcome("where keys have no timestamps", &f->error);
  for (uint64_t at = 6; at < 10; ++at) {
    PrintAt(s, "a", at);
    PrintAt(s, "b", at);
    PrintScans(s, at);
  }
  rocksdb_compactoptions_t* const options = rocksdb_compactoptions_create();
  low = At(9);
  rocksdb_compactoptions_set_full_history_ts_low(options, low.bytes, kTimestampSize);
  rocksdb_compact_range_cf_opt(f->db, s->families[1], options, NULL, 0, NULL, 0);
  rocksdb_compactoptions_destroy(options);
  PrintVersions(s, 0, 40);
  PrintAt(s, "a", 8);
}

static void Snapshots(Stamped* s) {
  const rocksdb_snapshot_t* const snapshot = rocksdb_create_snapshot(s->base.db);
  PutAt(s, "a", 30, "after the snapshot");
  PutAt(s, "b", 20, "as well");
  rocksdb_readoptions_set_snapshot(s->base.read, snapshot);
  PrintAt(s, "a", 40);
  PrintAt(s, "b", 40);
  PrintScans(s, 40);
  rocksdb_readoptions_set_snapshot(s->base.read, NULL);
  PrintAt(s, "a", 40);
  PrintAt(s, "b", 40);
  PrintScans(s, 40);
  rocksdb_release_snapshot(s->base.db, snapshot);
}

void TimestampsStep(const char* directory) {
  Stamped s = OpenedStamped(directory, 0);
  Refusals(&s);
  PutAt(&s, "a", 5, "five");
  PutAt(&s, "a", 9, "nine");
  PutAt(&s, "a", 9, "nine again");
  PutAt(&s, "b", 3, "three");
  DeleteAt(&s, "b", 6);
  PutAt(&s, "c", 0, "the oldest");
  for (uint64_t at = 0; at < 11; ++at) {
    PrintAt(&s, "a", at);
    PrintAt(&s, "b", at);
    PrintAt(&s, "c", at);
    PrintScans(&s, at);
    PrintVersions(&s, at / 2, at);
  }
  History(&s);
  Snapshots(&s);
  ClosedStamped(&s);
}
