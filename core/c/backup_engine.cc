// SPDX-License-Identifier: Apache-2.0
#include "core/c/backup_engine.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/base/hash/crc32c.h"
#include "core/base/try.h"
#include "core/c/error.h"
#include "core/c/open.h"
#include "core/format/file_name.h"
#include "core/fs/complete_environment.h"
#include "core/fs/durable.h"

namespace varve::c {
namespace {

constexpr std::string_view kMeta = "meta", kPrivate = "private", kShared = "shared_checksum";
constexpr uint64_t kMetaSizeMax = uint64_t{1} << 30;

// Reads a file to its end; `to`, if given, gets the same bytes, on stable storage.
Result<BackupFile> Measure(FileSystem& fs, const std::string& path, WritableFile* to) {
  constexpr size_t kChunkSize = 1 << 20;
  ASSIGN_OR_RETURN(const auto file, fs.OpenForRead(path, /*direct=*/false));
  const auto buffer = std::make_unique<char[]>(kChunkSize);
  Crc32c crc = ComputeCrc32c({});
  BackupFile measured;
  while (true) {
    ASSIGN_OR_RETURN(const std::string_view chunk,
                     file->Read(measured.size, kChunkSize, buffer.get()));
    crc = ExtendCrc32c(crc, chunk);
    measured.size += chunk.size();
    if (to != nullptr) RETURN_IF_ERROR(to->Append(chunk));
    if (chunk.size() < kChunkSize) break;
  }
  measured.crc = crc.value;
  if (to == nullptr) return measured;
  RETURN_IF_ERROR(to->Sync());
  RETURN_IF_ERROR(to->Close());
  return measured;
}

Result<BackupFile> CopyTo(FileSystem& from_fs, const std::string& from, FileSystem& to_fs,
                          const std::string& to) {
  ASSIGN_OR_RETURN(const auto file, to_fs.Create(to, /*direct=*/false));
  return Measure(from_fs, from, file.get());
}

// Files of a database only: nothing else of the program is deleted.
Status DeleteDatabaseFiles(FileSystem& fs, const std::string& directory, bool keep_logs) {
  if (!fs.Exists(directory)) return Status::Ok();
  ASSIGN_OR_RETURN(const auto entries, fs.List(directory));
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (entry.is_directory || !name || name->kind == FileKind::kLock) continue;
    if (keep_logs && name->kind == FileKind::kWal) continue;
    RETURN_IF_ERROR(fs.Remove(JoinPath(directory, entry.name)));
  }
  return Status::Ok();
}

// The directory and the files in it.
Status DeleteDirectory(FileSystem& fs, const std::string& directory) {
  if (!fs.Exists(directory)) return Status::Ok();
  ASSIGN_OR_RETURN(const auto entries, fs.List(directory));
  for (const DirectoryEntry& entry : entries) {
    if (!entry.is_directory) RETURN_IF_ERROR(fs.Remove(JoinPath(directory, entry.name)));
  }
  return fs.RemoveDirectory(directory);
}

std::optional<BackupId> IdOfName(std::string_view name) {
  BackupId id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc() || end != name.data() + name.size() || id == 0) return std::nullopt;
  return id;
}

bool IsShared(FileKind kind) { return kind == FileKind::kTable || kind == FileKind::kBlob; }

// As RocksDB: a restored database gets an identity of its own.
bool BelongsInBackup(FileKind kind) {
  return IsShared(kind) || kind == FileKind::kCurrent || kind == FileKind::kManifest ||
         kind == FileKind::kOptions || kind == FileKind::kWal;
}

// "000007_CRC_SIZE.sst" of "000007.sst", RocksDB's kLegacyCrc32cAndFileSize.
std::string SharedName(const std::string& name, const BackupFile& file) {
  const size_t dot = name.find_last_of('.');
  return name.substr(0, dot) + "_" + std::to_string(file.crc) + "_" + std::to_string(file.size) +
         name.substr(dot);
}

}  // namespace

BackupEngine::BackupEngine(const rocksdb_backup_engine_options_t& options,
                           const Environment& databases)
    : options_(options),
      fs_(options.file_system != nullptr ? *options.file_system : *Complete(databases).file_system),
      database_fs_(*Complete(databases).file_system),
      clock_(*Complete(databases).clock) {}

std::string BackupEngine::PathOf(const std::string& name) const {
  return JoinPath(options_.backup_dir, name);
}

Result<std::unique_ptr<BackupEngine>> BackupEngine::Open(
    const rocksdb_backup_engine_options_t& options, const Environment& databases) {
  auto engine = std::unique_ptr<BackupEngine>(new BackupEngine(options, databases));
  RETURN_IF_ERROR(engine->fs_.CreateDirectory(options.backup_dir));
  for (const std::string_view part : {kMeta, kPrivate, kShared}) {
    RETURN_IF_ERROR(engine->fs_.CreateDirectory(engine->PathOf(std::string(part))));
  }
  {
    MutexLock lock(engine->mutex_);
    RETURN_IF_ERROR(engine->Load());
  }
  if (options.destroy_old_data) RETURN_IF_ERROR(engine->DeleteAll());
  return engine;
}

