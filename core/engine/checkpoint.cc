// SPDX-License-Identifier: Apache-2.0
#include "core/engine/checkpoint.h"

#include <optional>
#include <span>
#include <string_view>

#include "core/base/try.h"
#include "core/engine/file_copy.h"
#include "core/format/file_name.h"
#include "core/fs/durable.h"
#include "core/version/manifest_writer.h"

namespace varve {
namespace {

Status RemoveDirectory(FileSystem& fs, const std::string& directory) {
  if (!fs.Exists(directory)) return Status::Ok();
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(directory));
  for (const DirectoryEntry& entry : entries) {
    RETURN_IF_ERROR(fs.Remove(JoinPath(directory, entry.name)));
  }
  return fs.RemoveDirectory(directory);
}

// LevelDB's tables have another name.
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

}  // namespace

Status WriteCheckpoint(Engine* engine, const std::string& path) {
  FileSystem& fs = *engine->env().file_system;
  if (fs.Exists(path)) {
    return Status::InvalidArgument(path + ": a checkpoint needs a new directory");
  }
  const std::string temporary = path + ".checkpoint";
  // A former attempt may have been cut short; whatever has our temporary name is garbage.
  RETURN_IF_ERROR(RemoveDirectory(fs, temporary));
  RETURN_IF_ERROR(fs.CreateDirectory(temporary));
  Status done = FillDirectory(engine, temporary);
  if (done.ok()) done = PublishDirectory(fs, temporary, path);
  if (done.ok()) return done;
  RemoveDirectory(fs, temporary).Ignore("the next checkpoint to this path removes it");
  // It may have been renamed, and the name not synced.
  RemoveDirectory(fs, path).Ignore("whoever looks at it finds a complete one");
  return done;
}

}  // namespace varve
