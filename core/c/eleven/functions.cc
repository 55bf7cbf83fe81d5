// SPDX-License-Identifier: Apache-2.0
// Functions that have other parameters in c.h of 7.8.3 (seven/functions.cc).
#include <cstddef>
#include <cstdint>

#include "core/c/file_deletions.h"
#include "core/c/slice_transform.h"

extern "C" {

void rocksdb_enable_file_deletions(rocksdb_t* db, char** errptr) {
  varve::c::EnableFileDeletions(db, /*force=*/false, errptr);
}

rocksdb_slicetransform_t* rocksdb_slicetransform_create(void* state, void (*destructor)(void*),
                                                        varve::c::TransformFn transform,
                                                        varve::c::InDomainFn in_domain,
                                                        const char* (*name)(void*)) {
  return varve::c::NewSliceTransform(state, destructor, transform, in_domain, name);
}

void rocksdb_options_set_plain_table_factory(rocksdb_options_t* /*options*/, uint32_t /*key_size*/,
                                             int /*bloom_bits*/, double /*hash_ratio*/,
                                             size_t /*index_sparseness*/, size_t /*huge_page*/,
                                             char /*encoding*/, unsigned char /*full_scan*/,
                                             unsigned char /*store_index*/) {}

}  // extern "C"
