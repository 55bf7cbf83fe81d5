// SPDX-License-Identifier: Apache-2.0
// OptimisticTransactionDB: opening one is refused.
#include <cstddef>
#include <cstdint>

#include "core/c/error.h"
#include "core/c/refused.h"

using varve::c::Refuse;

extern "C" {

rocksdb_optimistictransactiondb_t* rocksdb_optimistictransactiondb_open(
    const rocksdb_options_t* /*options*/, const char* /*name*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_optimistictransactiondb_t* rocksdb_optimistictransactiondb_open_column_families(
    const rocksdb_options_t* /*options*/, const char* /*name*/, int /*num_column_families*/,
    const char* const* /*column_family_names*/,
    const rocksdb_options_t* const* /*column_family_options*/,
    rocksdb_column_family_handle_t** /*column_family_handles*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
rocksdb_t* rocksdb_optimistictransactiondb_get_base_db(
    rocksdb_optimistictransactiondb_t* /*otxn_db*/) {
  return nullptr;
}
void rocksdb_optimistictransactiondb_close_base_db(rocksdb_t* /*base_db*/) {}
rocksdb_transaction_t* rocksdb_optimistictransaction_begin(
    rocksdb_optimistictransactiondb_t* /*otxn_db*/, const rocksdb_writeoptions_t* /*write_options*/,
    const rocksdb_optimistictransaction_options_t* /*otxn_options*/,
    rocksdb_transaction_t* /*old_txn*/) {
  return nullptr;
}
void rocksdb_optimistictransactiondb_write(rocksdb_optimistictransactiondb_t* /*otxn_db*/,
                                           const rocksdb_writeoptions_t* /*options*/,
                                           rocksdb_writebatch_t* /*batch*/, char** errptr) {
  Refuse(errptr, __func__);
}
void rocksdb_optimistictransactiondb_close(rocksdb_optimistictransactiondb_t* /*otxn_db*/) {}
rocksdb_checkpoint_t* rocksdb_optimistictransactiondb_checkpoint_object_create(
    rocksdb_optimistictransactiondb_t* /*otxn_db*/, char** errptr) {
  Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_optimistictransactiondb_property_value(rocksdb_optimistictransactiondb_t* /*db*/,
                                                     const char* /*propname*/) {
  return nullptr;
}
int rocksdb_optimistictransactiondb_property_int(rocksdb_optimistictransactiondb_t* /*db*/,
                                                 const char* /*propname*/, uint64_t* /*out_val*/) {
  return 0;
}

}  // extern "C"
