// SPDX-License-Identifier: Apache-2.0
#include "core/c/transaction.h"

#include <algorithm>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/c/error.h"
#include "core/c/functions.h"

namespace varve::c {

bool SaveLockError(KeyLocks::Outcome outcome, char** errptr) {
  switch (outcome) {
    case KeyLocks::Outcome::kLocked:
      return false;
    case KeyLocks::Outcome::kTimedOut:
      SaveErrorText(errptr, "Operation timed out: Timeout waiting to lock key");
      return true;
    case KeyLocks::Outcome::kDeadlock:
      SaveErrorText(errptr, "Resource busy: Deadlock");
      return true;
  }
  return true;
}

Transaction::Transaction(TransactionSpace& space, const rocksdb_writeoptions_t& write,
                         const TransactionRules& rules)
    : space_(space),
      write_(write),
      rules_(rules),
      owner_(space.locks.NewOwner()),
      begin_micros_(space.clock.NowMicros()) {
  batch_.Order(&space.db->default_family);
  if (rules.set_snapshot) snapshot_ = std::make_shared<const Snapshot>(db()->db->GetSnapshot());
}

Transaction::~Transaction() {
  Forget(0);
  ReleaseName();
}

void Transaction::Remember(const KeyLocks::Key& key, Sequence since, bool exclusive) {
  const auto [at, fresh] = tracked_.try_emplace(key, Tracked{since, exclusive});
  if (fresh) order_.push_back(key);
  at->second.since = std::min(at->second.since, since);
  at->second.exclusive |= exclusive;
}

void Transaction::Forget(size_t tracked) {
  for (size_t i = tracked; i < order_.size(); ++i) {
    if (!rules_.optimistic) space_.locks.Unlock(owner_, order_[i]);
    tracked_.erase(order_[i]);
  }
  order_.resize(std::min(tracked, order_.size()));
}

bool Transaction::Unchanged(const KeyLocks::Key& key, Sequence since, char** errptr) {
  const Result<Sequence> newest = db()->db->NewestSequence(key.second, key.first);
  if (SaveError(errptr, newest.status())) return false;
  if (*newest <= since) return true;
  SaveError(errptr, Status::Busy(""));
  return false;
}

bool Transaction::LockKey(const Family& family, const KeyLocks::Key& key, bool exclusive,
                          char** errptr) {
  if (!rules_.refused.empty()) {
    Refuse(errptr, rules_.refused);
    return false;
  }
  const auto known = tracked_.find(key);
  const bool locked = known != tracked_.end();
  if (!locked || (exclusive && !known->second.exclusive)) {
    const auto outcome = space_.locks.Lock(owner_, key, exclusive, rules_.patience);
    if (SaveLockError(outcome, errptr)) return false;
  }
  Sequence since = locked ? known->second.since : kMaxSequence;
  if (snapshot_ != nullptr && since > snapshot_->sequence()) {
    since = snapshot_->sequence();
    if (!Unchanged(key, since, errptr)) {
      if (!locked) space_.locks.Unlock(owner_, key);
      return false;
    }
  }
  batch_.Order(&family);
  Remember(key, since, exclusive);
  return true;
}

bool Transaction::Track(const Family& family, std::string_view key, bool exclusive, char** errptr) {
  if (SaveError(errptr, CheckIndexable(ReadingOf(family)))) return false;
  const KeyLocks::Key full(family.id, key);
  if (!rules_.optimistic) return LockKey(family, full, exclusive, errptr);
  if (!horizon_) horizon_ = db()->db->GetSnapshot();
  batch_.Order(&family);
  Remember(full, snapshot_ != nullptr ? snapshot_->sequence() : db()->db->GetSnapshot().sequence(),
           exclusive);
  return true;
}

template <typename Fill>
void Transaction::Change(const Family& family, std::string_view key, Fill fill, char** errptr) {
  if (!Track(family, key, /*exclusive=*/true, errptr)) return;
  if (rules_.max_batch_bytes == 0) return fill(&batch_.batch.batch);
  rocksdb_writebatch_set_save_point(&batch_.batch);
  fill(&batch_.batch.batch);
  // RocksDB's batch also has the mark that begins a two-phase commit.
  constexpr size_t kMarkBytes = 1;
  if (batch_.batch.batch.bytes().size() + kMarkBytes <= rules_.max_batch_bytes) {
    rocksdb_writebatch_pop_save_point(&batch_.batch, nullptr);
    return;
  }
  rocksdb_writebatch_rollback_to_save_point(&batch_.batch, nullptr);
  batch_.Shortened();
  SaveErrorText(errptr, "Operation aborted: Memory limit reached");
}

void Transaction::Put(const Family& family, std::string_view key, std::string_view value,
                      char** errptr) {
  Change(family, key, [&](WriteBatch* batch) { batch->Put(key, value, family.id); }, errptr);
}

void Transaction::Merge(const Family& family, std::string_view key, std::string_view operand,
                        char** errptr) {
  Change(family, key, [&](WriteBatch* batch) { batch->Merge(key, operand, family.id); }, errptr);
}

void Transaction::Delete(const Family& family, std::string_view key, char** errptr) {
  Change(family, key, [&](WriteBatch* batch) { batch->Delete(key, family.id); }, errptr);
}

bool Transaction::Replay(const BatchRecord& record, char** errptr) {
  char* error = nullptr;
  const Family family{record.family, {}, db()->ObjectsOf(record.family)};
  switch (record.type) {
    case ValueType::kValue:
      Put(family, record.key, record.value, &error);
      break;
    case ValueType::kDeletion:
      Delete(family, record.key, &error);
      break;
    case ValueType::kSingleDeletion:
      Change(
          family, record.key,
          [&](WriteBatch* batch) { batch->SingleDelete(record.key, record.family); }, &error);
      break;
    case ValueType::kMerge:
      Merge(family, record.key, record.value, &error);
      break;
    default:
      SaveError(&error, Status::InvalidArgument("a transaction takes puts, merges and deletions"));
  }
  return !PassError(error, errptr);
}

void Transaction::Rebuild(const WriteBatch& batch, char** errptr) {
  BatchReader in(batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind == BatchRecordKind::kEntry && !Replay(record, errptr)) return;
  }
  SaveError(errptr, in.status());
}