Status BackupEngine::Load() {
  const std::string directory = PathOf(std::string(kMeta));
  ASSIGN_OR_RETURN(const auto entries, fs_.List(directory));
  for (const DirectoryEntry& entry : entries) {
    const std::optional<BackupId> id = IdOfName(entry.name);
    if (!id || entry.is_directory) continue;
    newest_ = std::max(newest_, *id);
    Result<BackupMeta> meta = LoadOne(JoinPath(directory, entry.name));
    if (meta.ok()) {
      backups_[*id] = *std::move(meta);
    } else {
      broken_[*id] = meta.status();
    }
  }
  return Status::Ok();
}

Result<BackupMeta> BackupEngine::LoadOne(const std::string& name) {
  ASSIGN_OR_RETURN(const std::string text, ReadFileToString(fs_, name, kMetaSizeMax));
  Result<BackupMeta> meta = ParseBackupMeta(text);
  if (!meta.ok()) return meta.status().At(name);
  for (BackupFile& file : meta->files) {
    const std::string path = PathOf(file.path);
    if (!fs_.Exists(path)) return Status::Corruption(name + ": " + path + " is not there");
    ASSIGN_OR_RETURN(file.size, fs_.FileSize(path));
  }
  return meta;
}

std::map<BackupId, BackupMeta> BackupEngine::Backups() {
  MutexLock lock(mutex_);
  return backups_;
}

Result<BackupId> BackupEngine::Create(rocksdb_t* db, bool flush, const BackupExtras& extras) {
  MutexLock lock(mutex_);
  if (newest_ == std::numeric_limits<BackupId>::max()) {
    return Status::InvalidArgument("all backup IDs are used");
  }
  const BackupId id = newest_ + 1;  // Never one of a deleted backup: programs may have kept it.
  if (flush) RETURN_IF_ERROR(db->db->FlushAll());
  // A complete state of the database, linked where it is; what a crash left of one goes first.
  const std::string state = WithoutLastSlash(db->path) + ".backup";
  RETURN_IF_ERROR(DeleteDirectory(database_fs_, state));
  BackupMeta meta{.app_metadata = extras.app_metadata};
  meta.unix_seconds = clock_.UnixMicros() / 1000000;
  meta.sequence = db->db->GetSnapshot().sequence();
  RETURN_IF_ERROR(db->db->Checkpoint(state));
  Status taken = TakeFiles(state, id, extras, &meta);
  DeleteDirectory(database_fs_, state).Ignore("the next backup deletes it");
  RETURN_IF_ERROR(taken);
  RETURN_IF_ERROR(ReplaceFileDurably(
      fs_, PathOf(std::string(kMeta) + "/." + std::to_string(id) + ".tmp"),
      PathOf(std::string(kMeta) + "/" + std::to_string(id)), FormatBackupMeta(meta)));
  backups_[id] = std::move(meta);
  newest_ = id;
  return id;
}

Status BackupEngine::TakeFiles(const std::string& from, BackupId id, const BackupExtras& extras,
                               BackupMeta* meta) {
  uint64_t untold = 0;  // Bytes since the last call of extras.progress.
  const std::string own = PathOf(std::string(kPrivate) + "/" + std::to_string(id));
  RETURN_IF_ERROR(DeleteDirectory(fs_, own));  // Of a backup that was not finished.
  RETURN_IF_ERROR(fs_.CreateDirectory(own));
  ASSIGN_OR_RETURN(const auto entries, database_fs_.List(from));
  for (const DirectoryEntry& entry : entries) {
    if (stopped_) return Status::Shutdown("Backup stopped");
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (entry.is_directory || !name || !BelongsInBackup(name->kind)) continue;
    if (name->kind == FileKind::kWal && !options_.backup_log_files) continue;
    ASSIGN_OR_RETURN(BackupFile file, TakeFile(from, entry.name, id));
    untold += file.size;
    if (extras.progress && untold >= options_.callback_trigger_interval_size) {
      extras.progress();
      untold = 0;
    }
    meta->files.push_back(std::move(file));
  }
  RETURN_IF_ERROR(SyncDirectory(fs_, own));
  RETURN_IF_ERROR(SyncDirectory(fs_, PathOf(std::string(kPrivate))));
  return SyncDirectory(fs_, PathOf(std::string(kShared)));
}

Result<BackupFile> BackupEngine::TakeFile(const std::string& from, const std::string& name,
                                          BackupId id) {
  const std::string source = JoinPath(from, name);
  const bool shared = options_.share_table_files && IsShared(ParseFileName(name)->kind);
  if (!shared) {
    const std::string path = std::string(kPrivate) + "/" + std::to_string(id) + "/" + name;
    ASSIGN_OR_RETURN(BackupFile file, CopyTo(database_fs_, source, fs_, PathOf(path)));
    file.path = path;
    return file;
  }
  ASSIGN_OR_RETURN(BackupFile file, Measure(database_fs_, source, nullptr));
  file.path = std::string(kShared) + "/" + SharedName(name, file);
  const std::string path = PathOf(file.path);
  if (fs_.Exists(path)) return file;  // Renamed when it was complete.
  const std::string temporary = path + ".tmp";
  ASSIGN_OR_RETURN(const BackupFile copied, CopyTo(database_fs_, source, fs_, temporary));
  if (copied.crc != file.crc) return Status::Corruption(source + ": two reads of it differ");
  RETURN_IF_ERROR(RenameFileDurably(fs_, temporary, path));
  return file;
}

