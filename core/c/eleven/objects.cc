// SPDX-License-Identifier: Apache-2.0
// Objects that options can refer to and that no database makes use of, as their functions say in
// functions_eleven.tsv: each keeps what it was given for its getters.
#include <cstdint>

#include "core/c/accepted_objects.h"
#include "core/c/cache.h"
#include "core/c/eleven/handles.h"
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/table/block/clock_cache.h"

struct rocksdb_write_buffer_manager_t {
  size_t buffer_size;
  bool has_cache;
  bool allow_stall;
};
struct rocksdb_sst_file_manager_t {
  int64_t delete_rate = 0;
  double trash_ratio = 0.25;
  uint64_t max_space = 0;
};
struct rocksdb_hyper_clock_cache_options_t {
  size_t capacity;
};
struct rocksdb_memory_allocator_t;
struct rocksdb_file_checksum_gen_factory_t {};
struct rocksdb_sst_partitioner_factory_t {};
struct rocksdb_table_properties_collector_factory_t {};
struct rocksdb_walfilter_t {
  void* state;
  void (*destructor)(void*);
};

using BufferManager = rocksdb_write_buffer_manager_t;
using FileManager = rocksdb_sst_file_manager_t;
using ClockOptions = rocksdb_hyper_clock_cache_options_t;

