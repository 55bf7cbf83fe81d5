// SPDX-License-Identifier: Apache-2.0
// LMDB: a B+-tree of memory-mapped pages. It has neither memtables nor levels, a cache of its own
// nor direct I/O: the settings for those mean nothing to it. Each write is a transaction; without
// --durability sync it leaves syncing to the operating system, as the others then do.
#include <lmdb.h>

#include <cerrno>
#include <string>
#include <utility>

#include "cli/commands/bench/store.h"
#include "core/base/try.h"

namespace varve::cli::bench {
namespace {

constexpr size_t kMapBytes = size_t{1} << 38;  // Address space, not memory.
constexpr unsigned kReaders = 1024;

MDB_val ToVal(std::string_view bytes) {
  return {bytes.size(), const_cast<char*>(bytes.data())};  // LMDB does not write through it.
}
std::string_view ToView(const MDB_val& val) {
  return {static_cast<const char*>(val.mv_data), val.mv_size};
}

Status FromLmdb(int error) {
  return error == 0 ? Status::Ok() : Status::IoError(std::string("lmdb: ") + mdb_strerror(error));
}

// Ends when it goes, without effect unless committed.
class Transaction {
 public:
  Transaction(MDB_env* env, unsigned flags) : begun_(mdb_txn_begin(env, nullptr, flags, &txn_)) {}
  ~Transaction() {
    if (begun_ == 0 && txn_ != nullptr) mdb_txn_abort(txn_);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Status begun() const { return FromLmdb(begun_); }
  MDB_txn* get() const { return txn_; }
  Status Commit() { return FromLmdb(mdb_txn_commit(std::exchange(txn_, nullptr))); }

 private:
  MDB_txn* txn_ = nullptr;
  const int begun_;
};

class LmdbScan final : public StoreScan {
 public:
  LmdbScan(MDB_env* env, MDB_dbi dbi) : transaction_(env, MDB_RDONLY) {
    error_ =
        transaction_.begun().ok() ? mdb_cursor_open(transaction_.get(), dbi, &cursor_) : EINVAL;
  }
  ~LmdbScan() override {
    if (cursor_ != nullptr) mdb_cursor_close(cursor_);
  }
  void SeekToFirst() override { Move(MDB_FIRST); }
  void SeekToLast() override { Move(MDB_LAST); }
  void Seek(std::string_view key) override {
    key_ = ToVal(key);
    Move(MDB_SET_RANGE);
  }
  void Next() override { Move(MDB_NEXT); }
  void Prev() override { Move(MDB_PREV); }
  Status status() const override {
    return error_ == MDB_NOTFOUND ? Status::Ok() : FromLmdb(error_);
  }

 private:
  void Move(MDB_cursor_op operation) {
    if (cursor_ == nullptr) return Show(false, {}, {});
    error_ = mdb_cursor_get(cursor_, &key_, &value_, operation);
    if (error_ == 0) return Show(true, ToView(key_), ToView(value_));
    Show(false, {}, {});
  }

  Transaction transaction_;
  MDB_cursor* cursor_ = nullptr;
  MDB_val key_ = {}, value_ = {};
  int error_ = 0;
};

class LmdbStore final : public Store {
 public:
  LmdbStore(MDB_env* env, MDB_dbi dbi) : env_(env), dbi_(dbi) {}
  ~LmdbStore() override { mdb_env_close(env_); }

  Status Put(std::string_view key, std::string_view value) override {
    const Record record(key, value);
    return PutMany({&record, 1});
  }
  Status PutMany(std::span<const Record> records) override {
    Transaction transaction(env_, 0);
    RETURN_IF_ERROR(transaction.begun());
    for (const auto& [key, value] : records) {
      MDB_val k = ToVal(key), v = ToVal(value);
      RETURN_IF_ERROR(FromLmdb(mdb_put(transaction.get(), dbi_, &k, &v, 0)));
    }
    return transaction.Commit();
  }
  Status Delete(std::string_view key) override {
    Transaction transaction(env_, 0);
    RETURN_IF_ERROR(transaction.begun());
    MDB_val k = ToVal(key);
    const int error = mdb_del(transaction.get(), dbi_, &k, nullptr);
    if (error != MDB_NOTFOUND) RETURN_IF_ERROR(FromLmdb(error));
    return transaction.Commit();
  }
  Status Get(std::string_view key, ReadCount* count) override { return MultiGet({&key, 1}, count); }
  Status MultiGet(std::span<const std::string_view> keys, ReadCount* count) override {
    const Transaction transaction(env_, MDB_RDONLY);
    RETURN_IF_ERROR(transaction.begun());
    for (const std::string_view key : keys) {
      MDB_val k = ToVal(key), value;
      const int error = mdb_get(transaction.get(), dbi_, &k, &value);
      if (error == MDB_NOTFOUND) continue;
      RETURN_IF_ERROR(FromLmdb(error));
      count->Add(key, ToView(value));
    }
    return Status::Ok();
  }
  Result<std::unique_ptr<StoreScan>> NewScan() override {
    return std::unique_ptr<StoreScan>(std::make_unique<LmdbScan>(env_, dbi_));
  }
  Status Flush() override { return FromLmdb(mdb_env_sync(env_, 1)); }
  Status Compact() override { return Status::Ok(); }
  Status WaitForBackgroundWork() override { return Status::Ok(); }

  bool empty() const override {
    MDB_stat stat;
    const Transaction transaction(env_, MDB_RDONLY);
    return mdb_stat(transaction.get(), dbi_, &stat) == 0 && stat.ms_entries == 0;
  }
  TreeState State() const override { return {}; }
  Status Close() override { return Status::Ok(); }

 private:
  MDB_env* const env_;
  const MDB_dbi dbi_;
};

Result<MDB_dbi> OpenTree(MDB_env* env) {
  Transaction transaction(env, 0);
  RETURN_IF_ERROR(transaction.begun());
  MDB_dbi dbi;
  RETURN_IF_ERROR(FromLmdb(mdb_dbi_open(transaction.get(), nullptr, 0, &dbi)));
  RETURN_IF_ERROR(transaction.Commit());
  return dbi;
}

}  // namespace

std::string StoreName() { return std::string(mdb_version(nullptr, nullptr, nullptr)); }

bool HasOwnOptions() { return true; }

Result<std::unique_ptr<Store>> OpenStore(const Settings& settings) {
  if (!settings.peer_options.empty()) {
    return Status::InvalidArgument("LMDB does not take the option '" +
                                   settings.peer_options.front() + "'");
  }
  RETURN_IF_ERROR(settings.options.env.file_system->CreateDirectory(settings.directory));
  MDB_env* env = nullptr;
  RETURN_IF_ERROR(FromLmdb(mdb_env_create(&env)));
  const unsigned flags =
      MDB_NOTLS | (settings.durability == Durability::kSync ? 0u : unsigned{MDB_NOSYNC});
  int error = mdb_env_set_mapsize(env, kMapBytes);
  if (error == 0) error = mdb_env_set_maxreaders(env, kReaders);
  if (error == 0) error = mdb_env_open(env, settings.directory.c_str(), flags, 0644);
  Result<MDB_dbi> dbi = error == 0 ? OpenTree(env) : Result<MDB_dbi>(FromLmdb(error));
  if (!dbi.ok()) {
    mdb_env_close(env);
    return dbi.status();
  }
  return std::unique_ptr<Store>(std::make_unique<LmdbStore>(env, *dbi));
}

}  // namespace varve::cli::bench
