// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/checkpoint.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/manifest/current_file.h"
#include "core/fs/durable.h"
#include "core/fs/file_copy.h"
#include "core/version/database_files.h"
#include "core/version/manifest_origin.h"
#include "core/version/manifest_writer.h"

namespace varve {
namespace {

// Removes everything except the lock file, which the caller has locked.
Status EmptyDirectory(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(directory));
  for (const DirectoryEntry& entry : entries) {
    if (entry.name == kLockFileName) continue;
    RETURN_IF_ERROR(fs.Remove(JoinPath(directory, entry.name)));
  }
  return Status::Ok();
}

// Removes the lock file last: another process that takes over the directory then finds it empty.
Status RemoveDirectory(FileSystem& fs, const std::string& directory) {
  RETURN_IF_ERROR(EmptyDirectory(fs, directory));
  RETURN_IF_ERROR(fs.Remove(JoinPath(directory, std::string(kLockFileName))));
  return fs.RemoveDirectory(directory);
}

// A broken link: its name is in the directory, but it does not exist.
bool IsLinkToNowhere(FileSystem& fs, const std::string& path) {
  if (fs.Exists(path)) return false;
  const auto entries = fs.List(DirectoryOf(path));
  if (!entries.ok()) return false;  // Creating the directory will fail and say why.
  const std::string name = path.substr(path.rfind('/') + 1);
  return std::any_of(entries->begin(), entries->end(),
                     [&](const DirectoryEntry& entry) { return entry.name == name; });
}

Status CheckIsFree(FileSystem& fs, const std::string& path) {
  if (fs.Exists(path)) {
    return Status::InvalidArgument(path + ": already exists; a checkpoint needs a new directory");
  }
  if (!IsLinkToNowhere(fs, path)) return Status::Ok();
  return Status::InvalidArgument(path + ": is a broken link");
}

// Only remains of an earlier attempt may be removed. A directory with CURRENT is complete and may
// be a database of that name.
Status CheckLeftovers(FileSystem& fs, const std::string& directory) {
  if (!fs.Exists(directory)) return CheckIsFree(fs, directory);
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(directory));
  for (const DirectoryEntry& entry : entries) {
    const bool left = ParseFileName(entry.name) && entry.name != kCurrentFileName;
    if (left && !entry.is_directory) continue;
    return Status::InvalidArgument(directory + ": this name is for an unfinished checkpoint, but " +
                                   EscapeForDisplay(entry.name) + " is in it");
  }
  return Status::Ok();
}

// LevelDB's tables have another file name extension.
std::string NameOfTable(FileSystem& fs, const std::string& directory, FileNumber number) {
  std::string name = TableFileName(number);
  if (fs.Exists(JoinPath(directory, name))) return name;
  return TableLdbFileName(number);
}

Status LinkTables(FileSystem& fs, const std::string& from, const std::string& to,
                  const Version& version) {
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      const std::string name = NameOfTable(fs, from, file->number());
      RETURN_IF_ERROR(LinkOrCopyFile(fs, JoinPath(from, name), JoinPath(to, name), file->size()));
    }
  }
  for (const BlobFileMetadata& blob : version.blob_files()) {
    const std::string name = BlobFileName(blob.number);
    ASSIGN_OR_RETURN(const uint64_t size, fs.FileSize(JoinPath(from, name)));
    RETURN_IF_ERROR(LinkOrCopyFile(fs, JoinPath(from, name), JoinPath(to, name), size));
  }
  return Status::Ok();
}

// Copies the newest OPTIONS file.
Status CopyOptions(FileSystem& fs, const std::string& from, const std::string& to,
                   const std::vector<DirectoryEntry>& entries) {
  std::optional<FileNumber> newest;
  for (const DirectoryEntry& entry : entries) {
    const auto name = ParseFileName(entry.name);
    if (name && name->kind == FileKind::kOptions)
      newest = std::max(newest.value_or(0), name->number);
  }
  if (!newest) return Status::Ok();
  const std::string source = JoinPath(from, OptionsFileName(*newest));
  ASSIGN_OR_RETURN(const uint64_t size, fs.FileSize(source));
  return CopyFile(fs, source, JoinPath(to, OptionsFileName(*newest)), size);
}

