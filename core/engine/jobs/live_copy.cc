// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/live_copy.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/manifest/current_file.h"
#include "core/fs/durable.h"
#include "core/fs/file_copy.h"
#include "core/version/manifest_origin.h"
#include "core/version/table_place.h"

namespace varve {
namespace {

constexpr uint64_t kChunkSize = 1 << 20;
constexpr int kOptionsTriesMax = 100;

std::optional<FileNumber> NewestOptions(const std::vector<DirectoryEntry>& entries) {
  std::optional<FileNumber> newest;
  for (const DirectoryEntry& entry : entries) {
    const auto name = ParseFileName(entry.name);
    if (!name || name->kind != FileKind::kOptions) continue;
    newest = std::max(newest.value_or(0), name->number);
  }
  return newest;
}

// The names of the tables and blob files of a state, in its directory.
template <typename Use>
Status ForEachLinked(FileSystem& fs, const std::string& from, const DatabaseState& state,
                     const Use& use) {
  for (const FamilyState& family : state.families.all()) {
    const Version& version = *family.version;
    for (int level = 0; level < version.num_levels(); ++level) {
      for (const FilePtr& file : version.files(level)) {
        RETURN_IF_ERROR(use(NameOfTable(fs, from, file->number())));
      }
    }
    for (const BlobFileMetadata& blob : version.blob_files()) {
      RETURN_IF_ERROR(use(BlobFileName(blob.number)));
    }
  }
  return Status::Ok();
}

}  // namespace

std::string NameOfTable(FileSystem& fs, const std::string& directory, FileNumber number) {
  std::string name = TableFileName(number);
  if (fs.Exists(JoinPath(directory, name))) return name;
  const std::string other = TableLdbFileName(number);
  return fs.Exists(JoinPath(directory, other)) ? other : name;
}

Status LiveCopy::Take(const DatabaseFiles& files) {
  if (files.manifest.leveldb) return RefuseToWriteLevelDb(from_);
  RETURN_IF_ERROR(ForEachLinked(fs_, from_, files.manifest.state,
                                [this](const std::string& name) { return Link(name); }));
  for (const WalFile& wal : files.wals) RETURN_IF_ERROR(Extend(wal));
  RETURN_IF_ERROR(CopyOptions());
  // Without the beginning of a record that is being written. All others as they are: a new MANIFEST
  // would lack the records that are for the owner of another comparator.
  const std::string manifest = ManifestFileName(files.manifest.number);
  return CopyFile(fs_, JoinPath(from_, manifest), JoinPath(to_, manifest),
                  files.manifest.file_size - files.manifest.torn_bytes);
}

Status LiveCopy::Link(const std::string& name) {
  if (linked_.contains(name)) return Status::Ok();
  const Result<uint64_t> size = fs_.FileSize(JoinPath(from_, name));
  if (size.status().code() == Code::kNotFound) return MissingFile(from_, name);
  RETURN_IF_ERROR(size.status());
  linked_.insert(name);  // Whatever comes of it: the copy may be there in part.
  return LinkOrCopyFile(fs_, JoinPath(from_, name), JoinPath(to_, name), *size);
}

// What was copied of it before stays: a WAL only grows.
Status LiveCopy::Extend(const WalFile& wal) {
  Copy& copy = wals_[wal.number];
  if (copy.file == nullptr || copy.size > wal.size) {
    const std::string path = JoinPath(to_, WalFileName(wal.number));
    ASSIGN_OR_RETURN(copy.file, fs_.Create(path, /*direct=*/false));
    copy.size = 0;
  }
  CHECK_OP(copy.size, <=, wal.size);
  const auto buffer = std::make_unique<char[]>(std::min(wal.size - copy.size, kChunkSize));
  while (copy.size < wal.size) {
    const auto wanted = static_cast<size_t>(std::min(wal.size - copy.size, kChunkSize));
    ASSIGN_OR_RETURN(const std::string_view chunk, wal.file->Read(copy.size, wanted, buffer.get()));
    if (chunk.empty()) return Status::Corruption(WalFileName(wal.number) + ": becomes shorter");
    CHECK_OP(chunk.size(), <=, wanted);
    RETURN_IF_ERROR(copy.file->Append(chunk));
    copy.size += chunk.size();
  }
  return Status::Ok();
}

// An OPTIONS file is replaced by a newer one without a change of the MANIFEST.
Status LiveCopy::CopyOptions() {
  Status copied;
  for (int tries = 0; tries < kOptionsTriesMax; ++tries) {
    ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs_.List(from_));
    const std::optional<FileNumber> newest = NewestOptions(entries);
    if (!newest) return Status::Ok();
    const std::string name = OptionsFileName(*newest);
    const Result<uint64_t> size = fs_.FileSize(JoinPath(from_, name));
    copied = size.ok() ? CopyFile(fs_, JoinPath(from_, name), JoinPath(to_, name), *size)
                       : size.status();
    if (copied.code() != Code::kNotFound) return copied;
  }
  return copied;
}

Status LiveCopy::RemoveOthers(const DatabaseFiles& files) {
  std::set<std::string> needed;
  RETURN_IF_ERROR(ForEachLinked(fs_, from_, files.manifest.state, [&](const std::string& name) {
    needed.insert(name);
    return Status::Ok();
  }));
  for (const WalFile& wal : files.wals) needed.insert(WalFileName(wal.number));
  needed.insert(ManifestFileName(files.manifest.number));
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs_.List(to_));
  if (const auto options = NewestOptions(entries)) needed.insert(OptionsFileName(*options));
  for (const DirectoryEntry& entry : entries) {
    if (needed.contains(entry.name) || entry.name == kLockFileName) continue;
    RETURN_IF_ERROR(fs_.Remove(JoinPath(to_, entry.name)));
  }
  return Status::Ok();
}

Status LiveCopy::Finish(const DatabaseFiles& files) {
  for (auto& [number, copy] : wals_) {
    CHECK(copy.file != nullptr, "Take() made all of them, or failed");
    RETURN_IF_ERROR(copy.file->Sync());
    RETURN_IF_ERROR(copy.file->Close());
  }
  RETURN_IF_ERROR(RemoveOthers(files));
  // S5: CURRENT may name only what is durable.
  RETURN_IF_ERROR(SyncDirectory(fs_, to_));
  const FileNumber number = files.manifest.number;
  return ReplaceFileDurably(fs_, JoinPath(to_, TemporaryFileName(number)),
                            JoinPath(to_, kCurrentFileName), EncodeCurrentFile(number));
}

}  // namespace varve
