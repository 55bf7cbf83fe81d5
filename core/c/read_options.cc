// SPDX-License-Identifier: Apache-2.0
// rocksdb_readoptions_t.
#include "core/c/handle_functions.h"
#include "core/c/handles.h"

using varve::c::kPersistedTier;
using ReadHandle = rocksdb_readoptions_t;

namespace {

void RefuseIf(bool refused, std::string_view function, std::set<std::string_view>* functions) {
  functions->erase(function);
  if (refused) functions->insert(function);
}

}  // namespace

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
  options->read.snapshot = snapshot == nullptr ? nullptr : snapshot->snapshot;
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

// 0: everything, 1: what is in memory. 2: what a crash leaves, which iterators refuse in RocksDB
// too, and reads once something was written without a log (CheckRead()). 3 is refused.
void rocksdb_readoptions_set_read_tier(ReadHandle* options, int tier) {
  options->read_tier = tier;
  options->read.cache_only = tier == 1;
  RefuseIf(tier < 0 || tier > kPersistedTier, __func__, &options->refused);
  RefuseIf(tier == kPersistedTier, __func__, &options->refused_by_iterators);
}
int rocksdb_readoptions_get_read_tier(ReadHandle* options) { return options->read_tier; }

void rocksdb_readoptions_set_timestamp(ReadHandle* options, const char* timestamp, size_t size) {
  options->read.timestamp.reset();
  if (timestamp != nullptr) options->read.timestamp.emplace(timestamp, size);
}
void rocksdb_readoptions_set_iter_start_ts(ReadHandle* options, const char* timestamp,
                                           size_t size) {
  options->read.iter_start_timestamp.reset();
  if (timestamp != nullptr) options->read.iter_start_timestamp.emplace(timestamp, size);
}

VARVE_C_PAIR(readoptions, tailing, unsigned char)
VARVE_C_PAIR(readoptions, prefix_same_as_start, unsigned char)
VARVE_C_PAIR(readoptions, total_order_seek, unsigned char)  // As every iterator does.

// Both would change what is read.
void rocksdb_readoptions_set_ignore_range_deletions(ReadHandle* options, unsigned char value) {
  options->ignore_range_deletions = value != 0;
  RefuseIf(value != 0, __func__, &options->refused);
}
unsigned char rocksdb_readoptions_get_ignore_range_deletions(ReadHandle* options) {
  return options->ignore_range_deletions;
}
void rocksdb_readoptions_set_max_skippable_internal_keys(ReadHandle* options, uint64_t value) {
  options->max_skippable_internal_keys = value;
  RefuseIf(value != 0, __func__, &options->refused_by_iterators);
}
uint64_t rocksdb_readoptions_get_max_skippable_internal_keys(ReadHandle* options) {
  return options->max_skippable_internal_keys;
}

// --- hints

VARVE_C_PAIR(readoptions, pin_data, unsigned char)
VARVE_C_PAIR(readoptions, background_purge_on_iterator_cleanup, unsigned char)
VARVE_C_PAIR(readoptions, deadline, uint64_t)
VARVE_C_PAIR(readoptions, io_timeout, uint64_t)

}  // extern "C"