void Transaction::Clear() {
  Forget(0);
  rocksdb_writebatch_clear(&batch_.batch);
  batch_.Shortened();
  save_points_.clear();
  horizon_.reset();
}

bool Transaction::WriteBatchToDb(char** errptr) {
  char* error = nullptr;
  rocksdb_write(db(), &write_, &batch_.batch, &error);
  return !PassError(error, errptr);
}

bool Transaction::Expired() const {
  return rules_.lifetime_micros &&
         space_.clock.NowMicros() - begin_micros_ >= *rules_.lifetime_micros;
}

bool Transaction::MayCommit(char** errptr) {
  if (Expired()) {
    SaveErrorText(errptr, "Operation expired: ");
    return false;
  }
  Status status;
  if (state_ == State::kCommitted) {
    status = Status::InvalidArgument("Transaction has already been committed.");
  } else if (state_ == State::kRolledBack) {
    status = Status::InvalidArgument("Transaction has already been rolledback.");
  } else if (state_ != State::kStarted) {
    status = Status::InvalidArgument("Transaction is not in state for commit.");
  } else if (!rules_.skip_prepare) {
    status = Status::InvalidArgument("Txn not prepared");
  }
  return !SaveError(errptr, status);
}

void Transaction::CommitOptimistically(char** errptr) {
  // In the order of the map: commits wait for each other, and never in a circle.
  for (const auto& [key, tracked] : tracked_) space_.locks.Lock(owner_, key, true, {});
  const bool valid = std::all_of(tracked_.begin(), tracked_.end(), [&](const auto& entry) {
    return Unchanged(entry.first, entry.second.since, errptr);
  });
  const bool written = valid && WriteBatchToDb(errptr);
  for (const auto& [key, tracked] : tracked_) space_.locks.Unlock(owner_, key);
  if (written) Clear();
}

void Transaction::Commit(char** errptr) {
  if (rules_.optimistic) return CommitOptimistically(errptr);
  if (prepared()) {
    const auto commit = [&](const WriteOptions& options) {
      return db()->db->CommitPrepared(options, name_, AddedSince());
    };
    if (!TakeStep(State::kCommitted, commit, errptr)) return;
    ReleaseName();
    return Clear();
  }
  if (!MayCommit(errptr)) return;
  state_ = State::kWriting;
  const bool written = WriteBatchToDb(errptr);
  ReleaseName();
  Clear();
  if (written) state_ = State::kCommitted;
}

void Transaction::NotePrepared() {
  prepared_size_ = batch_.batch.batch.bytes().size();
  prepared_count_ = batch_.batch.batch.count();
}

WriteBatch Transaction::AddedSince() const {
  const WriteBatch& now = batch_.batch.batch;
  WriteBatch added;
  // A program may have cleared the batch by its own handle; what is prepared stays.
  if (now.bytes().size() <= prepared_size_ || now.count() < prepared_count_) return added;
  std::string bytes(kWriteBatchHeaderSize, '\0');
  StoreFixed32(bytes.data() + sizeof(Sequence), now.count() - prepared_count_);
  bytes.append(now.bytes(), prepared_size_);
  return WriteBatch(std::move(bytes));
}

template <typename Step>
bool Transaction::TakeStep(State then, Step step, char** errptr) {
  rocksdb_writeoptions_t logged = write_;
  logged.disable_WAL = false;
  const State before = state_.exchange(State::kWriting);
  const Result<WriteOptions> options = ToEngine(logged, db());
  const Status status = options.ok() ? step(*options) : options.status();
  state_ = status.ok() ? then : before;
  if (!status.ok()) SaveWriteError(write_, status, errptr);
  return status.ok();
}

