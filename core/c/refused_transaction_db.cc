// SPDX-License-Identifier: Apache-2.0
// TransactionDB: opening one is refused, so there is no handle that the others can be called with.
#include <cstddef>
#include <cstdint>

#include "core/c/error.h"
#include "core/c/refused.h"

using varve::c::Refuse;

extern "C" {

rocksdb_column_family_handle_t* rocksdb_transactiondb_create_column_family(
    rocksdb_transactiondb_t* /*txn_db*/, const rocksdb_options_t* /*column_family_options*/,
    const char* /*column_family_name*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_transactiondb_t* rocksdb_transactiondb_open(
    const rocksdb_options_t* /*options*/, const rocksdb_transactiondb_options_t* /*txn_db_options*/,
    const char* /*name*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_transactiondb_t* rocksdb_transactiondb_open_column_families(
    const rocksdb_options_t* /*options*/, const rocksdb_transactiondb_options_t* /*txn_db_options*/,
    const char* /*name*/, int /*num_column_families*/, const char* const* /*column_family_names*/,
    const rocksdb_options_t* const* /*column_family_options*/,
    rocksdb_column_family_handle_t** /*column_family_handles*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
const rocksdb_snapshot_t* rocksdb_transactiondb_create_snapshot(
    rocksdb_transactiondb_t* /*txn_db*/) {
  return nullptr;
}
void rocksdb_transactiondb_release_snapshot(rocksdb_transactiondb_t* /*txn_db*/,
                                            const rocksdb_snapshot_t* /*snapshot*/) {}
char* rocksdb_transactiondb_property_value(rocksdb_transactiondb_t* /*db*/,
                                           const char* /*propname*/) {
  return nullptr;
}
int rocksdb_transactiondb_property_int(rocksdb_transactiondb_t* /*db*/, const char* /*propname*/,
                                       uint64_t* /*out_val*/) {
  return 0;
}
rocksdb_transaction_t** rocksdb_transactiondb_get_prepared_transactions(
    rocksdb_transactiondb_t* /*txn_db*/, size_t* /*cnt*/) {
  return nullptr;
}
char* rocksdb_transactiondb_get(rocksdb_transactiondb_t* /*txn_db*/,
                                const rocksdb_readoptions_t* /*options*/, const char* /*key*/,
                                size_t /*klen*/, size_t* /*vlen*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_pinnableslice_t* rocksdb_transactiondb_get_pinned(rocksdb_transactiondb_t* /*txn_db*/,
                                                          const rocksdb_readoptions_t* /*options*/,
                                                          const char* /*key*/, size_t /*klen*/,
                                                          char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_transactiondb_get_cf(rocksdb_transactiondb_t* /*txn_db*/,
                                   const rocksdb_readoptions_t* /*options*/,
                                   rocksdb_column_family_handle_t* /*column_family*/,
                                   const char* /*key*/, size_t /*keylen*/, size_t* /*vallen*/,
                                   char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_pinnableslice_t* rocksdb_transactiondb_get_pinned_cf(
    rocksdb_transactiondb_t* /*txn_db*/, const rocksdb_readoptions_t* /*options*/,
    rocksdb_column_family_handle_t* /*column_family*/, const char* /*key*/, size_t /*keylen*/,
    char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
void rocksdb_transactiondb_multi_get(rocksdb_transactiondb_t* /*txn_db*/,
                                     const rocksdb_readoptions_t* /*options*/, size_t num_keys,
                                     const char* const* /*keys_list*/,
                                     const size_t* /*keys_list_sizes*/, char** /*values_list*/,
                                     size_t* /*values_list_sizes*/, char** errs) {
  varve::c::RefuseMany(errs, num_keys, __func__);
}
void rocksdb_transactiondb_multi_get_cf(
    rocksdb_transactiondb_t* /*txn_db*/, const rocksdb_readoptions_t* /*options*/,
    const rocksdb_column_family_handle_t* const* /*column_families*/, size_t num_keys,
    const char* const* /*keys_list*/, const size_t* /*keys_list_sizes*/, char** /*values_list*/,
    size_t* /*values_list_sizes*/, char** errs) {
  varve::c::RefuseMany(errs, num_keys, __func__);
}
void rocksdb_transactiondb_put(rocksdb_transactiondb_t* /*txn_db*/,
                               const rocksdb_writeoptions_t* /*options*/, const char* /*key*/,
                               size_t /*klen*/, const char* /*val*/, size_t /*vlen*/,
                               char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transactiondb_put_cf(rocksdb_transactiondb_t* /*txn_db*/,
                                  const rocksdb_writeoptions_t* /*options*/,
                                  rocksdb_column_family_handle_t* /*column_family*/,
                                  const char* /*key*/, size_t /*keylen*/, const char* /*val*/,
                                  size_t /*vallen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transactiondb_write(rocksdb_transactiondb_t* /*txn_db*/,
                                 const rocksdb_writeoptions_t* /*options*/,
                                 rocksdb_writebatch_t* /*batch*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transactiondb_merge(rocksdb_transactiondb_t* /*txn_db*/,
                                 const rocksdb_writeoptions_t* /*options*/, const char* /*key*/,
                                 size_t /*klen*/, const char* /*val*/, size_t /*vlen*/,
                                 char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transactiondb_merge_cf(rocksdb_transactiondb_t* /*txn_db*/,
                                    const rocksdb_writeoptions_t* /*options*/,
                                    rocksdb_column_family_handle_t* /*column_family*/,
                                    const char* /*key*/, size_t /*klen*/, const char* /*val*/,
                                    size_t /*vlen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transactiondb_delete(rocksdb_transactiondb_t* /*txn_db*/,
                                  const rocksdb_writeoptions_t* /*options*/, const char* /*key*/,
                                  size_t /*klen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transactiondb_delete_cf(rocksdb_transactiondb_t* /*txn_db*/,
                                     const rocksdb_writeoptions_t* /*options*/,
                                     rocksdb_column_family_handle_t* /*column_family*/,
                                     const char* /*key*/, size_t /*keylen*/, char** errptr) {
  Refuse(errptr, __func__);
}
rocksdb_iterator_t* rocksdb_transactiondb_create_iterator(
    rocksdb_transactiondb_t* /*txn_db*/, const rocksdb_readoptions_t* /*options*/) {
  return nullptr;
}
rocksdb_iterator_t* rocksdb_transactiondb_create_iterator_cf(
    rocksdb_transactiondb_t* /*txn_db*/, const rocksdb_readoptions_t* /*options*/,
    rocksdb_column_family_handle_t* /*column_family*/) {
  return nullptr;
}
void rocksdb_transactiondb_close(rocksdb_transactiondb_t* /*txn_db*/) {}
void rocksdb_transactiondb_flush(rocksdb_transactiondb_t* /*txn_db*/,
                                 const rocksdb_flushoptions_t* /*options*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transactiondb_flush_cf(rocksdb_transactiondb_t* /*txn_db*/,
                                    const rocksdb_flushoptions_t* /*options*/,
                                    rocksdb_column_family_handle_t* /*column_family*/,
                                    char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transactiondb_flush_wal(rocksdb_transactiondb_t* /*txn_db*/, unsigned char /*sync*/,
                                     char** errptr) {
  Refuse(errptr, __func__);
}
rocksdb_checkpoint_t* rocksdb_transactiondb_checkpoint_object_create(
    rocksdb_transactiondb_t* /*txn_db*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}

}  // extern "C"
