// SPDX-License-Identifier: Apache-2.0
// Opening with an end of history.
#include <cstddef>
#include <cstdint>

#include "core/c/error.h"
#include "core/c/refused.h"

using varve::c::Refuse;

extern "C" {

rocksdb_t* rocksdb_open_and_trim_history(const rocksdb_options_t* /*options*/, const char* /*name*/,
                                         int /*num_column_families*/,
                                         const char* const* /*column_family_names*/,
                                         const rocksdb_options_t* const* /*column_family_options*/,
                                         rocksdb_column_family_handle_t** /*column_family_handles*/,
                                         char* /*trim_ts*/, size_t /*trim_tslen*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}

}  // extern "C"
