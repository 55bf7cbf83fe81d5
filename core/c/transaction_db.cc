// SPDX-License-Identifier: Apache-2.0
// TransactionDB: a database whose writes lock keys, within transactions and outside.
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/base/try.h"
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/c/transaction.h"
#include "core/fs/complete_environment.h"

using varve::c::IdOf;
using varve::c::KeyLocks;
using varve::c::View;
using Family = rocksdb_column_family_handle_t;
// The handle is that of the database, which programs take it for (rust-rocksdb 0.20 does): the
// class of RocksDB is a DB.
using TransactionDb = rocksdb_transactiondb_t;

namespace varve::c {
namespace {

struct LockingSpace : TransactionSpace {
  LockingSpace(rocksdb_t* database, Clock& time, const rocksdb_transactiondb_options_t& given)
      : TransactionSpace(database, time), options(given) {}

  const rocksdb_transactiondb_options_t options;
  // Those that were prepared before it was opened, until the program has a handle of them.
  std::vector<std::shared_ptr<Transaction>> recovered GUARDED_BY(mutex);
};

rocksdb_t* DbOf(TransactionDb* db) { return reinterpret_cast<rocksdb_t*>(db); }
LockingSpace& SpaceOf(TransactionDb* db) {
  return static_cast<LockingSpace&>(*DbOf(db)->transactions);
}

constexpr int64_t kMicrosPerMilli = 1000;

KeyLocks::Patience PatienceOf(int64_t millis) {
  KeyLocks::Patience patience;
  if (millis >= 0) patience.micros = static_cast<uint64_t>(millis * kMicrosPerMilli);
  return patience;
}

TransactionRules RulesOf(const rocksdb_transactiondb_options_t& db,
                         const rocksdb_transaction_options_t& options) {
  TransactionRules rules;
  rules.set_snapshot = options.set_snapshot;
  rules.skip_prepare = options.skip_prepare;
  rules.patience =
      PatienceOf(options.lock_timeout < 0 ? db.transaction_lock_timeout : options.lock_timeout);
  rules.patience.detect_deadlock = options.deadlock_detect;
  if (options.expiration >= 0) {
    rules.lifetime_micros = static_cast<uint64_t>(options.expiration * kMicrosPerMilli);
  }
  rules.max_batch_bytes = options.max_write_batch_size;
  if (options.skip_concurrency_control) {
    rules.refused = "rocksdb_transaction_options_set_skip_concurrency_control";
  }
  return rules;
}

Status CheckRules(const rocksdb_transactiondb_options_t& rules) {
  if (rules.write_policy != 0) return Refusal("rocksdb_transactiondb_options_set_write_policy");
  if (rules.skip_concurrency_control) {
    return Refusal("rocksdb_transactiondb_options_set_skip_concurrency_control");
  }
  return Status::Ok();
}

rocksdb_options_t WithTwoPhaseCommits(rocksdb_options_t options) {
  options.allow_2pc = true;
  return options;
}

// All that are prepared.
std::vector<std::shared_ptr<Transaction>> PreparedIn(LockingSpace& space) {
  std::vector<std::shared_ptr<Transaction>> prepared;
  MutexLock lock(space.mutex);
  for (const auto& [name, transaction] : space.names) {
    if (!transaction->prepared()) continue;
    // Null while another thread destroys it.
    if (auto shared = transaction->weak_from_this().lock()) prepared.push_back(std::move(shared));
  }
  space.recovered.clear();  // From now on the handles own them.
  return prepared;
}

TransactionDb* Opened(rocksdb_t* db, const rocksdb_options_t* options,
                      const rocksdb_transactiondb_options_t* rules) {
  if (db == nullptr) return nullptr;
  const auto space = std::make_shared<LockingSpace>(db, *Complete(options->env).clock, *rules);
  db->transactions = space;
  const rocksdb_writeoptions_t write{.sync = true};  // As RocksDB has it for their decisions.
  for (const PreparedTransaction& prepared : db->db->PreparedTransactions()) {
    auto transaction = std::make_shared<Transaction>(*space, write, RulesOf(*rules, {}));
    transaction->Recover(prepared);
    MutexLock lock(space->mutex);
    space->recovered.push_back(std::move(transaction));
  }
  return reinterpret_cast<TransactionDb*>(db);
}

// A write outside transactions: locks the keys meanwhile, in their order.
template <typename WriteFn>
void WriteLocked(TransactionDb* db, const std::set<KeyLocks::Key>& keys, char** errptr,
                 WriteFn write) {
  KeyLocks& locks = SpaceOf(db).locks;
  const KeyLocks::Owner owner = locks.NewOwner();
  const KeyLocks::Patience patience = PatienceOf(SpaceOf(db).options.default_lock_timeout);
  auto locked = keys.begin();
  while (locked != keys.end() &&
         !SaveLockError(locks.Lock(owner, *locked, /*exclusive=*/true, patience), errptr)) {
    ++locked;
  }
  if (locked == keys.end()) write();
  for (auto key = keys.begin(); key != locked; ++key) locks.Unlock(owner, *key);
}

Result<std::set<KeyLocks::Key>> KeysOf(const WriteBatch& batch) {
  std::set<KeyLocks::Key> keys;
  BatchReader in(batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    if (record.type == ValueType::kRangeDeletion) {
      return Status::InvalidArgument("a TransactionDB does not take range deletions");
    }
    keys.emplace(record.family, record.key);
  }
  RETURN_IF_ERROR(in.status());
  return keys;
}

std::set<KeyLocks::Key> OneKey(const Family* family, const char* key, size_t size) {
  return {{IdOf(family), std::string(key, size)}};
}

}  // namespace
}  // namespace varve::c

