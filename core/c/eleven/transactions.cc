// SPDX-License-Identifier: Apache-2.0
// Transactions and their databases.
#include "core/c/batch_records.h"
#include "core/c/eleven/handles.h"
#include "core/c/error.h"
#include "core/c/functions.h"

using Family = rocksdb_column_family_handle_t;
using Txn = rocksdb_transaction_t;
using TransactionDb = rocksdb_transactiondb_t;
using OptimisticDb = rocksdb_optimistictransactiondb_t;
using OptimisticOptions = rocksdb_optimistictransactiondb_options_t;

struct rocksdb_optimistictransactiondb_lock_buckets_t {};
using Buckets = rocksdb_optimistictransactiondb_lock_buckets_t;

extern "C" {

void rocksdb_flush_cfs(rocksdb_t* db, const rocksdb_flushoptions_t* options, Family** families,
                       int count, char** errptr);
void rocksdb_flush_wal_with_options(rocksdb_t* db, const rocksdb_flushwaloptions_t* options,
                                    char** errptr);
char* rocksdb_transaction_get_for_update_cf(Txn* txn, const rocksdb_readoptions_t* options,
                                            Family* family, const char* key, size_t key_size,
                                            size_t* size, unsigned char exclusive, char** errptr);
OptimisticDb* rocksdb_optimistictransactiondb_open(const rocksdb_options_t* options,
                                                   const char* path, char** errptr);
OptimisticDb* rocksdb_optimistictransactiondb_open_column_families(
    const rocksdb_options_t* options, const char* path, int count, const char* const* names,
    const rocksdb_options_t* const* family_options, Family** handles, char** errptr);

// The handle of a TransactionDB is that of its database (transaction_db.cc); it ends with it.
rocksdb_t* rocksdb_transactiondb_get_base_db(TransactionDb* db) {
  return reinterpret_cast<rocksdb_t*>(db);
}
void rocksdb_transactiondb_close_base_db(rocksdb_t* /*base*/) {}

void rocksdb_transactiondb_flush_cfs(TransactionDb* db, const rocksdb_flushoptions_t* options,
                                     Family** families, int count, char** errptr) {
  rocksdb_flush_cfs(rocksdb_transactiondb_get_base_db(db), options, families, count, errptr);
}
void rocksdb_transactiondb_flush_wal_with_options(TransactionDb* db,
                                                  const rocksdb_flushwaloptions_t* options,
                                                  char** errptr) {
  rocksdb_flush_wal_with_options(rocksdb_transactiondb_get_base_db(db), options, errptr);
}

void rocksdb_transaction_put_log_data(Txn* txn, const char* blob, size_t size) {
  varve::c::AppendLogData(varve::c::View(blob, size), &txn->rep->batch().batch.batch);
}

// Key by key, each locked exclusively before it is read.
void rocksdb_transaction_multi_get_for_update_cf(Txn* txn, const rocksdb_readoptions_t* options,
                                                 const Family* const* families, size_t count,
                                                 const char* const* keys, const size_t* key_sizes,
                                                 char** values, size_t* sizes, char** errors) {
  for (size_t i = 0; i < count; ++i) {
    errors[i] = nullptr;
    // c.h's other functions take the same handles as not const; they only read them.
    auto* const family = families == nullptr ? nullptr : const_cast<Family*>(families[i]);
    values[i] = rocksdb_transaction_get_for_update_cf(txn, options, family, keys[i], key_sizes[i],
                                                      &sizes[i], /*exclusive=*/1, &errors[i]);
  }
}
void rocksdb_transaction_multi_get_for_update(Txn* txn, const rocksdb_readoptions_t* options,
                                              size_t count, const char* const* keys,
                                              const size_t* key_sizes, char** values, size_t* sizes,
                                              char** errors) {
  rocksdb_transaction_multi_get_for_update_cf(txn, options, nullptr, count, keys, key_sizes, values,
                                              sizes, errors);
}

// --- optimistic ones: how a commit is checked is the engine's

OptimisticDb* rocksdb_optimistictransactiondb_open_with_otxn_db_options(
    const rocksdb_options_t* options, const OptimisticOptions* /*rules*/, const char* path,
    char** errptr) {
  return rocksdb_optimistictransactiondb_open(options, path, errptr);
}
OptimisticDb* rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(
    const rocksdb_options_t* options, const OptimisticOptions* /*rules*/, const char* path,
    int count, const char* const* names, const rocksdb_options_t* const* family_options,
    Family** handles, char** errptr) {
  return rocksdb_optimistictransactiondb_open_column_families(options, path, count, names,
                                                              family_options, handles, errptr);
}
Buckets* rocksdb_optimistictransactiondb_lock_buckets_create(size_t /*count*/,
                                                             unsigned char /*cache_aligned*/) {
  return new Buckets;
}
size_t rocksdb_optimistictransactiondb_lock_buckets_approximate_memory_usage(Buckets* buckets) {
  return sizeof(*buckets);
}
void rocksdb_optimistictransactiondb_lock_buckets_destroy(Buckets* buckets) { delete buckets; }
void rocksdb_optimistictransactiondb_options_set_shared_lock_buckets(OptimisticOptions* /*options*/,
                                                                     Buckets* /*buckets*/) {}

}  // extern "C"
