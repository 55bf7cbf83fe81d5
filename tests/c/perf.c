// SPDX-License-Identifier: Apache-2.0
// The performance context of a thread, which tells filters apart; snapshots that are none.
#include "steps.h"

enum { kKeys = 1500, kAbsent = 10000 };

static void Fill(Fixture* f) {
  for (int i = 0; i < kKeys; ++i) {
    char key[40];
    snprintf(key, sizeof(key), "yes%020d", i);
    Put(f, key, "value");
  }
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  rocksdb_flush(f->db, flush, &f->error);
  Outcome("flush", &f->error);
  rocksdb_flushoptions_destroy(flush);
}

// All between the smallest and the largest key.
static void AskForAbsent(Fixture* f) {
  for (int i = 0; i < kAbsent; ++i) {
    char key[40];
    size_t size = 0;
    snprintf(key, sizeof(key), "yes%020d%d", i % (kKeys - 1), i);
    free(rocksdb_get(f->db, f->read, key, strlen(key), &size, &f->error));
  }
  Outcome("gets", &f->error);
}

static void PrintPerf(rocksdb_perfcontext_t* perf) {
  printf("bloom: %d passed, %d not\n",
         (int)rocksdb_perfcontext_metric(perf, rocksdb_bloom_sst_hit_count),
         (int)rocksdb_perfcontext_metric(perf, rocksdb_bloom_sst_miss_count));
}

static void WithFilter(const char* directory, rocksdb_filterpolicy_t* policy) {
  Fixture f = {rocksdb_options_create(), rocksdb_readoptions_create(),
               rocksdb_writeoptions_create(), NULL, NULL};
  rocksdb_options_set_create_if_missing(f.options, 1);
  rocksdb_options_set_disable_auto_compactions(f.options, 1);
  rocksdb_block_based_table_options_t* const table = rocksdb_block_based_options_create();
  rocksdb_block_based_options_set_filter_policy(table, policy);
  rocksdb_options_set_block_based_table_factory(f.options, table);
  rocksdb_block_based_options_destroy(table);
  f.db = rocksdb_open(f.options, directory, &f.error);
  MustBeOk("open", f.error);
  Fill(&f);
  rocksdb_perfcontext_t* const perf = rocksdb_perfcontext_create();
  rocksdb_perfcontext_reset(perf);
  AskForAbsent(&f);
  PrintPerf(perf);
  rocksdb_set_perf_level(rocksdb_disable);
  AskForAbsent(&f);
  PrintPerf(perf);
  rocksdb_set_perf_level(rocksdb_enable_count);
  rocksdb_perfcontext_reset(perf);
  PrintPerf(perf);
  // A compaction with what is on the next level.
  Fill(&f);
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  Fill(&f);
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  rocksdb_perfcontext_reset(perf);
  AskForAbsent(&f);
  PrintPerf(perf);
  char* const report = rocksdb_perfcontext_report(perf, 1);
  printf("%s\n", strstr(report, "bloom_sst_miss_count = ") == NULL ? "no report" : "a report");
  rocksdb_free(report);
  rocksdb_perfcontext_destroy(perf);
  Closed(&f);
}

void PerfStep(const char* directory) {
  char path[600];
  rocksdb_filterpolicy_t* const policies[] = {rocksdb_filterpolicy_create_bloom_full(8),
                                              rocksdb_filterpolicy_create_ribbon(8),
                                              rocksdb_filterpolicy_create_ribbon_hybrid(8, -1),
                                              rocksdb_filterpolicy_create_ribbon_hybrid(8, 0),
                                              rocksdb_filterpolicy_create_ribbon_hybrid(8, 1),
                                              rocksdb_filterpolicy_create_ribbon_hybrid(8, 2)};
  for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); ++i) {
    snprintf(path, sizeof(path), "%s-%d", directory, (int)i);
    printf("policy %d\n", (int)i);
    WithFilter(path, policies[i]);
  }
}

// As RocksDB documents inplace_update_support: there are no snapshots.
void InPlaceStep(const char* directory) {
  Fixture f = {rocksdb_options_create(), rocksdb_readoptions_create(),
               rocksdb_writeoptions_create(), NULL, NULL};
  rocksdb_options_set_create_if_missing(f.options, 1);
  rocksdb_options_set_allow_concurrent_memtable_write(f.options, 0);
  rocksdb_options_set_inplace_update_support(f.options, 1);
  f.db = rocksdb_open(f.options, directory, &f.error);
  MustBeOk("open", f.error);
  Put(&f, "key", "old");
  const rocksdb_snapshot_t* const snapshot = rocksdb_create_snapshot(f.db);
  rocksdb_readoptions_set_snapshot(f.read, snapshot);
  PrintValue(&f, "key");
  Put(&f, "key", "new");
  PrintValue(&f, "key");
  rocksdb_delete(f.db, f.write, "key", 3, &f.error);
  PrintValue(&f, "key");
  rocksdb_readoptions_set_snapshot(f.read, NULL);
  rocksdb_release_snapshot(f.db, snapshot);
  Closed(&f);
}
