// SPDX-License-Identifier: Apache-2.0
// Deleting and repairing databases that are not open.
#include "core/base/try.h"
#include "core/c/error.h"
#include "core/c/open.h"
#include "core/format/file_name.h"
#include "core/fs/complete_environment.h"
#include "core/repair/database_repair.h"
#include "core/version/table_paths_fs.h"

namespace varve::c {
namespace {

// Without the lock file nobody has it open.
Result<std::unique_ptr<FileLock>> LockOut(FileSystem& fs, const std::string& path) {
  const std::string lock = JoinPath(path, kLockFileName);
  if (!fs.Exists(lock)) return std::unique_ptr<FileLock>();
  auto taken = fs.Lock(lock);
  if (taken.ok() || taken.status().code() != Code::kBusy) return taken;
  return Status::IoError("While lock file: " + lock + ": " + std::string(taken.status().message()));
}

// Logs that RocksDB archived.
Status DestroyArchive(FileSystem& fs, const std::string& path) {
  const std::string archive = JoinPath(path, "archive");
  if (!fs.Exists(archive)) return Status::Ok();
  ASSIGN_OR_RETURN(const auto entries, fs.List(archive));
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (entry.is_directory || !name || name->kind != FileKind::kWal) continue;
    RETURN_IF_ERROR(fs.Remove(JoinPath(archive, entry.name)));
  }
  fs.RemoveDirectory(archive).Ignore("as for the directory of the database");
  return Status::Ok();
}

std::vector<std::string> PathsOf(const rocksdb_options_t& options) {
  std::vector<std::string> paths;
  for (const DbPath& path : options.db_paths) paths.push_back(path.path);
  return paths;
}

void RemoveEmptyDirectory(FileSystem& fs, const std::string& path) {
  fs.RemoveDirectory(path).Ignore("RocksDB ignores it as well: the program may have files there");
}

// Files of a database only; then its directories, if nothing else is in them.
Status Destroy(const rocksdb_options_t& options, const std::string& path) {
  const std::unique_ptr<FileSystem> with_paths =
      NewTablePathsFileSystem(FileSystemOf(options.env), path, PathsOf(options));
  FileSystem& fs = *with_paths;
  if (!fs.Exists(path)) return Status::Ok();
  ASSIGN_OR_RETURN(std::unique_ptr<FileLock> lock, LockOut(fs, path));
  ASSIGN_OR_RETURN(const auto entries, fs.List(path));
  Status first;
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (entry.is_directory || !name || name->kind == FileKind::kLock) continue;
    const Status removed = fs.Remove(JoinPath(path, entry.name));
    if (first.ok()) first = removed;
  }
  RETURN_IF_ERROR(first);
  RETURN_IF_ERROR(DestroyArchive(fs, path));
  lock.reset();
  const std::string lock_file = JoinPath(path, kLockFileName);
  if (fs.Exists(lock_file)) RETURN_IF_ERROR(fs.Remove(lock_file));
  for (const std::string& other : PathsOf(options)) RemoveEmptyDirectory(fs, other);
  RemoveEmptyDirectory(fs, path);
  return Status::Ok();
}

// The first opening replays what the logs have, as far as it can be read.
Status ReplayLogs(const rocksdb_options_t& options, const std::string& path) {
  Options engine;
  RETURN_IF_ERROR(ToEngine(options, path, &engine));
  engine.create_if_missing = false;
  engine.error_if_exists = false;
  engine.wal_recovery_mode = WalRecoveryMode::kSkipAnyCorrupted;
  engine.accept_loss = true;
  engine.allow_2pc = true;  // What is prepared stays so.
  ASSIGN_OR_RETURN(const std::vector<StoredFamily> families, ListFamilies(options.env, path));
  for (const StoredFamily& family : families) {
    if (engine.family.comparator == nullptr ||
        family.comparator == engine.family.comparator->name()) {
      continue;
    }
    // A built-in one, or else the opening is refused.
    engine.families[family.name] = engine.family;
    engine.families[family.name].comparator = nullptr;
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<DB> db, DB::Open(engine, path));
  return db->Close();
}

// What was there is kept in "lost/", as RocksDB keeps what it cannot use. Refused with db_paths:
// the tables of all paths would have to be set aside in one step.
Status Repair(const rocksdb_options_t& options, const std::string& path) {
  if (!options.db_paths.empty()) {
    return Status::NotSupported("repair of a database with db_paths");
  }
  const Environment env = Complete(options.env);
  FileSystem& fs = *env.file_system;
  ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock, LockOut(fs, path));
  const std::string repaired = path + ".repaired", before = path + ".before-repair";
  RETURN_IF_ERROR(RepairDatabase(env, path, repaired, {.comparator = options.comparator}).status());
  RETURN_IF_ERROR(ReplayLogs(options, repaired));
  RETURN_IF_ERROR(fs.Rename(path, before));
  RETURN_IF_ERROR(fs.Rename(repaired, path));
  return fs.Rename(before, JoinPath(path, "lost"));
}

}  // namespace
}  // namespace varve::c

extern "C" {

void rocksdb_destroy_db(const rocksdb_options_t* options, const char* path, char** errptr) {
  varve::c::SaveError(errptr, varve::c::Destroy(*options, path));
}

void rocksdb_repair_db(const rocksdb_options_t* options, const char* path, char** errptr) {
  varve::c::SaveError(errptr, varve::c::Repair(*options, varve::c::WithoutLastSlash(path)));
}

}  // extern "C"
