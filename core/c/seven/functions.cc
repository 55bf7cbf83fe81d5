// SPDX-License-Identifier: Apache-2.0
// Functions that only c.h of 7.8.3 has, and those that have other parameters in that of 11.8.1.
#include <cstddef>
#include <cstdint>

#include "core/c/error.h"
#include "core/c/file_deletions.h"
#include "core/c/handles.h"
#include "core/c/indexed_batch.h"
#include "core/c/slice_transform.h"

struct rocksdb_cache_t;

extern "C" {

// --- other parameters

void rocksdb_enable_file_deletions(rocksdb_t* db, unsigned char force, char** errptr) {
  varve::c::EnableFileDeletions(db, force != 0, errptr);
}

rocksdb_slicetransform_t* rocksdb_slicetransform_create(void* state, void (*destructor)(void*),
                                                        varve::c::TransformFn transform,
                                                        varve::c::InDomainFn in_domain,
                                                        varve::c::InDomainFn /*in_range*/,
                                                        const char* (*name)(void*)) {
  return varve::c::NewSliceTransform(state, destructor, transform, in_domain, name);
}

void rocksdb_options_set_plain_table_factory(rocksdb_options_t* /*options*/, uint32_t /*key_size*/,
                                             int /*bloom_bits*/, double /*hash_ratio*/,
                                             size_t /*index_sparseness*/) {}

// --- removed since

#define VARVE_C_FUNCTIONS(name, Set, Get, initial)                         \
  void rocksdb_options_set_##name(rocksdb_options_t* options, Set value) { \
    options->values.name = value;                                          \
  }                                                                        \
  Get rocksdb_options_get_##name(rocksdb_options_t* options) { return options->values.name; }

VARVE_C_SEVEN_OPTION_ROWS(VARVE_C_FUNCTIONS)
#undef VARVE_C_FUNCTIONS

void rocksdb_block_based_options_set_block_cache_compressed(
    rocksdb_block_based_table_options_t* /*options*/, rocksdb_cache_t* /*cache*/) {}

// RocksDB refuses it as well, and only when an iterator is made.
void rocksdb_readoptions_set_managed(rocksdb_readoptions_t* options, unsigned char value) {
  options->refused_by_iterators.erase(__func__);
  if (value != 0) options->refused_by_iterators.insert(__func__);
}

rocksdb_writebatch_wi_t* rocksdb_writebatch_wi_create_from(const char* bytes, size_t size) {
  return new rocksdb_writebatch_wi_t{new varve::c::IndexedBatch(std::string(bytes, size))};
}

// It has no errptr: it does nothing.
void rocksdb_delete_file(rocksdb_t* /*db*/, const char* /*name*/) {}

}  // extern "C"
