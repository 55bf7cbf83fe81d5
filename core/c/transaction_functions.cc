// SPDX-License-Identifier: Apache-2.0
// rocksdb_transaction_t, of either kind of database.
#include <cstdlib>

#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/iterator.h"
#include "core/c/transaction.h"

using varve::c::View;
using Family = rocksdb_column_family_handle_t;
using TxnHandle = rocksdb_transaction_t;

namespace varve::c {
namespace {

const Family& FamilyIn(TxnHandle* txn, const Family* family) {
  return FamilyOf(*txn->rep->db(), family);
}

// False with an error, or if there is no such key.
bool Read(TxnHandle* txn, const rocksdb_readoptions_t& options, const Family* family,
          std::string_view key, std::optional<Value>* value, char** errptr) {
  auto read = ReadOver(txn->rep->db(), options, FamilyIn(txn, family), txn->rep->batch(), key);
  if (SaveReadError(errptr, options.read.cache_only, read.status())) return false;
  *value = *std::move(read);
  return value->has_value();
}

char* Get(TxnHandle* txn, const rocksdb_readoptions_t& options, const Family* family,
          std::string_view key, size_t* size, char** errptr) {
  *size = 0;
  std::optional<Value> value;
  return Read(txn, options, family, key, &value, errptr) ? CopyBytes(value->view(), size) : nullptr;
}

rocksdb_pinnableslice_t* GetPinned(TxnHandle* txn, const rocksdb_readoptions_t& options,
                                   const Family* family, std::string_view key, char** errptr) {
  std::optional<Value> value;
  if (!Read(txn, options, family, key, &value, errptr)) return nullptr;
  return new rocksdb_pinnableslice_t{*std::move(value)};
}

// As by RocksDB, the elements of the three lists are set without being read.
void GetMany(TxnHandle* txn, const rocksdb_readoptions_t& options, const Family* const* families,
             size_t count, const char* const* keys, const size_t* key_sizes, char** values,
             size_t* sizes, char** errors) {
  for (size_t i = 0; i < count; ++i) {
    errors[i] = nullptr;
    const Family* const family = families == nullptr ? nullptr : families[i];
    values[i] = Get(txn, options, family, View(keys[i], key_sizes[i]), &sizes[i], &errors[i]);
  }
}

rocksdb_iterator_t* Iterate(TxnHandle* txn, const rocksdb_readoptions_t& options,
                            const Family* family) {
  const Family& of = FamilyIn(txn, family);
  txn->rep->batch().Order(&of);
  std::optional<std::string> bound;
  if (options.read.upper_bound) bound.emplace(*options.read.upper_bound);
  std::unique_ptr<rocksdb_iterator_t> base(NewIterator(txn->rep->db(), options, of));
  return NewIteratorOver(std::move(base), txn->rep->batch(), ReadingOf(of),
                         {.upper = std::move(bound)});
}

}  // namespace
}  // namespace varve::c

using varve::c::FamilyIn;

