// SPDX-License-Identifier: Apache-2.0
// Counters of the databases that were opened with options on which statistics are enabled.
#pragma once

#include <set>
#include <string>

#include "core/base/threads/mutex.h"
#include "varve/db.h"

namespace varve::c {

// Thread-safe. Counts the open databases, and what closed ones had counted.
class Statistics {
 public:
  void Add(DB* db) EXCLUDES(mutex_);
  void Remove(DB* db) EXCLUDES(mutex_);  // Before it is closed.
  // RocksDB's lines "rocksdb.block.cache.hit COUNT : 12", those that the engine counts.
  std::string ToString() const EXCLUDES(mutex_);

 private:
  static void AddTo(const DB& db, DbStats* totals, FamilyStats* families);

  mutable Mutex mutex_;
  std::set<DB*> open_ GUARDED_BY(mutex_);
  DbStats closed_ GUARDED_BY(mutex_);
  FamilyStats closed_families_ GUARDED_BY(mutex_);
};

}  // namespace varve::c
