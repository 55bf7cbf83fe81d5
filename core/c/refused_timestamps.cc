// SPDX-License-Identifier: Apache-2.0
// User-defined timestamps. Batches that were given one refuse to be written (write_batch.cc).
#include <cstddef>
#include <cstdint>

#include "core/c/error.h"
#include "core/c/refused.h"

using varve::c::Refuse;

extern "C" {

void rocksdb_put_with_ts(rocksdb_t* /*db*/, const rocksdb_writeoptions_t* /*options*/,
                         const char* /*key*/, size_t /*keylen*/, const char* /*ts*/,
                         size_t /*tslen*/, const char* /*val*/, size_t /*vallen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_put_cf_with_ts(rocksdb_t* /*db*/, const rocksdb_writeoptions_t* /*options*/,
                            rocksdb_column_family_handle_t* /*column_family*/, const char* /*key*/,
                            size_t /*keylen*/, const char* /*ts*/, size_t /*tslen*/,
                            const char* /*val*/, size_t /*vallen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_delete_with_ts(rocksdb_t* /*db*/, const rocksdb_writeoptions_t* /*options*/,
                            const char* /*key*/, size_t /*keylen*/, const char* /*ts*/,
                            size_t /*tslen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_delete_cf_with_ts(rocksdb_t* /*db*/, const rocksdb_writeoptions_t* /*options*/,
                               rocksdb_column_family_handle_t* /*column_family*/,
                               const char* /*key*/, size_t /*keylen*/, const char* /*ts*/,
                               size_t /*tslen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_singledelete_with_ts(rocksdb_t* /*db*/, const rocksdb_writeoptions_t* /*options*/,
                                  const char* /*key*/, size_t /*keylen*/, const char* /*ts*/,
                                  size_t /*tslen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_singledelete_cf_with_ts(rocksdb_t* /*db*/, const rocksdb_writeoptions_t* /*options*/,
                                     rocksdb_column_family_handle_t* /*column_family*/,
                                     const char* /*key*/, size_t /*keylen*/, const char* /*ts*/,
                                     size_t /*tslen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_increase_full_history_ts_low(rocksdb_t* /*db*/,
                                          rocksdb_column_family_handle_t* /*column_family*/,
                                          const char* /*ts_low*/, size_t /*ts_lowlen*/,
                                          char** errptr) {
  Refuse(errptr, __func__);
}
char* rocksdb_get_full_history_ts_low(rocksdb_t* /*db*/,
                                      rocksdb_column_family_handle_t* /*column_family*/,
                                      size_t* /*ts_lowlen*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_get_with_ts(rocksdb_t* /*db*/, const rocksdb_readoptions_t* /*options*/,
                          const char* /*key*/, size_t /*keylen*/, size_t* /*vallen*/, char** /*ts*/,
                          size_t* /*tslen*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_get_cf_with_ts(rocksdb_t* /*db*/, const rocksdb_readoptions_t* /*options*/,
                             rocksdb_column_family_handle_t* /*column_family*/, const char* /*key*/,
                             size_t /*keylen*/, size_t* /*vallen*/, char** /*ts*/,
                             size_t* /*tslen*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
void rocksdb_multi_get_with_ts(rocksdb_t* /*db*/, const rocksdb_readoptions_t* /*options*/,
                               size_t num_keys, const char* const* /*keys_list*/,
                               const size_t* /*keys_list_sizes*/, char** /*values_list*/,
                               size_t* /*values_list_sizes*/, char** /*timestamp_list*/,
                               size_t* /*timestamp_list_sizes*/, char** errs) {
  varve::c::RefuseMany(errs, num_keys, __func__);
}
void rocksdb_multi_get_cf_with_ts(rocksdb_t* /*db*/, const rocksdb_readoptions_t* /*options*/,
                                  const rocksdb_column_family_handle_t* const* /*column_families*/,
                                  size_t num_keys, const char* const* /*keys_list*/,
                                  const size_t* /*keys_list_sizes*/, char** /*values_list*/,
                                  size_t* /*values_list_sizes*/, char** /*timestamps_list*/,
                                  size_t* /*timestamps_list_sizes*/, char** errs) {
  varve::c::RefuseMany(errs, num_keys, __func__);
}
void rocksdb_sstfilewriter_put_with_ts(rocksdb_sstfilewriter_t* /*writer*/, const char* /*key*/,
                                       size_t /*keylen*/, const char* /*ts*/, size_t /*tslen*/,
                                       const char* /*val*/, size_t /*vallen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_sstfilewriter_delete_with_ts(rocksdb_sstfilewriter_t* /*writer*/, const char* /*key*/,
                                          size_t /*keylen*/, const char* /*ts*/, size_t /*tslen*/,
                                          char** errptr) {
  Refuse(errptr, __func__);
}

}  // extern "C"
