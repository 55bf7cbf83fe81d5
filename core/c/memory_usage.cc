// SPDX-License-Identifier: Apache-2.0
// Memory of several databases and caches together.
#include <set>

#include "core/c/cache.h"
#include "core/c/handles.h"

struct rocksdb_memory_consumers_t {
  std::vector<rocksdb_t*> databases = {};
  std::set<std::shared_ptr<varve::c::Cache>> caches = {};
};

struct rocksdb_memory_usage_t {
  uint64_t memtables = 0;
  uint64_t unflushed_memtables = 0;
  uint64_t table_readers = 0;
  uint64_t caches = 0;
};

using Usage = rocksdb_memory_usage_t;

extern "C" {

rocksdb_memory_consumers_t* rocksdb_memory_consumers_create() {
  return new rocksdb_memory_consumers_t;
}
void rocksdb_memory_consumers_destroy(rocksdb_memory_consumers_t* consumers) { delete consumers; }
void rocksdb_memory_consumers_add_db(rocksdb_memory_consumers_t* consumers, rocksdb_t* db) {
  consumers->databases.push_back(db);
}
void rocksdb_memory_consumers_add_cache(rocksdb_memory_consumers_t* consumers,
                                        rocksdb_cache_t* cache) {
  consumers->caches.insert(cache->cache);
}

Usage* rocksdb_approximate_memory_usage_create(rocksdb_memory_consumers_t* consumers,
                                               char** /*errptr*/) {
  auto usage = std::make_unique<Usage>();
  for (rocksdb_t* const db : consumers->databases) {
    const varve::DbStats stats = db->db->Stats();
    usage->unflushed_memtables += stats.memtable_bytes;
    usage->memtables += stats.memtable_bytes + stats.pinned_memtable_bytes;
    usage->table_readers += stats.open_table_bytes;
  }
  for (const auto& cache : consumers->caches) usage->caches += cache->blocks->usage();
  return usage.release();
}
void rocksdb_approximate_memory_usage_destroy(Usage* usage) { delete usage; }

uint64_t rocksdb_approximate_memory_usage_get_mem_table_total(Usage* usage) {
  return usage->memtables;
}
uint64_t rocksdb_approximate_memory_usage_get_mem_table_unflushed(Usage* usage) {
  return usage->unflushed_memtables;
}
uint64_t rocksdb_approximate_memory_usage_get_mem_table_readers_total(Usage* usage) {
  return usage->table_readers;
}
uint64_t rocksdb_approximate_memory_usage_get_cache_total(Usage* usage) { return usage->caches; }

}  // extern "C"
