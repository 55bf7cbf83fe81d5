// SPDX-License-Identifier: Apache-2.0
#include "core/c/cache.h"

#include "core/c/error.h"
#include "core/table/block/clock_cache.h"

namespace varve::c {

std::shared_ptr<Cache> NewCache(uint64_t capacity) {
  auto cache = std::make_shared<Cache>();
  cache->blocks = NewBlockCache(capacity);
  cache->capacity = capacity;
  return cache;
}

}  // namespace varve::c

struct rocksdb_lru_cache_options_t {
  size_t capacity = 0;
};

struct rocksdb_memory_allocator_t {};

extern "C" {

rocksdb_lru_cache_options_t* rocksdb_lru_cache_options_create() {
  return new rocksdb_lru_cache_options_t;
}

void rocksdb_lru_cache_options_destroy(rocksdb_lru_cache_options_t* options) { delete options; }

void rocksdb_lru_cache_options_set_capacity(rocksdb_lru_cache_options_t* options, size_t capacity) {
  options->capacity = capacity;
}

void rocksdb_lru_cache_options_set_num_shard_bits(rocksdb_lru_cache_options_t* /*options*/,
                                                  int /*bits*/) {}

void rocksdb_lru_cache_options_set_memory_allocator(rocksdb_lru_cache_options_t* /*options*/,
                                                    rocksdb_memory_allocator_t* /*allocator*/) {}

rocksdb_memory_allocator_t* rocksdb_jemalloc_nodump_allocator_create(char** errptr) {
  varve::c::Refuse(errptr, __func__);
  return nullptr;
}

void rocksdb_memory_allocator_destroy(rocksdb_memory_allocator_t* allocator) { delete allocator; }

rocksdb_cache_t* rocksdb_cache_create_lru(size_t capacity) {
  return new rocksdb_cache_t{varve::c::NewCache(capacity)};
}

// The engine's cache never exceeds its capacity by what it holds itself.
rocksdb_cache_t* rocksdb_cache_create_lru_with_strict_capacity_limit(size_t capacity) {
  return rocksdb_cache_create_lru(capacity);
}

rocksdb_cache_t* rocksdb_cache_create_lru_opts(rocksdb_lru_cache_options_t* options) {
  return rocksdb_cache_create_lru(options->capacity);
}

void rocksdb_cache_destroy(rocksdb_cache_t* cache) { delete cache; }

void rocksdb_cache_disown_data(rocksdb_cache_t* /*cache*/) {}

// A hint: the cache keeps the size that it was made with.
void rocksdb_cache_set_capacity(rocksdb_cache_t* cache, size_t capacity) {
  cache->cache->capacity = capacity;
}

size_t rocksdb_cache_get_capacity(rocksdb_cache_t* cache) { return cache->cache->capacity; }

size_t rocksdb_cache_get_usage(rocksdb_cache_t* cache) { return cache->cache->blocks->usage(); }

size_t rocksdb_cache_get_pinned_usage(rocksdb_cache_t* cache) {
  // What NewBlockCache() makes.
  return static_cast<const varve::ClockCache&>(*cache->cache->blocks).PinnedBytes();
}

}  // extern "C"
