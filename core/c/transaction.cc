// SPDX-License-Identifier: Apache-2.0
#include "core/c/transaction.h"

#include <algorithm>

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

bool Transaction::MayCommit(char** errptr) {
  if (rules_.lifetime_micros &&
      space_.clock.NowMicros() - begin_micros_ >= *rules_.lifetime_micros) {
    SaveErrorText(errptr, "Operation expired: ");
    return false;
  }
  Status status;
  if (state_ == State::kCommitted) {
    status = Status::InvalidArgument("Transaction has already been committed.");
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
  if (!MayCommit(errptr)) return;
  state_ = State::kWriting;
  const bool written = WriteBatchToDb(errptr);
  ReleaseName();
  Clear();
  if (written) state_ = State::kCommitted;
}

void Transaction::Rollback(char** errptr) {
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
  } else if (!space_.names.emplace(name).second) {
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

void Transaction::Prepare(char** errptr) {
  if (rules_.optimistic) {
    SaveError(errptr, Status::InvalidArgument(
                          "Two phase commit not supported for optimistic transactions."));
  } else if (name_.empty()) {
    SaveError(errptr,
              Status::InvalidArgument("Cannot prepare a transaction that has not been named."));
  } else {
    Refuse(errptr, "rocksdb_transaction_prepare");
  }
}

}  // namespace varve::c
