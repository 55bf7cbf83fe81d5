// SPDX-License-Identifier: Apache-2.0
// Transactions of both kinds. What one writes is kept in an indexed batch until it commits.
//
//   pessimistic  locks a key when it is written or read for update; with a snapshot, refuses keys
//                that were changed after it; writes the batch and unlocks.
//                When it is prepared, the batch is logged, and writing it later is only a mark in
//                the log (DB::Prepare). One that is prepared outlives the process; the locks of
//                its keys are taken again when the database is opened.
//   optimistic   notes for each key the newest change; when it commits, locks the keys, refuses if
//                one was changed since, writes the batch and unlocks.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/c/handles.h"
#include "core/c/indexed_batch.h"
#include "core/c/key_locks.h"
#include "core/format/log/write_batch_format.h"

namespace varve::c {

class Transaction;

// What the transactions of one database share.
struct TransactionSpace {
  TransactionSpace(rocksdb_t* database, Clock& time) : db(database), clock(time), locks(time) {}

  rocksdb_t* const db;
  Clock& clock;
  KeyLocks locks;
  Mutex mutex;
  // Transactions with names that have not ended.
  std::map<std::string, Transaction*> names GUARDED_BY(mutex);
};

struct TransactionRules {
  bool optimistic = false;
  bool set_snapshot = false;
  bool skip_prepare = true;
  KeyLocks::Patience patience = {};
  std::optional<uint64_t> lifetime_micros = {};  // None: it does not expire.
  size_t max_batch_bytes = 0;                    // 0: unlimited.
  // A function of the options that changes of the transaction refuse; else empty.
  std::string_view refused = {};
};

// The words of a lock that could not be had; nothing is saved if it was. Returns whether it was.
bool SaveLockError(KeyLocks::Outcome outcome, char** errptr);

// Functions that may fail save the error, as those of c.h. One thread at a time.
class Transaction : public std::enable_shared_from_this<Transaction> {
 public:
  using Family = rocksdb_column_family_handle_t;

  Transaction(TransactionSpace& space, const rocksdb_writeoptions_t& write,
              const TransactionRules& rules);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  // Becomes one that was prepared before the database was opened. Locks its keys, except those that
  // another such transaction has locked.
  void Recover(const PreparedTransaction& prepared);

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
  bool prepared() const { return state_ == State::kPrepared; }
  const Snapshot* snapshot() const { return snapshot_.get(); }  // Null: none.

 private:
  enum class State : uint8_t { kStarted, kWriting, kPrepared, kCommitted, kRolledBack };
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
  Status MayPrepare() const;
  bool Expired() const;
  // A step of a two-phase commit: DB::Prepare() and so on, always logged. Afterwards the state is
  // `then`, or as it was if it failed.
  void NotePrepared();
  WriteBatch AddedSince() const;  // NotePrepared() was called.
  template <typename Step>
  bool TakeStep(State then, Step step, char** errptr);
  void ReleaseName();

  TransactionSpace& space_;
  const rocksdb_writeoptions_t write_;
  TransactionRules rules_;
  const KeyLocks::Owner owner_;
  const uint64_t begin_micros_;
  std::atomic<State> state_{State::kStarted};  // Other threads ask for those that are prepared.
  std::string name_;
  bool has_name_ = false;  // No other transaction can have it.
  // What was prepared of the batch; what was added later is logged by the commit.
  size_t prepared_size_ = 0;
  uint32_t prepared_count_ = 0;
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
  // A prepared one may have several handles.
  std::shared_ptr<varve::c::Transaction> rep;
};

struct rocksdb_transactiondb_options_t {
  int64_t transaction_lock_timeout = 1000;  // Milliseconds; below 0: forever.
  int64_t default_lock_timeout = 1000;      // Of writes outside transactions.
  int64_t max_num_locks = -1;               // A hint.
  size_t num_stripes = 16;                  // A hint.
  VARVE_C_ELEVEN_TRANSACTIONDB_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
};

struct rocksdb_transaction_options_t {
  bool set_snapshot = false;
  bool deadlock_detect = false;
  bool skip_prepare = true;
  int64_t lock_timeout = -1;  // Milliseconds; below 0: that of the database.
  int64_t expiration = -1;    // Milliseconds; below 0: never.
  size_t max_write_batch_size = 0;
  int64_t deadlock_detect_depth = 50;  // A hint.
  VARVE_C_ELEVEN_TRANSACTION_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
};

struct rocksdb_optimistictransaction_options_t {
  bool set_snapshot = false;
};
