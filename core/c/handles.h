// SPDX-License-Identifier: Apache-2.0
// What stands behind the handles of c.h that belong to an open database.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.h"
#include "core/c/option_handles.h"
#include "varve/db.h"

namespace varve::c {

class InfoLog;            // info_log.h
struct TransactionSpace;  // transaction.h

// Objects of a family's options that live as long as the database, and what reads of it obey.
struct FamilyObjects {
  std::shared_ptr<const MergeOperator> merge_operator;
  std::shared_ptr<const SliceTransform> prefix_extractor;
  std::shared_ptr<const CompactionFilterFactory> compaction_filters;
  const Comparator* comparator = nullptr;  // Null: the bytewise one.
};

// An open database, for what may be destroyed after it.
struct OpenDatabaseLink {
  Mutex mutex;
  DB* db GUARDED_BY(mutex) = nullptr;  // Null once it is closed.
};

// Handles of a family share it: the family can be read until the last of them is gone, even if it
// was dropped.
class FamilyUse {
 public:
  FamilyUse(std::shared_ptr<OpenDatabaseLink> link, ColumnFamilyId id)
      : link_(std::move(link)), id_(id) {}
  FamilyUse(const FamilyUse&) = delete;
  ~FamilyUse() {
    MutexLock lock(link_->mutex);
    if (link_->db != nullptr) link_->db->ForgetDroppedFamily(id_);
  }

 private:
  const std::shared_ptr<OpenDatabaseLink> link_;
  const ColumnFamilyId id_;
};

}  // namespace varve::c

struct rocksdb_column_family_handle_t {
  varve::ColumnFamilyId id = varve::kDefaultColumnFamilyId;
  std::string name = {};
  std::shared_ptr<const varve::c::FamilyObjects> objects = {};
  std::shared_ptr<varve::c::FamilyUse> use = {};  // Null: it cannot be dropped.
};

struct rocksdb_t {
  explicit rocksdb_t(std::string directory) : path(std::move(directory)) {}

  // Keeps what the options of a family own.
  std::shared_ptr<const varve::c::FamilyObjects> Keep(const rocksdb_options_t& options);
  // A new handle of a family.
  rocksdb_column_family_handle_t HandleOf(varve::ColumnFamilyId id, const std::string& name,
                                          std::shared_ptr<const varve::c::FamilyObjects> objects);
  bool HasHandle(varve::ColumnFamilyId id);
  // The objects of a family that has had a handle; else null.
  std::shared_ptr<const varve::c::FamilyObjects> ObjectsOf(varve::ColumnFamilyId id);

  const std::string path;
  varve::FileSystem* file_system = nullptr;
  varve::Mutex mutex;
  // `db` uses them until it is gone.
  std::vector<std::shared_ptr<const varve::c::FamilyObjects>> objects GUARDED_BY(mutex);
  struct Family {
    std::weak_ptr<varve::c::FamilyUse> use = {};
    std::shared_ptr<const varve::c::FamilyObjects> objects = {};
  };
  std::map<varve::ColumnFamilyId, Family> families GUARDED_BY(mutex);
  const std::shared_ptr<varve::c::OpenDatabaseLink> link =
      std::make_shared<varve::c::OpenDatabaseLink>();
  std::shared_ptr<varve::c::Statistics> statistics = {};
  std::shared_ptr<varve::c::InfoLog> log = {};  // Null: opened read-only.
  std::unique_ptr<varve::DB> db = {};
  rocksdb_column_family_handle_t default_family = {};
  // Of a database with transactions (transaction_db.cc, optimistic_transaction_db.cc); else null.
  std::shared_ptr<varve::c::TransactionSpace> transactions = {};
  bool read_only = false;
  bool secondary = false;  // Read-only, and may catch up.
  // Of a database with a time to live (time_to_live.h); else null.
  varve::Clock* ttl_clock = nullptr;
  // A family has inplace_update_support: as RocksDB documents it, there are no snapshots then, and
  // what is read at one is the newest. Values are not updated in place.
  std::atomic<bool> updates_in_place{false};
  // Whether something was written that no log has. Never set back: flushes do not tell.
  std::atomic<bool> wrote_without_log{false};
  // rocksdb_disable_file_deletions() without rocksdb_enable_file_deletions().
  uint64_t file_deletion_pauses GUARDED_BY(mutex) = 0;
  std::shared_ptr<const void> kept_files GUARDED_BY(mutex) = {};
  // rocksdb_disable_manual_compaction() without rocksdb_enable_manual_compaction().
  std::atomic<int> manual_compaction_pauses{0};
};

struct rocksdb_checkpoint_t {
  rocksdb_t* db;
};

// Only points: a program releases that of a transaction with free().
struct rocksdb_snapshot_t {
  const varve::Snapshot* snapshot;  // Null: none.
};

struct rocksdb_pinnableslice_t {
  varve::Value value;
};

struct rocksdb_writebatch_t {
  varve::WriteBatch batch;
  // The encoded batch at each save point: its size and its number of changes.
  struct SavePoint {
    size_t size;
    std::string count;
    std::vector<varve::WriteBatch::Timestamped> timestamped;
  };
  std::vector<SavePoint> save_points = {};
  // The families of its range deletions, whose comparators tell an end that is before its start.
  // They do not keep a dropped family readable.
  std::map<varve::ColumnFamilyId, rocksdb_column_family_handle_t> range_families = {};
  size_t max_bytes = 0;  // A change that would make it larger is left out; 0: there is no limit.
  // A function that made it with what writing it refuses; else empty.
  std::string_view refused = {};
};

namespace varve::c {

inline std::string_view View(const char* bytes, size_t size) { return {bytes, size}; }

// Null stands for the default family.
inline ColumnFamilyId IdOf(const rocksdb_column_family_handle_t* family) {
  return family == nullptr ? kDefaultColumnFamilyId : family->id;
}
inline const rocksdb_column_family_handle_t& FamilyOf(
    const rocksdb_t& db, const rocksdb_column_family_handle_t* family) {
  return family == nullptr ? db.default_family : *family;
}

// InvalidArgument if they contradict each other.
Result<WriteOptions> ToEngine(const rocksdb_writeoptions_t& options, rocksdb_t* db);
// SaveError() for a write.
void SaveWriteError(const rocksdb_writeoptions_t& options, const Status& status, char** errptr);

// SaveError() for what changes a family: RocksDB has words of its own for one that was dropped.
bool SaveFamilyError(char** errptr, const rocksdb_t& db, ColumnFamilyId family,
                     const Status& status);

constexpr int kPersistedTier = 2;  // Of rocksdb_readoptions_set_read_tier().

// NotSupported if a function was called on the options that reads refuse, or that iterators do.
Status CheckRead(const rocksdb_t& db, const rocksdb_readoptions_t& options);
// Writes as options say.
void Write(rocksdb_t* db, const rocksdb_writeoptions_t* options, const WriteBatch& batch,
           char** errptr);
// A value as a program sees it; nullopt if the key is not there.
Result<std::optional<Value>> ReadValue(rocksdb_t& db, const rocksdb_readoptions_t& options,
                                       ColumnFamilyId family, std::string_view key);
Status CheckIterate(const rocksdb_readoptions_t& options);
// SaveError() for what was read with ReadOptions::cache_only, or without.
bool SaveReadError(char** errptr, bool cache_only, const Status& status);

}  // namespace varve::c