void Transaction::Rollback(char** errptr) {
  if (prepared()) {
    const auto roll_back = [&](const WriteOptions& options) {
      return db()->db->RollbackPrepared(options, name_);
    };
    if (TakeStep(State::kRolledBack, roll_back, errptr)) Clear();
    return;
  }
  Status status;
  if (state_ == State::kCommitted) {
    status = Status::InvalidArgument("This transaction has already been committed.");
  } else if (state_ != State::kStarted) {
    status = Status::InvalidArgument("Two phase transaction is not in state for rollback.");
  }
  if (!SaveError(errptr, status)) Clear();
}

void Transaction::SetSavePoint() {
  save_points_.push_back({order_.size(), snapshot_});
  rocksdb_writebatch_set_save_point(&batch_.batch);
}

void Transaction::RollbackToSavePoint(char** errptr) {
  if (state_ != State::kStarted) {
    SaveError(errptr, Status::InvalidArgument("Transaction is beyond state for rollback."));
    return;
  }
  if (save_points_.empty()) {
    SaveError(errptr, Status::NotFound(""));
    return;
  }
  Forget(save_points_.back().tracked);
  snapshot_ = save_points_.back().snapshot;
  save_points_.pop_back();
  rocksdb_writebatch_rollback_to_save_point(&batch_.batch, errptr);
  batch_.Shortened();
}

void Transaction::SetName(std::string_view name, char** errptr) {
  constexpr size_t kNameMax = 512;
  MutexLock lock(space_.mutex);
  Status status;
  if (rules_.optimistic) {
    status = Status::InvalidArgument("Optimistic transactions cannot be named.");
  } else if (state_ != State::kStarted) {
    status = Status::InvalidArgument("Transaction is beyond state for naming.");
  } else if (!name_.empty()) {
    status = Status::InvalidArgument("Transaction has already been named.");
  } else if (name.empty() || name.size() > kNameMax) {
    status = Status::InvalidArgument("Transaction name length must be between 1 and 512 chars.");
  } else if (!space_.names.try_emplace(std::string(name), this).second) {
    status = Status::InvalidArgument("Transaction name must be unique.");
  }
  if (SaveError(errptr, status)) return;
  name_ = name;
  has_name_ = true;
}

void Transaction::ReleaseName() {
  if (!has_name_) return;
  has_name_ = false;
  MutexLock lock(space_.mutex);
  space_.names.erase(name_);
}

Status Transaction::MayPrepare() const {
  if (rules_.optimistic) {
    return Status::InvalidArgument("Two phase commit not supported for optimistic transactions.");
  }
  if (name_.empty()) {
    return Status::InvalidArgument("Cannot prepare a transaction that has not been named.");
  }
  switch (state_.load()) {
    case State::kStarted:
      return Status::Ok();
    case State::kPrepared:
      return Status::InvalidArgument("Transaction has already been prepared.");
    case State::kCommitted:
      return Status::InvalidArgument("Transaction has already been committed.");
    case State::kRolledBack:
      return Status::InvalidArgument("Transaction has already been rolledback.");
    case State::kWriting:
      break;
  }
  return Status::InvalidArgument("Transaction is not in state for commit.");
}

void Transaction::Prepare(char** errptr) {
  if (SaveError(errptr, MayPrepare())) return;
  if (Expired()) return SaveErrorText(errptr, "Operation expired: ");
  const auto prepare = [&](const WriteOptions& options) {
    return db()->db->Prepare(options, name_, batch_.batch.batch);
  };
  if (!TakeStep(State::kPrepared, prepare, errptr)) return;
  NotePrepared();
  rules_.lifetime_micros.reset();  // From now on, only a decision ends it.
  save_points_.clear();
  batch_.batch.save_points.clear();
}

void Transaction::Recover(const PreparedTransaction& prepared) {
  CHECK(state_ == State::kStarted && batch_.batch.batch.empty());
  BatchReader in(prepared.changes.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    const Family family{record.family, {}, db()->ObjectsOf(record.family)};
    batch_.Order(&family);
    if (record.type == ValueType::kRangeDeletion) continue;  // No transaction of ours has one.
    const KeyLocks::Key key(record.family, record.key);
    if (space_.locks.Lock(owner_, key, /*exclusive=*/true, {.micros = 0}) ==
        KeyLocks::Outcome::kLocked) {
      Remember(key, kMaxSequence, /*exclusive=*/true);
    }
  }
  batch_.batch.batch = prepared.changes;
  NotePrepared();
  name_ = prepared.name;
  has_name_ = true;
  state_ = State::kPrepared;
  MutexLock lock(space_.mutex);
  space_.names[name_] = this;
}

}  // namespace varve::c
