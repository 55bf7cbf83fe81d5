// SPDX-License-Identifier: Apache-2.0
// Transactions: only a database that is opened for them makes one, which is refused.
#include <cstddef>
#include <cstdint>

#include "core/c/error.h"
#include "core/c/refused.h"

using varve::c::Refuse;

extern "C" {

rocksdb_transaction_t* rocksdb_transaction_begin(
    rocksdb_transactiondb_t* /*txn_db*/, const rocksdb_writeoptions_t* /*write_options*/,
    const rocksdb_transaction_options_t* /*txn_options*/, rocksdb_transaction_t* /*old_txn*/) {
  return nullptr;
}
void rocksdb_transaction_set_name(rocksdb_transaction_t* /*txn*/, const char* /*name*/,
                                  size_t /*name_len*/, char** errptr) {
  Refuse(errptr, __func__);
}
char* rocksdb_transaction_get_name(rocksdb_transaction_t* /*txn*/, size_t* /*name_len*/) {
  return nullptr;
}
void rocksdb_transaction_prepare(rocksdb_transaction_t* /*txn*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_commit(rocksdb_transaction_t* /*txn*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_rollback(rocksdb_transaction_t* /*txn*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_set_savepoint(rocksdb_transaction_t* /*txn*/) {}
void rocksdb_transaction_rollback_to_savepoint(rocksdb_transaction_t* /*txn*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_destroy(rocksdb_transaction_t* /*txn*/) {}
rocksdb_writebatch_wi_t* rocksdb_transaction_get_writebatch_wi(rocksdb_transaction_t* /*txn*/) {
  return nullptr;
}
void rocksdb_transaction_rebuild_from_writebatch(rocksdb_transaction_t* /*txn*/,
                                                 rocksdb_writebatch_t* /*writebatch*/,
                                                 char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_rebuild_from_writebatch_wi(rocksdb_transaction_t* /*txn*/,
                                                    rocksdb_writebatch_wi_t* /*wi*/,
                                                    char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_set_commit_timestamp(rocksdb_transaction_t* /*txn*/,
                                              uint64_t /*commit_timestamp*/) {}
void rocksdb_transaction_set_read_timestamp_for_validation(rocksdb_transaction_t* /*txn*/,
                                                           uint64_t /*read_timestamp*/) {}
const rocksdb_snapshot_t* rocksdb_transaction_get_snapshot(rocksdb_transaction_t* /*txn*/) {
  return nullptr;
}
char* rocksdb_transaction_get(rocksdb_transaction_t* /*txn*/,
                              const rocksdb_readoptions_t* /*options*/, const char* /*key*/,
                              size_t /*klen*/, size_t* /*vlen*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned(rocksdb_transaction_t* /*txn*/,
                                                        const rocksdb_readoptions_t* /*options*/,
                                                        const char* /*key*/, size_t /*klen*/,
                                                        char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_transaction_get_cf(rocksdb_transaction_t* /*txn*/,
                                 const rocksdb_readoptions_t* /*options*/,
                                 rocksdb_column_family_handle_t* /*column_family*/,
                                 const char* /*key*/, size_t /*klen*/, size_t* /*vlen*/,
                                 char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_cf(
    rocksdb_transaction_t* /*txn*/, const rocksdb_readoptions_t* /*options*/,
    rocksdb_column_family_handle_t* /*column_family*/, const char* /*key*/, size_t /*klen*/,
    char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_transaction_get_for_update(rocksdb_transaction_t* /*txn*/,
                                         const rocksdb_readoptions_t* /*options*/,
                                         const char* /*key*/, size_t /*klen*/, size_t* /*vlen*/,
                                         unsigned char /*exclusive*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_for_update(
    rocksdb_transaction_t* /*txn*/, const rocksdb_readoptions_t* /*options*/, const char* /*key*/,
    size_t /*klen*/, unsigned char /*exclusive*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_transaction_get_for_update_cf(rocksdb_transaction_t* /*txn*/,
                                            const rocksdb_readoptions_t* /*options*/,
                                            rocksdb_column_family_handle_t* /*column_family*/,
                                            const char* /*key*/, size_t /*klen*/, size_t* /*vlen*/,
                                            unsigned char /*exclusive*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_for_update_cf(
    rocksdb_transaction_t* /*txn*/, const rocksdb_readoptions_t* /*options*/,
    rocksdb_column_family_handle_t* /*column_family*/, const char* /*key*/, size_t /*klen*/,
    unsigned char /*exclusive*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
void rocksdb_transaction_multi_get(rocksdb_transaction_t* /*txn*/,
                                   const rocksdb_readoptions_t* /*options*/, size_t num_keys,
                                   const char* const* /*keys_list*/,
                                   const size_t* /*keys_list_sizes*/, char** /*values_list*/,
                                   size_t* /*values_list_sizes*/, char** errs) {
  varve::c::RefuseMany(errs, num_keys, __func__);
}
void rocksdb_transaction_multi_get_cf(
    rocksdb_transaction_t* /*txn*/, const rocksdb_readoptions_t* /*options*/,
    const rocksdb_column_family_handle_t* const* /*column_families*/, size_t num_keys,
    const char* const* /*keys_list*/, const size_t* /*keys_list_sizes*/, char** /*values_list*/,
    size_t* /*values_list_sizes*/, char** errs) {
  varve::c::RefuseMany(errs, num_keys, __func__);
}
void rocksdb_transaction_put(rocksdb_transaction_t* /*txn*/, const char* /*key*/, size_t /*klen*/,
                             const char* /*val*/, size_t /*vlen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_put_cf(rocksdb_transaction_t* /*txn*/,
                                rocksdb_column_family_handle_t* /*column_family*/,
                                const char* /*key*/, size_t /*klen*/, const char* /*val*/,
                                size_t /*vlen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_merge(rocksdb_transaction_t* /*txn*/, const char* /*key*/, size_t /*klen*/,
                               const char* /*val*/, size_t /*vlen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_merge_cf(rocksdb_transaction_t* /*txn*/,
                                  rocksdb_column_family_handle_t* /*column_family*/,
                                  const char* /*key*/, size_t /*klen*/, const char* /*val*/,
                                  size_t /*vlen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_delete(rocksdb_transaction_t* /*txn*/, const char* /*key*/,
                                size_t /*klen*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_transaction_delete_cf(rocksdb_transaction_t* /*txn*/,
                                   rocksdb_column_family_handle_t* /*column_family*/,
                                   const char* /*key*/, size_t /*klen*/, char** errptr) {
  Refuse(errptr, __func__);
}
rocksdb_iterator_t* rocksdb_transaction_create_iterator(rocksdb_transaction_t* /*txn*/,
                                                        const rocksdb_readoptions_t* /*options*/) {
  return nullptr;
}
rocksdb_iterator_t* rocksdb_transaction_create_iterator_cf(
    rocksdb_transaction_t* /*txn*/, const rocksdb_readoptions_t* /*options*/,
    rocksdb_column_family_handle_t* /*column_family*/) {
  return nullptr;
}

}  // extern "C"