using varve::c::DbOf;
using varve::c::OneKey;
using varve::c::SpaceOf;
using varve::c::WriteLocked;

extern "C" {

TransactionDb* rocksdb_transactiondb_open(const rocksdb_options_t* options,
                                          const rocksdb_transactiondb_options_t* rules,
                                          const char* path, char** errptr) {
  if (varve::c::SaveError(errptr, varve::c::CheckRules(*rules))) return nullptr;
  const rocksdb_options_t with = varve::c::WithTwoPhaseCommits(*options);
  return varve::c::Opened(rocksdb_open(&with, path, errptr), options, rules);
}

TransactionDb* rocksdb_transactiondb_open_column_families(
    const rocksdb_options_t* options, const rocksdb_transactiondb_options_t* rules,
    const char* path, int count, const char* const* names,
    const rocksdb_options_t* const* family_options, Family** handles, char** errptr) {
  if (varve::c::SaveError(errptr, varve::c::CheckRules(*rules))) return nullptr;
  const rocksdb_options_t with = varve::c::WithTwoPhaseCommits(*options);
  return varve::c::Opened(
      rocksdb_open_column_families(&with, path, count, names, family_options, handles, errptr),
      options, rules);
}

void rocksdb_transactiondb_close(TransactionDb* db) { rocksdb_close(DbOf(db)); }

Family* rocksdb_transactiondb_create_column_family(TransactionDb* db,
                                                   const rocksdb_options_t* options,
                                                   const char* name, char** errptr) {
  return rocksdb_create_column_family(DbOf(db), options, name, errptr);
}

rocksdb_transaction_t* rocksdb_transaction_begin(TransactionDb* db,
                                                 const rocksdb_writeoptions_t* write,
                                                 const rocksdb_transaction_options_t* options,
                                                 rocksdb_transaction_t* old) {
  rocksdb_transaction_t* const txn = old == nullptr ? new rocksdb_transaction_t : old;
  txn->rep.reset();  // Its locks are free before the new one begins.
  txn->rep = std::make_shared<varve::c::Transaction>(
      SpaceOf(db), *write, varve::c::RulesOf(SpaceOf(db).options, *options));
  return txn;
}

rocksdb_transaction_t** rocksdb_transactiondb_get_prepared_transactions(TransactionDb* db,
                                                                        size_t* count) {
  const auto prepared = varve::c::PreparedIn(SpaceOf(db));
  *count = prepared.size();
  if (prepared.empty()) return nullptr;
  auto** const list = static_cast<rocksdb_transaction_t**>(
      std::malloc(prepared.size() * sizeof(rocksdb_transaction_t*)));
  if (list == nullptr) {
    *count = 0;
    return nullptr;
  }
  for (size_t i = 0; i < prepared.size(); ++i) list[i] = new rocksdb_transaction_t{prepared[i]};
  return list;
}

const rocksdb_snapshot_t* rocksdb_transactiondb_create_snapshot(TransactionDb* db) {
  return rocksdb_create_snapshot(DbOf(db));
}
void rocksdb_transactiondb_release_snapshot(TransactionDb* db, const rocksdb_snapshot_t* snapshot) {
  rocksdb_release_snapshot(DbOf(db), snapshot);
}
char* rocksdb_transactiondb_property_value(TransactionDb* db, const char* name) {
  return rocksdb_property_value(DbOf(db), name);
}
int rocksdb_transactiondb_property_int(TransactionDb* db, const char* name, uint64_t* value) {
  return rocksdb_property_int(DbOf(db), name, value);
}
rocksdb_checkpoint_t* rocksdb_transactiondb_checkpoint_object_create(TransactionDb* db,
                                                                     char** errptr) {
  return rocksdb_checkpoint_object_create(DbOf(db), errptr);
}
void rocksdb_transactiondb_flush(TransactionDb* db, const rocksdb_flushoptions_t* options,
                                 char** errptr) {
  rocksdb_flush(DbOf(db), options, errptr);
}
void rocksdb_transactiondb_flush_cf(TransactionDb* db, const rocksdb_flushoptions_t* options,
                                    Family* family, char** errptr) {
  rocksdb_flush_cf(DbOf(db), options, family, errptr);
}
void rocksdb_transactiondb_flush_wal(TransactionDb* db, unsigned char sync, char** errptr) {
  rocksdb_flush_wal(DbOf(db), sync, errptr);
}

// --- reading, which takes no locks

char* rocksdb_transactiondb_get(TransactionDb* db, const rocksdb_readoptions_t* options,
                                const char* key, size_t key_size, size_t* size, char** errptr) {
  return rocksdb_get(DbOf(db), options, key, key_size, size, errptr);
}
char* rocksdb_transactiondb_get_cf(TransactionDb* db, const rocksdb_readoptions_t* options,
                                   Family* family, const char* key, size_t key_size, size_t* size,
                                   char** errptr) {
  return rocksdb_get_cf(DbOf(db), options, family, key, key_size, size, errptr);
}
rocksdb_pinnableslice_t* rocksdb_transactiondb_get_pinned(TransactionDb* db,
                                                          const rocksdb_readoptions_t* options,
                                                          const char* key, size_t key_size,
                                                          char** errptr) {
  return rocksdb_get_pinned(DbOf(db), options, key, key_size, errptr);
}
rocksdb_pinnableslice_t* rocksdb_transactiondb_get_pinned_cf(TransactionDb* db,
                                                             const rocksdb_readoptions_t* options,
                                                             Family* family, const char* key,
                                                             size_t key_size, char** errptr) {
  return rocksdb_get_pinned_cf(DbOf(db), options, family, key, key_size, errptr);
}
void rocksdb_transactiondb_multi_get(TransactionDb* db, const rocksdb_readoptions_t* options,
                                     size_t count, const char* const* keys, const size_t* key_sizes,
                                     char** values, size_t* sizes, char** errors) {
  rocksdb_multi_get(DbOf(db), options, count, keys, key_sizes, values, sizes, errors);
}
void rocksdb_transactiondb_multi_get_cf(TransactionDb* db, const rocksdb_readoptions_t* options,
                                        const Family* const* families, size_t count,
                                        const char* const* keys, const size_t* key_sizes,
                                        char** values, size_t* sizes, char** errors) {
  rocksdb_multi_get_cf(DbOf(db), options, families, count, keys, key_sizes, values, sizes, errors);
}
rocksdb_iterator_t* rocksdb_transactiondb_create_iterator(TransactionDb* db,
                                                          const rocksdb_readoptions_t* options) {
  return rocksdb_create_iterator(DbOf(db), options);
}
rocksdb_iterator_t* rocksdb_transactiondb_create_iterator_cf(TransactionDb* db,
                                                             const rocksdb_readoptions_t* options,
                                                             Family* family) {
  return rocksdb_create_iterator_cf(DbOf(db), options, family);
}

// --- writing outside transactions

void rocksdb_transactiondb_put(TransactionDb* db, const rocksdb_writeoptions_t* options,
                               const char* key, size_t key_size, const char* value,
                               size_t value_size, char** errptr) {
  WriteLocked(db, OneKey(nullptr, key, key_size), errptr,
              [&] { rocksdb_put(DbOf(db), options, key, key_size, value, value_size, errptr); });
}
void rocksdb_transactiondb_put_cf(TransactionDb* db, const rocksdb_writeoptions_t* options,
                                  Family* family, const char* key, size_t key_size,
                                  const char* value, size_t value_size, char** errptr) {
  WriteLocked(db, OneKey(family, key, key_size), errptr, [&] {
    rocksdb_put_cf(DbOf(db), options, family, key, key_size, value, value_size, errptr);
  });
}
void rocksdb_transactiondb_merge(TransactionDb* db, const rocksdb_writeoptions_t* options,
                                 const char* key, size_t key_size, const char* operand,
                                 size_t operand_size, char** errptr) {
  WriteLocked(db, OneKey(nullptr, key, key_size), errptr, [&] {
    rocksdb_merge(DbOf(db), options, key, key_size, operand, operand_size, errptr);
  });
}
void rocksdb_transactiondb_merge_cf(TransactionDb* db, const rocksdb_writeoptions_t* options,
                                    Family* family, const char* key, size_t key_size,
                                    const char* operand, size_t operand_size, char** errptr) {
  WriteLocked(db, OneKey(family, key, key_size), errptr, [&] {
    rocksdb_merge_cf(DbOf(db), options, family, key, key_size, operand, operand_size, errptr);
  });
}
void rocksdb_transactiondb_delete(TransactionDb* db, const rocksdb_writeoptions_t* options,
                                  const char* key, size_t key_size, char** errptr) {
  WriteLocked(db, OneKey(nullptr, key, key_size), errptr,
              [&] { rocksdb_delete(DbOf(db), options, key, key_size, errptr); });
}
void rocksdb_transactiondb_delete_cf(TransactionDb* db, const rocksdb_writeoptions_t* options,
                                     Family* family, const char* key, size_t key_size,
                                     char** errptr) {
  WriteLocked(db, OneKey(family, key, key_size), errptr,
              [&] { rocksdb_delete_cf(DbOf(db), options, family, key, key_size, errptr); });
}
void rocksdb_transactiondb_write(TransactionDb* db, const rocksdb_writeoptions_t* options,
                                 rocksdb_writebatch_t* batch, char** errptr) {
  const auto keys = varve::c::KeysOf(batch->batch);
  if (varve::c::SaveError(errptr, keys.status())) return;
  WriteLocked(db, *keys, errptr, [&] { rocksdb_write(DbOf(db), options, batch, errptr); });
}

}  // extern "C"