// From the files of a database that no process has open for writing. WALs are copied whole,
// whatever is in them: recovery of the copy finds what recovery of the original would.
Status FillFromFiles(FileSystem& fs, const std::string& from, const std::string& directory) {
  ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock,
                   fs.Lock(JoinPath(from, std::string(kLockFileName))));
  ASSIGN_OR_RETURN(DatabaseFiles files,
                   ReadDatabaseFiles(fs, from, {}, /*tables=*/nullptr, OtherWriters::kNone));
  if (files.manifest.leveldb) return RefuseToWriteLevelDb(from);
  for (const FamilyState& family : files.manifest.state.families.all()) {
    RETURN_IF_ERROR(LinkTables(fs, from, directory, *family.version));
  }
  for (const WalFile& wal : files.wals) {
    const std::string name = WalFileName(wal.number);
    ASSIGN_OR_RETURN(const uint64_t size, fs.FileSize(JoinPath(from, name)));
    RETURN_IF_ERROR(CopyFile(fs, JoinPath(from, name), JoinPath(directory, name), size));
  }
  RETURN_IF_ERROR(CopyOptions(fs, from, directory, files.entries));
  // As it is: a new one would lack the records that are for the comparator's owner.
  const std::string manifest = ManifestFileName(files.manifest.number);
  RETURN_IF_ERROR(CopyFile(fs, JoinPath(from, manifest), JoinPath(directory, manifest),
                           files.manifest.file_size));
  // S5: CURRENT may name only what is durable.
  RETURN_IF_ERROR(SyncDirectory(fs, directory));
  return ReplaceFileDurably(fs, JoinPath(directory, TemporaryFileName(files.manifest.number)),
                            JoinPath(directory, kCurrentFileName),
                            EncodeCurrentFile(files.manifest.number));
}

Status FillDirectory(Engine* engine, const std::string& directory) {
  FileSystem& fs = *engine->env().file_system;
  ASSIGN_OR_RETURN(Engine::Moment moment, engine->CaptureMoment());
  for (const FamilyState& family : moment.state.families.all()) {
    RETURN_IF_ERROR(LinkTables(fs, engine->directory(), directory, *family.version));
  }
  for (const WalExtent& wal : moment.wals) {
    const std::string name = WalFileName(wal.number);
    RETURN_IF_ERROR(
        CopyFile(fs, JoinPath(engine->directory(), name), JoinPath(directory, name), wal.size));
  }
  if (moment.options) {
    const FileNumber number = moment.state.counters.next_file_number++;
    RETURN_IF_ERROR(ReplaceFileDurably(fs, JoinPath(directory, OptionsTemporaryFileName(number)),
                                       JoinPath(directory, OptionsFileName(number)),
                                       FormatOptionsFile(*moment.options)));
  }
  // S5: the new MANIFEST may name only what is durable.
  RETURN_IF_ERROR(SyncDirectory(fs, directory));
  const FileNumber manifest = moment.state.counters.next_file_number++;
  return ManifestWriter::Create(fs, directory, manifest, moment.state, {}).status();
}

// Makes `given` with the contents that `fill` puts into a directory, or leaves nothing there.
Status MakeDirectory(FileSystem& fs, const std::string& given,
                     const std::function<Status(const std::string& directory)>& fill) {
  if (given.empty()) return Status::InvalidArgument("a checkpoint needs the name of a directory");
  std::string path = given;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  RETURN_IF_ERROR(CheckIsFree(fs, path));
  const std::string temporary = path + ".checkpoint";
  RETURN_IF_ERROR(CheckLeftovers(fs, temporary));
  RETURN_IF_ERROR(fs.CreateDirectory(temporary));
  // Another process may be making a checkpoint at the same place. What is unlocked is left over
  // from an interrupted attempt.
  ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock,
                   fs.Lock(JoinPath(temporary, std::string(kLockFileName))));
  RETURN_IF_ERROR(EmptyDirectory(fs, temporary));
  Status done = fill(temporary);
  if (done.ok()) done = PublishDirectory(fs, temporary, path);
  if (done.ok()) return done;
  RemoveDirectory(fs, temporary).Ignore("the next checkpoint to this path empties it");
  return done;
}

}  // namespace

Status WriteCheckpoint(Engine* engine, const std::string& path) {
  RETURN_IF_ERROR(engine->CheckWritable());
  return MakeDirectory(*engine->env().file_system, path, [&](const std::string& directory) {
    return FillDirectory(engine, directory);
  });
}

Status WriteCheckpointOfFiles(FileSystem& fs, const std::string& from, const std::string& path) {
  return MakeDirectory(
      fs, path, [&](const std::string& directory) { return FillFromFiles(fs, from, directory); });
}

}  // namespace varve
