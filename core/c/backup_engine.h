// SPDX-License-Identifier: Apache-2.0
// Backups of databases in RocksDB's layout, which its BackupEngine restores and adds to:
//
//   meta/ID                    what belongs to backup ID (backup_meta.h); it is there or not at all
//   private/ID/NAME            MANIFEST, CURRENT, OPTIONS and logs
//   shared_checksum/N_CRC_SIZE.sst
//                              tables and blob files, of all backups that have the same
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/base/threads/mutex.h"
#include "core/c/backup_meta.h"
#include "core/c/handles.h"

struct rocksdb_backup_engine_options_t {
  std::string backup_dir;
  bool share_table_files = true;
  bool sync = true;
  bool destroy_old_data = false;
  bool backup_log_files = true;
  uint64_t backup_rate_limit = 0;
  uint64_t restore_rate_limit = 0;
  int max_background_operations = 1;
  uint64_t callback_trigger_interval_size = 4 << 20;
  int max_valid_backups_to_open = 2147483647;
  int share_files_with_checksum_naming = -2147483646;
  VARVE_C_ELEVEN_BACKUP_ENGINE_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
  varve::FileSystem* file_system = nullptr;  // Of the backups; null: that of the databases.
};

struct rocksdb_restore_options_t {
  bool keep_log_files = false;
  VARVE_C_ELEVEN_RESTORE_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
};

namespace varve::c {

using BackupId = uint32_t;

struct BackupExtras {
  std::string app_metadata = {};
  // Called after each file that brings the bytes since the last call to
  // callback_trigger_interval_size.
  std::function<void()> progress = {};
};

class BackupEngine {
 public:
  // `databases`: where databases are.
  static Result<std::unique_ptr<BackupEngine>> Open(const rocksdb_backup_engine_options_t& options,
                                                    const Environment& databases);

  Result<BackupId> Create(rocksdb_t* db, bool flush, const BackupExtras& extras = {});
  // The backup that is being made fails, and each later one.
  void Stop() { stopped_ = true; }
  // All but the newest `keep` go.
  Status Purge(uint32_t keep);
  // Corruption unless each file is there, as long as it was. NotFound if there is no such backup.
  Status Verify(BackupId id);
  // What else a database has in the directories is deleted first. 0: the newest backup.
  Status Restore(BackupId id, const std::string& directory, const std::string& wal_directory,
                 const rocksdb_restore_options_t& options);
  std::map<BackupId, BackupMeta> Backups();

 private:
  BackupEngine(const rocksdb_backup_engine_options_t& options, const Environment& databases);

  Status Load() REQUIRES(mutex_);
  Result<BackupMeta> LoadOne(const std::string& name) REQUIRES(mutex_);
  Status TakeFiles(const std::string& from, BackupId id, const BackupExtras& extras,
                   BackupMeta* meta) REQUIRES(mutex_);
  Result<BackupFile> TakeFile(const std::string& from, const std::string& name, BackupId id)
      REQUIRES(mutex_);
  Status Delete(BackupId id) REQUIRES(mutex_);
  Status DeleteAll();
  Status CollectGarbage() REQUIRES(mutex_);
  Status RestoreFiles(const BackupMeta& meta, const std::string& directory,
                      const std::string& wal_directory) REQUIRES(mutex_);
  std::string PathOf(const std::string& name) const;

  const rocksdb_backup_engine_options_t options_;
  FileSystem& fs_;           // Of the backups.
  FileSystem& database_fs_;  // Of the databases.
  Clock& clock_;
  std::atomic<bool> stopped_{false};
  Mutex mutex_;
  std::map<BackupId, BackupMeta> backups_ GUARDED_BY(mutex_);
  BackupId newest_ GUARDED_BY(mutex_) = 0;  // Of those that were there since Open().
  // Backups that cannot be restored. Their files stay.
  std::map<BackupId, Status> broken_ GUARDED_BY(mutex_);
};

}  // namespace varve::c

struct rocksdb_backup_engine_t {
  std::unique_ptr<varve::c::BackupEngine> rep;
};

struct rocksdb_backup_engine_info_t {
  std::vector<std::pair<varve::c::BackupId, varve::c::BackupMeta>> backups;
};
