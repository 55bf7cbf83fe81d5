// SPDX-License-Identifier: Apache-2.0
// DB::Open() of RocksDB 7.8, which takes a DB**, and of 11, which takes a std::unique_ptr<DB>*.
#pragma once

#include <rocksdb/db.h>

#include <memory>

namespace varve::interop {

// The last argument of DB::Open() and DB::OpenForReadOnly(): puts the database into *db, which must
// be null and outlive the expression.
class Into {
 public:
  explicit Into(std::unique_ptr<rocksdb::DB>* db) : db_(db) {}
  ~Into() {
    if (raw_ != nullptr) db_->reset(raw_);
  }
  Into(const Into&) = delete;
  Into& operator=(const Into&) = delete;

  operator rocksdb::DB**() { return &raw_; }                // NOLINT(google-explicit-constructor)
  operator std::unique_ptr<rocksdb::DB>*() { return db_; }  // NOLINT(google-explicit-constructor)

 private:
  std::unique_ptr<rocksdb::DB>* const db_;
  rocksdb::DB* raw_ = nullptr;
};

}  // namespace varve::interop
