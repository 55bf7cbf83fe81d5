// SPDX-License-Identifier: Apache-2.0
// Compaction filters.
#include "steps.h"

static int destroyed = 0;
static void Destroy(void* state) { destroyed += *(int*)state; }
static const char* Name(void* state) {
  (void)state;
  return "test.Filter";
}

static char changed[] = "changed";

// Removes values that begin with 'x', changes those that begin with 'c'.
static unsigned char Filter(void* state, int level, const char* key, size_t key_size,
                            const char* value, size_t value_size, char** new_value,
                            size_t* new_value_size, unsigned char* value_changed) {
  (void)state;
  (void)level;
  (void)key;
  (void)key_size;
  if (value_size > 0 && value[0] == 'x') return 1;
  if (value_size > 0 && value[0] == 'c') {
    *new_value = changed;
    *new_value_size = strlen(changed);
    *value_changed = 1;
  }
  return 0;
}

static int manual = 0;
static rocksdb_compactionfilter_t* Create(void* state, rocksdb_compactionfiltercontext_t* context) {
  manual += rocksdb_compactionfiltercontext_is_manual_compaction(context);
  (void)rocksdb_compactionfiltercontext_is_full_compaction(context);
  return rocksdb_compactionfilter_create(state, Destroy, Filter, Name);
}

static void Use(Fixture* f, const char* directory) {
  f->db = rocksdb_open(f->options, directory, &f->error);
  MustBeOk("open", f->error);
  Put(f, "a", "x1");
  Put(f, "a", "x2");
  Put(f, "b", "c1");
  Put(f, "c", "kept");
  Put(f, "d", "x, and put again");
  Put(f, "d", "kept");
  Put(f, "e", "kept at first");
  Put(f, "e", "x");
  rocksdb_merge(f->db, f->write, "m", 1, "12345678", 8, &f->error);
  MustBeOk("merge", f->error);
  PrintAll(f);
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush(f->db, flush, &f->error);
  Outcome("flush", &f->error);
  rocksdb_flushoptions_destroy(flush);
  PrintAll(f);
  rocksdb_compact_range(f->db, NULL, 0, NULL, 0);
  PrintAll(f);
  Put(f, "c", "x");
  Put(f, "f", "c2");
  const rocksdb_snapshot_t* const snapshot = rocksdb_create_snapshot(f->db);
  rocksdb_readoptions_set_snapshot(f->read, snapshot);
  PrintAll(f);
  rocksdb_compact_range(f->db, NULL, 0, NULL, 0);
  PrintAll(f);
  rocksdb_readoptions_set_snapshot(f->read, NULL);
  rocksdb_release_snapshot(f->db, snapshot);
  rocksdb_compactoptions_t* const options = rocksdb_compactoptions_create();
  rocksdb_compactoptions_set_bottommost_level_compaction(options, 2);
  rocksdb_compact_range_opt(f->db, options, NULL, 0, NULL, 0);
  rocksdb_compactoptions_destroy(options);
  PrintAll(f);
  rocksdb_close(f->db);
  f->db = rocksdb_open(f->options, directory, &f->error);
  PrintAll(f);
  rocksdb_close(f->db);
}

static Fixture Unopened(void) {
  Fixture f = {rocksdb_options_create(), rocksdb_readoptions_create(),
               rocksdb_writeoptions_create(), NULL, NULL};
  rocksdb_options_set_create_if_missing(f.options, 1);
  rocksdb_options_set_uint64add_merge_operator(f.options);
  return f;
}

static void Destroyed(Fixture* f) {
  rocksdb_writeoptions_destroy(f->write);
  rocksdb_readoptions_destroy(f->read);
  rocksdb_options_destroy(f->options);
}

void FiltersStep(const char* directory) {
  char path[600];
  int one = 1, thousand = 1000;
  Fixture f = Unopened();
  rocksdb_compactionfilter_t* const filter =
      rocksdb_compactionfilter_create(&one, Destroy, Filter, Name);
  rocksdb_options_set_compaction_filter(f.options, filter);
  Use(&f, directory);
  Destroyed(&f);
  printf("%d destroyed\n", destroyed);
  rocksdb_compactionfilter_destroy(filter);
  printf("%d destroyed\n", destroyed);
  f = Unopened();
  one = 0;
  rocksdb_options_set_compaction_filter_factory(
      f.options, rocksdb_compactionfilterfactory_create(&thousand, Destroy, Create, Name));
  snprintf(path, sizeof(path), "%s.factory", directory);
  destroyed = 0;
  thousand = 0;
  Use(&f, path);
  printf("%s compactions\n", manual > 0 ? "manual" : "no manual");
  thousand = 1000;
  Destroyed(&f);
  printf("%d destroyed\n", destroyed);
}
