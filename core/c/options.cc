// SPDX-License-Identifier: Apache-2.0
// rocksdb_options_t: its life, and the functions of option_rows.h.
#include "core/c/interface.h"

extern "C" {

rocksdb_options_t* rocksdb_options_create() {
  return new rocksdb_options_t(varve::c::DefaultOptions());
}

rocksdb_options_t* rocksdb_options_create_copy(rocksdb_options_t* options) {
  return new rocksdb_options_t(*options);
}

void rocksdb_options_destroy(rocksdb_options_t* options) { delete options; }

#define VARVE_C_FUNCTIONS(name, Set, Get, initial)                         \
  void rocksdb_options_set_##name(rocksdb_options_t* options, Set value) { \
    options->values.name = static_cast<varve::c::Stored<Set, Get>>(value); \
  }                                                                        \
  Get rocksdb_options_get_##name(rocksdb_options_t* options) { return options->values.name; }

VARVE_C_OPTION_ROWS(VARVE_C_FUNCTIONS, VARVE_C_FUNCTIONS, VARVE_C_FUNCTIONS, VARVE_C_FUNCTIONS)

void rocksdb_options_compaction_readahead_size(rocksdb_options_t* options, size_t bytes) {
  options->compaction_readahead_size = bytes;
}

size_t rocksdb_options_get_compaction_readahead_size(rocksdb_options_t* options) {
  return options->compaction_readahead_size;
}

}  // extern "C"

#undef VARVE_C_FUNCTIONS
