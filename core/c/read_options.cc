// SPDX-License-Identifier: Apache-2.0
// rocksdb_readoptions_t.
#include "core/c/handles.h"

using ReadHandle = rocksdb_readoptions_t;

extern "C" {

ReadHandle* rocksdb_readoptions_create() { return new ReadHandle; }
void rocksdb_readoptions_destroy(ReadHandle* options) { delete options; }

// --- what reads obey

void rocksdb_readoptions_set_verify_checksums(ReadHandle* options, unsigned char value) {
  options->read.verify_checksums = value != 0;
}
unsigned char rocksdb_readoptions_get_verify_checksums(ReadHandle* options) {
  return options->read.verify_checksums;
}
void rocksdb_readoptions_set_fill_cache(ReadHandle* options, unsigned char value) {
  options->read.fill_cache = value != 0;
}
unsigned char rocksdb_readoptions_get_fill_cache(ReadHandle* options) {
  return options->read.fill_cache;
}
void rocksdb_readoptions_set_readahead_size(ReadHandle* options, size_t value) {
  options->read.readahead_size = value;
}
size_t rocksdb_readoptions_get_readahead_size(ReadHandle* options) {
  return options->read.readahead_size;
}

void rocksdb_readoptions_set_snapshot(ReadHandle* options, const rocksdb_snapshot_t* snapshot) {
  options->read.snapshot = snapshot == nullptr ? nullptr : &snapshot->snapshot;
}

void rocksdb_readoptions_set_iterate_upper_bound(ReadHandle* options, const char* key,
                                                 size_t size) {
  options->read.upper_bound.reset();
  if (key != nullptr) options->read.upper_bound.emplace(key, size);
}
void rocksdb_readoptions_set_iterate_lower_bound(ReadHandle* options, const char* key,
                                                 size_t size) {
  options->read.lower_bound.reset();
  if (key != nullptr) options->read.lower_bound.emplace(key, size);
}

// 0: everything, 1: what is in memory. The others leave out data that is there: refused by reads.
void rocksdb_readoptions_set_read_tier(ReadHandle* options, int tier) {
  options->read_tier = tier;
  options->read.cache_only = tier == 1;
  options->refused = tier == 0 || tier == 1 ? nullptr : __func__;
}
int rocksdb_readoptions_get_read_tier(ReadHandle* options) { return options->read_tier; }

// RocksDB refuses it as well, when an iterator is made.
void rocksdb_readoptions_set_managed(ReadHandle* options, unsigned char value) {
  options->refused = value == 0 ? nullptr : __func__;
}

void rocksdb_readoptions_set_timestamp(ReadHandle* options, const char* timestamp,
                                       size_t /*size*/) {
  options->refused = timestamp == nullptr ? nullptr : __func__;
}
void rocksdb_readoptions_set_iter_start_ts(ReadHandle* options, const char* timestamp,
                                           size_t /*size*/) {
  options->refused = timestamp == nullptr ? nullptr : __func__;
}

#define VARVE_C_PAIR(name, Type)                                                                  \
  void rocksdb_readoptions_set_##name(ReadHandle* options, Type value) { options->name = value; } \
  Type rocksdb_readoptions_get_##name(ReadHandle* options) { return options->name; }

VARVE_C_PAIR(tailing, unsigned char)
VARVE_C_PAIR(prefix_same_as_start, unsigned char)
VARVE_C_PAIR(total_order_seek, unsigned char)  // As every iterator does.

// --- hints

VARVE_C_PAIR(pin_data, unsigned char)
VARVE_C_PAIR(max_skippable_internal_keys, uint64_t)
VARVE_C_PAIR(background_purge_on_iterator_cleanup, unsigned char)
VARVE_C_PAIR(ignore_range_deletions, unsigned char)
VARVE_C_PAIR(deadline, uint64_t)
VARVE_C_PAIR(io_timeout, uint64_t)

}  // extern "C"

#undef VARVE_C_PAIR