Status BackupEngine::Delete(BackupId id) {
  RETURN_IF_ERROR(fs_.Remove(PathOf(std::string(kMeta) + "/" + std::to_string(id))));
  RETURN_IF_ERROR(SyncDirectory(fs_, PathOf(std::string(kMeta))));
  backups_.erase(id);
  broken_.erase(id);
  return DeleteDirectory(fs_, PathOf(std::string(kPrivate) + "/" + std::to_string(id)));
}

Status BackupEngine::CollectGarbage() {
  if (!broken_.empty()) return Status::Ok();  // What they share is not known.
  std::set<std::string> used;
  for (const auto& [id, meta] : backups_) {
    for (const BackupFile& file : meta.files) used.insert(file.path);
  }
  const std::string directory(kShared);
  ASSIGN_OR_RETURN(const auto entries, fs_.List(PathOf(directory)));
  for (const DirectoryEntry& entry : entries) {
    const std::string name = directory + "/" + entry.name;
    if (entry.is_directory || used.contains(name)) continue;
    RETURN_IF_ERROR(fs_.Remove(PathOf(name)));
  }
  return Status::Ok();
}

// Also those that cannot be restored; IDs begin again.
Status BackupEngine::DeleteAll() {
  MutexLock lock(mutex_);
  while (!broken_.empty()) RETURN_IF_ERROR(Delete(broken_.begin()->first));
  while (!backups_.empty()) RETURN_IF_ERROR(Delete(backups_.begin()->first));
  newest_ = 0;
  return CollectGarbage();
}

Status BackupEngine::Purge(uint32_t keep) {
  MutexLock lock(mutex_);
  if (backups_.size() <= keep) return Status::Ok();
  while (backups_.size() > keep) RETURN_IF_ERROR(Delete(backups_.begin()->first));
  return CollectGarbage();
}

Status BackupEngine::Verify(BackupId id) {
  MutexLock lock(mutex_);
  const auto broken = broken_.find(id);
  if (broken != broken_.end()) return broken->second;
  const auto backup = backups_.find(id);
  if (backup == backups_.end()) return Status::NotFound("");
  for (const BackupFile& file : backup->second.files) {
    const std::string path = PathOf(file.path);
    const Result<uint64_t> size = fs_.FileSize(path);
    if (!size.ok()) return Status::NotFound("File missing: " + path);
    if (*size == file.size) continue;
    return Status::Corruption("File corrupted: File size mismatch for " + path);
  }
  return Status::Ok();
}

Status BackupEngine::Restore(BackupId id, const std::string& directory,
                             const std::string& wal_directory,
                             const rocksdb_restore_options_t& options) {
  MutexLock lock(mutex_);
  if (id == 0 && !backups_.empty()) id = backups_.rbegin()->first;
  const auto broken = broken_.find(id);
  if (broken != broken_.end()) return broken->second;
  const auto backup = backups_.find(id);
  if (backup == backups_.end()) return Status::NotFound("Backup not found");
  for (const std::string& made : {directory, wal_directory}) {
    RETURN_IF_ERROR(database_fs_.CreateDirectory(made));
    RETURN_IF_ERROR(DeleteDatabaseFiles(database_fs_, made, options.keep_log_files));
  }
  return RestoreFiles(backup->second, directory, wal_directory);
}

// CURRENT becomes visible last: until then there is no database.
Status BackupEngine::RestoreFiles(const BackupMeta& meta, const std::string& directory,
                                  const std::string& wal_directory) {
  const std::string current = JoinPath(directory, std::string(kCurrentFileName));
  const std::string hidden = current + ".tmp";
  for (const BackupFile& file : meta.files) {
    const std::string name = DatabaseNameOf(file.path);
    const std::optional<FileName> parsed = ParseFileName(name);
    if (!parsed) return Status::Corruption("Backup corrupted: Fail to parse filename " + name);
    std::string to = JoinPath(parsed->kind == FileKind::kWal ? wal_directory : directory, name);
    if (to == current) to = hidden;
    ASSIGN_OR_RETURN(const BackupFile copied, CopyTo(fs_, PathOf(file.path), database_fs_, to));
    if (copied.crc == file.crc) continue;
    return Status::Corruption("While restoring " + file.path + " -> " + to +
                              ": expected checksum is " + std::to_string(file.crc) +
                              " while computed checksum is " + std::to_string(copied.crc));
  }
  RETURN_IF_ERROR(SyncDirectory(database_fs_, wal_directory));
  RETURN_IF_ERROR(SyncDirectory(database_fs_, directory));
  return RenameFileDurably(database_fs_, hidden, current);
}

}  // namespace varve::c
