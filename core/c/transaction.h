// SPDX-License-Identifier: Apache-2.0
// Transactions of both kinds. What one writes is kept in an indexed batch until it commits.
//
//   pessimistic  locks a key when it is written or read for update; with a snapshot, refuses keys
//                that were changed after it; writes the batch and unlocks.
//   optimistic   notes for each key the newest change; when it commits, locks the keys, refuses if
//                one was changed since, writes the batch and unlocks.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/c/handles.h"
#include "core/c/indexed_batch.h"
#include "core/c/key_locks.h"
#include "core/format/log/write_batch_format.h"

namespace varve::c {

// What the transactions of one database share.
struct TransactionSpace {
  TransactionSpace(rocksdb_t* database, Clock& time) : db(database), clock(time), locks(time) {}

  rocksdb_t* const db;
  Clock& clock;
  KeyLocks locks;
  Mutex mutex;
  std::set<std::string> names GUARDED_BY(mutex);  // Of transactions that have not ended.
};

struct TransactionRules {
  bool optimistic = false;
  bool set_snapshot = false;
  bool skip_prepare = true;
  KeyLocks::Patience patience = {};
  std::optional<uint64_t> lifetime_micros = {};  // None: it does not expire.
  size_t max_batch_bytes = 0;                    // 0: unlimited.
};

// The words of a lock that could not be had; nothing is saved if it was. Returns whether it was.
bool SaveLockError(KeyLocks::Outcome outcome, char** errptr);

// Functions that may fail save the error, as those of c.h. One thread at a time.
class Transaction {
 public:
  using Family = rocksdb_column_family_handle_t;

  Transaction(TransactionSpace& space, const rocksdb_writeoptions_t& write,
              const TransactionRules& rules);
  ~Transaction();
  Transaction(const Transaction&) = delete;

  void Put(const Family& family, std::string_view key, std::string_view value, char** errptr);
  void Merge(const Family& family, std::string_view key, std::string_view operand, char** errptr);
  void Delete(const Family& family, std::string_view key, char** errptr);
  // Does in it what `batch` does.
  void Rebuild(const WriteBatch& batch, char** errptr);
  // Whether no other transaction can change the key until this one ends, or will be noticed.
  bool Track(const Family& family, std::string_view key, bool exclusive, char** errptr);

  void Commit(char** errptr);
  void Rollback(char** errptr);
  void SetSavePoint();
  void RollbackToSavePoint(char** errptr);
  void SetName(std::string_view name, char** errptr);
  void Prepare(char** errptr);

  rocksdb_t* db() { return space_.db; }
  IndexedBatch& batch() { return batch_; }
  const std::string& name() const { return name_; }
  const Snapshot* snapshot() const { return snapshot_.get(); }  // Null: none.

 private:
  enum class State : uint8_t { kStarted, kWriting, kCommitted };
  struct Tracked {
    Sequence since;  // No change of the key is newer, as far as it was looked at.
    bool exclusive;
  };
  struct SavePoint {
    size_t tracked;
    std::shared_ptr<const Snapshot> snapshot;
  };

  template <typename Fill>
  void Change(const Family& family, std::string_view key, Fill fill, char** errptr);
  bool Replay(const BatchRecord& record, char** errptr);
  bool LockKey(const Family& family, const KeyLocks::Key& key, bool exclusive, char** errptr);
  // Whether the key has no change that is newer. Saves the error.
  bool Unchanged(const KeyLocks::Key& key, Sequence since, char** errptr);
  void Remember(const KeyLocks::Key& key, Sequence since, bool exclusive);
  void Forget(size_t tracked);  // All keys but the first `tracked`.
  void Clear();
  void CommitOptimistically(char** errptr);
  bool WriteBatchToDb(char** errptr);
  bool MayCommit(char** errptr);
  void ReleaseName();

  TransactionSpace& space_;
  const rocksdb_writeoptions_t write_;
  const TransactionRules rules_;
  const KeyLocks::Owner owner_;
  const uint64_t begin_micros_;
  State state_ = State::kStarted;
  std::string name_;
  bool has_name_ = false;  // No other transaction can have it.
  IndexedBatch batch_;
  std::shared_ptr<const Snapshot> snapshot_;
  // Keeps sequence numbers newer than those that were noted; optimistic only.
  std::optional<Snapshot> horizon_;
  std::map<KeyLocks::Key, Tracked> tracked_;
  std::vector<KeyLocks::Key> order_;  // The same keys, as they came.
  std::vector<SavePoint> save_points_;
};

}  // namespace varve::c

struct rocksdb_transaction_t {
  std::unique_ptr<varve::c::Transaction> rep;
};

struct rocksdb_transactiondb_options_t {
  int64_t transaction_lock_timeout = 1000;  // Milliseconds; below 0: forever.
  int64_t default_lock_timeout = 1000;      // Of writes outside transactions.
};

struct rocksdb_transaction_options_t {
  bool set_snapshot = false;
  bool deadlock_detect = false;
  bool skip_prepare = true;
  int64_t lock_timeout = -1;  // Milliseconds; below 0: that of the database.
  int64_t expiration = -1;    // Milliseconds; below 0: never.
  size_t max_write_batch_size = 0;
};

struct rocksdb_optimistictransaction_options_t {
  bool set_snapshot = false;
};