extern "C" {

rocksdb_cache_t* rocksdb_cache_create_lru(size_t capacity);
rocksdb_ratelimiter_t* rocksdb_ratelimiter_create(int64_t bytes_per_second,
                                                  int64_t refill_period_us, int32_t fairness);

// --- memory of memtables: each family's write_buffer_size is its limit

BufferManager* rocksdb_write_buffer_manager_create(size_t size, bool allow_stall) {
  return new BufferManager{size, false, allow_stall};
}
BufferManager* rocksdb_write_buffer_manager_create_with_cache(size_t size,
                                                              const rocksdb_cache_t* cache,
                                                              bool allow_stall) {
  return new BufferManager{size, cache != nullptr, allow_stall};
}
void rocksdb_write_buffer_manager_destroy(BufferManager* manager) { delete manager; }
bool rocksdb_write_buffer_manager_enabled(BufferManager* manager) {
  return manager->buffer_size > 0;
}
bool rocksdb_write_buffer_manager_cost_to_cache(BufferManager* manager) {
  return manager->has_cache;
}
size_t rocksdb_write_buffer_manager_memory_usage(BufferManager* /*manager*/) { return 0; }
size_t rocksdb_write_buffer_manager_mutable_memtable_memory_usage(BufferManager* /*manager*/) {
  return 0;
}
size_t rocksdb_write_buffer_manager_dummy_entries_in_cache_usage(BufferManager* /*manager*/) {
  return 0;
}
size_t rocksdb_write_buffer_manager_buffer_size(BufferManager* manager) {
  return manager->buffer_size;
}
void rocksdb_write_buffer_manager_set_buffer_size(BufferManager* manager, size_t size) {
  manager->buffer_size = size;
}
void rocksdb_write_buffer_manager_set_allow_stall(BufferManager* manager, bool allow) {
  manager->allow_stall = allow;
}
void rocksdb_options_set_write_buffer_manager(rocksdb_options_t* /*options*/,
                                              BufferManager* /*manager*/) {}

// --- space: files are deleted at once; a limit is refused when a database is opened

FileManager* rocksdb_sst_file_manager_create(rocksdb_env_t* /*env*/) { return new FileManager; }
void rocksdb_sst_file_manager_destroy(FileManager* manager) { delete manager; }
void rocksdb_sst_file_manager_set_max_allowed_space_usage(FileManager* manager, uint64_t bytes) {
  manager->max_space = bytes;
}
void rocksdb_sst_file_manager_set_compaction_buffer_size(FileManager* /*manager*/,
                                                         uint64_t /*bytes*/) {}
bool rocksdb_sst_file_manager_is_max_allowed_space_reached(FileManager* /*manager*/) {
  return false;
}
bool rocksdb_sst_file_manager_is_max_allowed_space_reached_including_compactions(
    FileManager* /*manager*/) {
  return false;
}
uint64_t rocksdb_sst_file_manager_get_total_size(FileManager* /*manager*/) { return 0; }
int64_t rocksdb_sst_file_manager_get_delete_rate_bytes_per_second(FileManager* manager) {
  return manager->delete_rate;
}
void rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(FileManager* manager, int64_t rate) {
  manager->delete_rate = rate;
}
double rocksdb_sst_file_manager_get_max_trash_db_ratio(FileManager* manager) {
  return manager->trash_ratio;
}
void rocksdb_sst_file_manager_set_max_trash_db_ratio(FileManager* manager, double ratio) {
  manager->trash_ratio = ratio;
}
uint64_t rocksdb_sst_file_manager_get_total_trash_size(FileManager* /*manager*/) { return 0; }
void rocksdb_options_set_sst_file_manager(rocksdb_options_t* options, FileManager* manager) {
  constexpr std::string_view kLimit = "rocksdb_sst_file_manager_set_max_allowed_space_usage";
  options->refused.erase(kLimit);
  if (manager != nullptr && manager->max_space != 0) options->refused.insert(kLimit);
}

// --- caches: there is one kind

ClockOptions* rocksdb_hyper_clock_cache_options_create(size_t capacity, size_t /*charge*/) {
  return new ClockOptions{capacity};
}
void rocksdb_hyper_clock_cache_options_destroy(ClockOptions* options) { delete options; }
void rocksdb_hyper_clock_cache_options_set_capacity(ClockOptions* options, size_t capacity) {
  options->capacity = capacity;
}
void rocksdb_hyper_clock_cache_options_set_estimated_entry_charge(ClockOptions* /*options*/,
                                                                  size_t /*charge*/) {}
void rocksdb_hyper_clock_cache_options_set_num_shard_bits(ClockOptions* /*options*/, int /*bits*/) {
}
void rocksdb_hyper_clock_cache_options_set_memory_allocator(
    ClockOptions* /*options*/, rocksdb_memory_allocator_t* /*allocator*/) {}
rocksdb_cache_t* rocksdb_cache_create_hyper_clock(size_t capacity, size_t /*charge*/) {
  return rocksdb_cache_create_lru(capacity);
}
rocksdb_cache_t* rocksdb_cache_create_hyper_clock_opts(const ClockOptions* options) {
  return rocksdb_cache_create_lru(options->capacity);
}
size_t rocksdb_cache_get_table_address_count(const rocksdb_cache_t* /*cache*/) { return 0; }
size_t rocksdb_cache_get_occupancy_count(const rocksdb_cache_t* /*cache*/) { return 0; }

// --- rates

rocksdb_ratelimiter_t* rocksdb_ratelimiter_create_auto_tuned(int64_t bytes_per_second,
                                                             int64_t refill_period_us,
                                                             int32_t fairness) {
  return rocksdb_ratelimiter_create(bytes_per_second, refill_period_us, fairness);
}
rocksdb_ratelimiter_t* rocksdb_ratelimiter_create_with_mode(int64_t bytes_per_second,
                                                            int64_t refill_period_us,
                                                            int32_t fairness, int /*mode*/,
                                                            bool /*auto_tuned*/) {
  return rocksdb_ratelimiter_create(bytes_per_second, refill_period_us, fairness);
}
void rocksdb_envoptions_set_rate_limiter(rocksdb_envoptions_t* /*options*/,
                                         rocksdb_ratelimiter_t* /*limiter*/) {}
void rocksdb_backup_engine_options_set_backup_rate_limiter(
    rocksdb_backup_engine_options_t* /*options*/, rocksdb_ratelimiter_t* /*limiter*/) {}
void rocksdb_backup_engine_options_set_restore_rate_limiter(
    rocksdb_backup_engine_options_t* /*options*/, rocksdb_ratelimiter_t* /*limiter*/) {}

// --- what opening refuses

rocksdb_file_checksum_gen_factory_t* rocksdb_file_checksum_gen_crc32c_factory_create() {
  return new rocksdb_file_checksum_gen_factory_t;
}
void rocksdb_file_checksum_gen_factory_destroy(rocksdb_file_checksum_gen_factory_t* factory) {
  delete factory;
}
void rocksdb_options_set_file_checksum_gen_factory(rocksdb_options_t* options,
                                                   rocksdb_file_checksum_gen_factory_t* factory) {
  if (factory != nullptr) options->refused.insert(__func__);
}

void rocksdb_table_properties_collector_factory_destroy(
    rocksdb_table_properties_collector_factory_t* factory) {
  delete factory;
}
void rocksdb_options_add_table_properties_collector_factory(
    rocksdb_options_t* options, rocksdb_table_properties_collector_factory_t* factory) {
  if (factory != nullptr) options->refused.insert(__func__);
}

rocksdb_walfilter_t* rocksdb_walfilter_create(void* state, void (*destructor)(void*),
                                              void (*)(void*, const uint32_t*, const uint64_t*,
                                                       size_t, const char* const*, const size_t*,
                                                       const uint32_t*, size_t),
                                              int (*)(void*, unsigned long long, const char*,
                                                      size_t, const struct rocksdb_writebatch_t*,
                                                      struct rocksdb_writebatch_t*, unsigned char*),
                                              const char* (*)(void*)) {
  return new rocksdb_walfilter_t{state, destructor};
}
void rocksdb_walfilter_destroy(rocksdb_walfilter_t* filter) {
  if (filter != nullptr && filter->destructor != nullptr) filter->destructor(filter->state);
  delete filter;
}
void rocksdb_options_set_wal_filter(rocksdb_options_t* options, rocksdb_walfilter_t* filter) {
  options->refused.erase(__func__);
  if (filter != nullptr) options->refused.insert(__func__);
}
void rocksdb_options_clear_wal_filter(rocksdb_options_t* options) {
  options->refused.erase("rocksdb_options_set_wal_filter");
}

// --- where tables are cut changes no answer

rocksdb_sst_partitioner_factory_t* rocksdb_sst_partitioner_fixed_prefix_factory_create(
    size_t /*prefix_size*/) {
  return new rocksdb_sst_partitioner_factory_t;
}
void rocksdb_sst_partitioner_factory_destroy(rocksdb_sst_partitioner_factory_t* factory) {
  delete factory;
}
void rocksdb_options_set_sst_partitioner_factory(rocksdb_options_t* /*options*/,
                                                 rocksdb_sst_partitioner_factory_t* /*factory*/) {}

}  // extern "C"
