// SPDX-License-Identifier: Apache-2.0
// OptimisticTransactionDB: a database, and transactions that look for conflicts when they commit.
// As in RocksDB, a write to the database itself is noticed by transactions that commit after it;
// one at the very time of a commit may not be.
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/transaction.h"
#include "core/fs/complete_environment.h"

// The handle is that of the database, as transaction_db.cc has it.
using OptimisticDb = rocksdb_optimistictransactiondb_t;

namespace varve::c {
namespace {

OptimisticDb* Opened(rocksdb_t* db, const rocksdb_options_t* options) {
  if (db == nullptr) return nullptr;
  db->transactions = std::make_shared<TransactionSpace>(db, *Complete(options->env).clock);
  return reinterpret_cast<OptimisticDb*>(db);
}

rocksdb_t* DbOf(OptimisticDb* db) { return reinterpret_cast<rocksdb_t*>(db); }

}  // namespace
}  // namespace varve::c

using varve::c::DbOf;

extern "C" {

OptimisticDb* rocksdb_optimistictransactiondb_open(const rocksdb_options_t* options,
                                                   const char* path, char** errptr) {
  return varve::c::Opened(rocksdb_open(options, path, errptr), options);
}

OptimisticDb* rocksdb_optimistictransactiondb_open_column_families(
    const rocksdb_options_t* options, const char* path, int count, const char* const* names,
    const rocksdb_options_t* const* family_options, rocksdb_column_family_handle_t** handles,
    char** errptr) {
  return varve::c::Opened(
      rocksdb_open_column_families(options, path, count, names, family_options, handles, errptr),
      options);
}

void rocksdb_optimistictransactiondb_close(OptimisticDb* db) { rocksdb_close(DbOf(db)); }

// The same handle each time; it ends with the database.
rocksdb_t* rocksdb_optimistictransactiondb_get_base_db(OptimisticDb* db) { return DbOf(db); }
void rocksdb_optimistictransactiondb_close_base_db(rocksdb_t* /*base*/) {}

rocksdb_transaction_t* rocksdb_optimistictransaction_begin(
    OptimisticDb* db, const rocksdb_writeoptions_t* write,
    const rocksdb_optimistictransaction_options_t* options, rocksdb_transaction_t* old) {
  rocksdb_transaction_t* const txn = old == nullptr ? new rocksdb_transaction_t : old;
  const varve::c::TransactionRules rules{.optimistic = true, .set_snapshot = options->set_snapshot};
  txn->rep = std::make_shared<varve::c::Transaction>(*DbOf(db)->transactions, *write, rules);
  return txn;
}

void rocksdb_optimistictransactiondb_write(OptimisticDb* db, const rocksdb_writeoptions_t* options,
                                           rocksdb_writebatch_t* batch, char** errptr) {
  rocksdb_write(DbOf(db), options, batch, errptr);
}

rocksdb_checkpoint_t* rocksdb_optimistictransactiondb_checkpoint_object_create(OptimisticDb* db,
                                                                               char** errptr) {
  return rocksdb_checkpoint_object_create(DbOf(db), errptr);
}
char* rocksdb_optimistictransactiondb_property_value(OptimisticDb* db, const char* name) {
  return rocksdb_property_value(DbOf(db), name);
}
int rocksdb_optimistictransactiondb_property_int(OptimisticDb* db, const char* name,
                                                 uint64_t* value) {
  return rocksdb_property_int(DbOf(db), name, value);
}

}  // extern "C"