extern "C" {

void rocksdb_transaction_destroy(TxnHandle* txn) { delete txn; }
void rocksdb_transaction_commit(TxnHandle* txn, char** errptr) { txn->rep->Commit(errptr); }
void rocksdb_transaction_rollback(TxnHandle* txn, char** errptr) { txn->rep->Rollback(errptr); }
void rocksdb_transaction_set_savepoint(TxnHandle* txn) { txn->rep->SetSavePoint(); }
void rocksdb_transaction_rollback_to_savepoint(TxnHandle* txn, char** errptr) {
  txn->rep->RollbackToSavePoint(errptr);
}

void rocksdb_transaction_set_name(TxnHandle* txn, const char* name, size_t size, char** errptr) {
  txn->rep->SetName(View(name, size), errptr);
}
char* rocksdb_transaction_get_name(TxnHandle* txn, size_t* size) {
  return varve::c::CopyBytes(txn->rep->name(), size);
}
void rocksdb_transaction_prepare(TxnHandle* txn, char** errptr) { txn->rep->Prepare(errptr); }

// Of keys with timestamps, which no family has.
void rocksdb_transaction_set_commit_timestamp(TxnHandle* /*txn*/, uint64_t /*timestamp*/) {}
void rocksdb_transaction_set_read_timestamp_for_validation(TxnHandle* /*txn*/,
                                                           uint64_t /*timestamp*/) {}

// Both are released with rocksdb_free(), and what they point to stays the transaction's.
rocksdb_writebatch_wi_t* rocksdb_transaction_get_writebatch_wi(TxnHandle* txn) {
  auto* const handle =
      static_cast<rocksdb_writebatch_wi_t*>(std::malloc(sizeof(rocksdb_writebatch_wi_t)));
  if (handle != nullptr) handle->rep = &txn->rep->batch();
  return handle;
}
const rocksdb_snapshot_t* rocksdb_transaction_get_snapshot(TxnHandle* txn) {
  auto* const handle = static_cast<rocksdb_snapshot_t*>(std::malloc(sizeof(rocksdb_snapshot_t)));
  if (handle != nullptr) handle->snapshot = txn->rep->snapshot();
  return handle;
}

void rocksdb_transaction_rebuild_from_writebatch(TxnHandle* txn, rocksdb_writebatch_t* batch,
                                                 char** errptr) {
  txn->rep->Rebuild(batch->batch, errptr);
}
void rocksdb_transaction_rebuild_from_writebatch_wi(TxnHandle* txn, rocksdb_writebatch_wi_t* batch,
                                                    char** errptr) {
  txn->rep->Rebuild(batch->rep->batch.batch, errptr);
}

// --- writing

void rocksdb_transaction_put(TxnHandle* txn, const char* key, size_t key_size, const char* value,
                             size_t value_size, char** errptr) {
  txn->rep->Put(FamilyIn(txn, nullptr), View(key, key_size), View(value, value_size), errptr);
}
void rocksdb_transaction_put_cf(TxnHandle* txn, Family* family, const char* key, size_t key_size,
                                const char* value, size_t value_size, char** errptr) {
  txn->rep->Put(FamilyIn(txn, family), View(key, key_size), View(value, value_size), errptr);
}
void rocksdb_transaction_merge(TxnHandle* txn, const char* key, size_t key_size,
                               const char* operand, size_t operand_size, char** errptr) {
  txn->rep->Merge(FamilyIn(txn, nullptr), View(key, key_size), View(operand, operand_size), errptr);
}
void rocksdb_transaction_merge_cf(TxnHandle* txn, Family* family, const char* key, size_t key_size,
                                  const char* operand, size_t operand_size, char** errptr) {
  txn->rep->Merge(FamilyIn(txn, family), View(key, key_size), View(operand, operand_size), errptr);
}
void rocksdb_transaction_delete(TxnHandle* txn, const char* key, size_t key_size, char** errptr) {
  txn->rep->Delete(FamilyIn(txn, nullptr), View(key, key_size), errptr);
}
void rocksdb_transaction_delete_cf(TxnHandle* txn, Family* family, const char* key, size_t key_size,
                                   char** errptr) {
  txn->rep->Delete(FamilyIn(txn, family), View(key, key_size), errptr);
}

// --- reading

char* rocksdb_transaction_get(TxnHandle* txn, const rocksdb_readoptions_t* options, const char* key,
                              size_t key_size, size_t* size, char** errptr) {
  return varve::c::Get(txn, *options, nullptr, View(key, key_size), size, errptr);
}
char* rocksdb_transaction_get_cf(TxnHandle* txn, const rocksdb_readoptions_t* options,
                                 Family* family, const char* key, size_t key_size, size_t* size,
                                 char** errptr) {
  return varve::c::Get(txn, *options, family, View(key, key_size), size, errptr);
}
rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned(TxnHandle* txn,
                                                        const rocksdb_readoptions_t* options,
                                                        const char* key, size_t key_size,
                                                        char** errptr) {
  return varve::c::GetPinned(txn, *options, nullptr, View(key, key_size), errptr);
}
rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_cf(TxnHandle* txn,
                                                           const rocksdb_readoptions_t* options,
                                                           Family* family, const char* key,
                                                           size_t key_size, char** errptr) {
  return varve::c::GetPinned(txn, *options, family, View(key, key_size), errptr);
}

char* rocksdb_transaction_get_for_update_cf(TxnHandle* txn, const rocksdb_readoptions_t* options,
                                            Family* family, const char* key, size_t key_size,
                                            size_t* size, unsigned char exclusive, char** errptr) {
  *size = 0;
  const std::string_view wanted = View(key, key_size);
  if (!txn->rep->Track(FamilyIn(txn, family), wanted, exclusive != 0, errptr)) return nullptr;
  return varve::c::Get(txn, *options, family, wanted, size, errptr);
}
char* rocksdb_transaction_get_for_update(TxnHandle* txn, const rocksdb_readoptions_t* options,
                                         const char* key, size_t key_size, size_t* size,
                                         unsigned char exclusive, char** errptr) {
  return rocksdb_transaction_get_for_update_cf(txn, options, nullptr, key, key_size, size,
                                               exclusive, errptr);
}
rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_for_update_cf(
    TxnHandle* txn, const rocksdb_readoptions_t* options, Family* family, const char* key,
    size_t key_size, unsigned char exclusive, char** errptr) {
  const std::string_view wanted = View(key, key_size);
  if (!txn->rep->Track(FamilyIn(txn, family), wanted, exclusive != 0, errptr)) return nullptr;
  return varve::c::GetPinned(txn, *options, family, wanted, errptr);
}
rocksdb_pinnableslice_t* rocksdb_transaction_get_pinned_for_update(
    TxnHandle* txn, const rocksdb_readoptions_t* options, const char* key, size_t key_size,
    unsigned char exclusive, char** errptr) {
  return rocksdb_transaction_get_pinned_for_update_cf(txn, options, nullptr, key, key_size,
                                                      exclusive, errptr);
}

void rocksdb_transaction_multi_get(TxnHandle* txn, const rocksdb_readoptions_t* options,
                                   size_t count, const char* const* keys, const size_t* key_sizes,
                                   char** values, size_t* sizes, char** errors) {
  varve::c::GetMany(txn, *options, nullptr, count, keys, key_sizes, values, sizes, errors);
}
void rocksdb_transaction_multi_get_cf(TxnHandle* txn, const rocksdb_readoptions_t* options,
                                      const Family* const* families, size_t count,
                                      const char* const* keys, const size_t* key_sizes,
                                      char** values, size_t* sizes, char** errors) {
  varve::c::GetMany(txn, *options, families, count, keys, key_sizes, values, sizes, errors);
}

rocksdb_iterator_t* rocksdb_transaction_create_iterator(TxnHandle* txn,
                                                        const rocksdb_readoptions_t* options) {
  return varve::c::Iterate(txn, *options, nullptr);
}
rocksdb_iterator_t* rocksdb_transaction_create_iterator_cf(TxnHandle* txn,
                                                           const rocksdb_readoptions_t* options,
                                                           Family* family) {
  return varve::c::Iterate(txn, *options, family);
}

}  // extern "C"
