// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/checkpoint.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/engine/jobs/live_copy.h"
#include "core/format/file_name.h"
#include "core/fs/durable.h"
#include "core/fs/file_copy.h"
#include "core/version/database_files.h"
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

// From the files of a database that another process may have open. WALs are copied whatever is in
// them: recovery of the copy finds what recovery of the original would.
Status FillFromFiles(FileSystem& fs, const std::string& from, const std::string& directory) {
  LiveCopy copy(fs, from, directory);
  ASSIGN_OR_RETURN(
      const DatabaseFiles files,
      ReadDatabaseFiles(fs, from, InspectionOptions(), /*tables=*/nullptr, OtherWriters::kPossible,
                        [&copy](const DatabaseFiles& state) { return copy.Take(state); }));
  return copy.Finish(files);
}

bool NamesPaths(const Version& version) {
  for (int level = 0; level < version.num_levels(); ++level) {
    const auto& files = version.files(level);
    if (std::ranges::any_of(files, [](auto& file) { return file->description.path_id != 0; })) {
      return true;
    }
  }
  return false;
}

// The same tables, all in one directory.
std::shared_ptr<const Version> WithoutPaths(const Version& version) {
  std::vector<std::vector<FilePtr>> levels(static_cast<size_t>(version.num_levels()));
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      FileDescription description = file->description;
      description.path_id = 0;
      levels[static_cast<size_t>(level)].push_back(
          std::make_shared<FileMetadata>(std::move(description)));
    }
  }
  return std::make_shared<const Version>(version.comparator(), /*tables=*/nullptr,
                                         std::move(levels), version.blob_files());
}

Status FillDirectory(Engine* engine, const std::string& directory) {
  FileSystem& fs = *engine->env().file_system;
  ASSIGN_OR_RETURN(Engine::Moment moment, engine->CaptureMoment());
  for (const FamilyState& family : moment.state.families.all()) {
    RETURN_IF_ERROR(LinkTables(fs, engine->directory(), directory, *family.version));
  }
  for (const FamilyState& family : moment.state.families.all()) {
    if (!NamesPaths(*family.version)) continue;
    moment.state.families.Find(family.id)->version = WithoutPaths(*family.version);
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

Result<ExportedFamily> ExportFamily(Engine* engine, ColumnFamilyId id, const std::string& path) {
  FileSystem& fs = *engine->env().file_system;
  RETURN_IF_ERROR(engine->CheckWritable());
  ASSIGN_OR_RETURN(const Family* const family, engine->FamilyToRead(id));
  ExportedFamily exported{.comparator = family->comparator_name()};
  RETURN_IF_ERROR(MakeDirectory(fs, path, [&](const std::string& directory) -> Status {
    RETURN_IF_ERROR(engine->Flush({}, id));
    const Engine::FileHold hold(engine);
    ASSIGN_OR_RETURN(const std::shared_ptr<const Version> version, engine->VersionToRead(id));
    if (!version->blob_files().empty()) {
      return Status::NotSupported("column family \"" + EscapeForDisplay(family->name()) +
                                  "\" has values in blob files, which an export does not take");
    }
    for (LiveFile& file : Engine::FilesOf(*version)) {
      const std::string name = TableFileName(file.number);
      exported.tables.push_back({JoinPath(path, name), std::move(file)});
    }
    return LinkTables(fs, engine->directory(), directory, *version);
  }));
  // It is no database, which nobody could lock.
  RemoveObsoleteFile(fs, JoinPath(path, std::string(kLockFileName)));
  return exported;
}

Status WriteCheckpointOfFiles(FileSystem& fs, const std::string& from, const std::string& path) {
  return MakeDirectory(
      fs, path, [&](const std::string& directory) { return FillFromFiles(fs, from, directory); });
}

}  // namespace varve
