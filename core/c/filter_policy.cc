// SPDX-License-Identifier: Apache-2.0
#include "core/c/option_handles.h"

using varve::FilterKind;

namespace {

rocksdb_filterpolicy_t* New(FilterKind kind, double bits_per_key) {
  return new rocksdb_filterpolicy_t{{kind, bits_per_key}};
}

}  // namespace

extern "C" {

rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_bloom(double bits_per_key) {
  return New(FilterKind::kBloom, bits_per_key);
}

rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_bloom_full(double bits_per_key) {
  return New(FilterKind::kBloom, bits_per_key);
}

rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_ribbon(double bits_per_key) {
  return New(FilterKind::kRibbon, bits_per_key);
}

rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_ribbon_hybrid(double bits_per_key,
                                                                  int bloom_before_level) {
  return new rocksdb_filterpolicy_t{{FilterKind::kRibbon, bits_per_key, bloom_before_level}};
}

void rocksdb_filterpolicy_destroy(rocksdb_filterpolicy_t* policy) { delete policy; }

}  // extern "C"
