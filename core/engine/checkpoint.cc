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

// A former attempt may have been cut short; whatever has our temporary name is garbage.
Status RemoveTemporary(FileSystem& fs, const std::string& directory) {
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

// The newest OPTIONS file: RocksDB's tools need it where the comparator is not the default.
Status CopyOptions(FileSystem& fs, const std::string& from, const std::string& to) {
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(from));
  std::optional<FileNumber> newest;
  uint64_t size = 0;
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name.has_value() || name->kind != FileKind::kOptions) continue;
    if (newest.has_value() && *newest > name->number) continue;
    newest = name->number;
    size = entry.size;
  }
  if (!newest.has_value()) return Status::Ok();
  const std::string name = OptionsFileName(*newest);
  return CopyFile(fs, JoinPath(from, name), JoinPath(to, name), size);
}

// A family that is created or dropped meanwhile replaces the OPTIONS file: then look again.
Status CopyNewestOptions(FileSystem& fs, const std::string& from, const std::string& to) {
  constexpr int kAttemptsMax = 100;
  Status copied;
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    copied = CopyOptions(fs, from, to);
    if (copied.code() != Code::kNotFound) break;
  }
  return copied;
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
  RETURN_IF_ERROR(CopyNewestOptions(fs, engine->directory(), directory));
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
  RETURN_IF_ERROR(RemoveTemporary(fs, temporary));
  RETURN_IF_ERROR(fs.CreateDirectory(temporary));
  Status filled = FillDirectory(engine, temporary);
  if (filled.ok()) return PublishDirectory(fs, temporary, path);
  RemoveTemporary(fs, temporary).Ignore("the next checkpoint to this path removes it");
  return filled;
}

}  // namespace varve
