// SPDX-License-Identifier: Apache-2.0
// rocksdb_block_based_table_options_t.
#include "core/c/cache.h"
#include "core/c/interface.h"

using TableHandle = rocksdb_block_based_table_options_t;

extern "C" {

TableHandle* rocksdb_block_based_options_create() {
  return new TableHandle{varve::c::DefaultTable()};
}

void rocksdb_block_based_options_destroy(TableHandle* options) { delete options; }

#define VARVE_C_TABLE_SETTER(name, Type)                                          \
  void rocksdb_block_based_options_set_##name(TableHandle* options, Type value) { \
    options->values.name = value;                                                 \
  }

VARVE_C_TABLE_SETTER(checksum, char)
VARVE_C_TABLE_SETTER(block_size, size_t)
VARVE_C_TABLE_SETTER(block_restart_interval, int)
VARVE_C_TABLE_SETTER(index_block_restart_interval, int)
VARVE_C_TABLE_SETTER(metadata_block_size, uint64_t)
VARVE_C_TABLE_SETTER(format_version, int)
VARVE_C_TABLE_SETTER(index_type, int)
VARVE_C_TABLE_SETTER(data_block_index_type, int)
VARVE_C_TABLE_SETTER(data_block_hash_ratio, double)
VARVE_C_TABLE_SETTER(partition_filters, unsigned char)
VARVE_C_TABLE_SETTER(no_block_cache, unsigned char)
VARVE_C_TABLE_SETTER(block_size_deviation, int)
VARVE_C_TABLE_SETTER(use_delta_encoding, unsigned char)
VARVE_C_TABLE_SETTER(whole_key_filtering, unsigned char)
VARVE_C_TABLE_SETTER(cache_index_and_filter_blocks, unsigned char)
VARVE_C_TABLE_SETTER(cache_index_and_filter_blocks_with_high_priority, unsigned char)
VARVE_C_TABLE_SETTER(pin_l0_filter_and_index_blocks_in_cache, unsigned char)
VARVE_C_TABLE_SETTER(pin_top_level_index_and_filter, unsigned char)

void rocksdb_block_based_options_set_filter_policy(TableHandle* options,
                                                   rocksdb_filterpolicy_t* policy) {
  options->values.filter_policy.reset();
  if (policy == nullptr) return;
  options->values.filter_policy = std::make_shared<varve::c::FilterPolicy>(policy->policy);
  delete policy;  // The options own it.
}

void rocksdb_block_based_options_set_block_cache(TableHandle* options, rocksdb_cache_t* cache) {
  if (cache != nullptr) options->values.block_cache = cache->cache;
}

}  // extern "C"

#undef VARVE_C_TABLE_SETTER
