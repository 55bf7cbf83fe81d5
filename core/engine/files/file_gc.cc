// SPDX-License-Identifier: Apache-2.0
#include "core/engine/files/file_gc.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/base/check.h"
#include "core/base/upload_folder.h"
#include "core/engine/job_listener.h"
#include "core/format/manifest/remote_compaction.h"
#include "core/fs/durable.h"

namespace varve {
namespace {

// OPTIONS files to keep: the newest and the one before, as RocksDB does.
constexpr size_t kOptionsFilesKeptMax = 2;

bool EndsWith(const std::string& name, std::string_view suffix) {
  return name.size() >= suffix.size() &&
         std::string_view(name).substr(name.size() - suffix.size()) == suffix;
}

struct LiveNumbers {
  std::unordered_set<FileNumber> tables;
  std::unordered_set<FileNumber> blobs;
};

LiveNumbers NumbersIn(const DatabaseState& state) {
  LiveNumbers live;
  for (const FamilyState& family : state.families.all()) {
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) live.tables.insert(file->number());
    }
    for (const BlobFileMetadata& blob : family.version->blob_files()) {
      live.blobs.insert(blob.number);
    }
  }
  return live;
}

}  // namespace

void FileGc::NoteObsolete(const std::shared_ptr<FileMetadata>& file) {
  DCHECK(std::none_of(tables_.begin(), tables_.end(),
                      [&](const ObsoleteTable& table) { return table.number == file->number(); }));
  tables_.push_back({file->number(), file->gone});
}

void FileGc::NoteObsoleteBlob(const BlobFileMetadata& file) {
  blobs_.push_back({file.number, file.use});
}

void FileGc::NoteObsoleteWal(uint64_t number) { names_.push_back(WalFileName(number)); }

void FileGc::NoteObsoleteManifest(FileNumber number) { names_.push_back(ManifestFileName(number)); }

void FileGc::Collect() {
  std::vector<FileNumber> tables, blobs;
  std::vector<std::string> names;
  {
    MutexLock lock(context_.mutex());
    if (holds_ > 0) return;
    std::erase_if(tables_, [&](const ObsoleteTable& table) {
      if (!table.gone->load(std::memory_order_acquire)) return false;
      tables.push_back(table.number);
      return true;
    });
    std::erase_if(blobs_, [&](const ObsoleteBlob& blob) {
      if (!blob.use.expired()) return false;
      blobs.push_back(blob.number);
      return true;
    });
    names.swap(names_);
  }
  for (FileNumber number : tables) {
    context_.tables->Evict(number);
    std::string path = context_.PathOf(TableFileName(number));
    if (!context_.fs().Exists(path)) path = context_.PathOf(TableLdbFileName(number));
    RemoveObsoleteFile(context_.fs(), path);
    if (context_.listener != nullptr) context_.listener->OnTableDeleted(number);
  }
  // Values that were read may pin open blob files.
  for (FileNumber number : blobs) {
    context_.blobs->Evict(number);
    RemoveObsoleteFile(context_.fs(), context_.PathOf(BlobFileName(number)));
  }
  for (const std::string& name : names) RemoveObsoleteFile(context_.fs(), context_.PathOf(name));
}

void FileGc::Hold() {
  MutexLock lock(context_.mutex());
  ++holds_;
}

void FileGc::Release() {
  {
    MutexLock lock(context_.mutex());
    CHECK(holds_ > 0);
    --holds_;
  }
  Collect();
}

void FileGc::Sweep(const DatabaseState& state, FileNumber manifest,
                   const std::vector<DirectoryEntry>& entries) {
  CHECK(!context_.read_only);
  const LiveNumbers live = NumbersIn(state);
  std::vector<FileNumber> options_files;
  std::vector<std::string> garbage;
  for (const DirectoryEntry& entry : entries) {
    // Of compactions that were out, and of clients that uploaded, when the last opening ended.
    if (entry.is_directory &&
        (entry.name == kRemoteFolderName || entry.name == kUploadFolderName)) {
      RemoveFolders(context_.fs(), context_.PathOf(entry.name));
    }
    if (entry.is_directory) continue;
    if (EndsWith(entry.name, ".trash")) garbage.push_back(entry.name);
    const auto name = ParseFileName(entry.name);
    if (!name) continue;
    bool dead = false;
    switch (name->kind) {
      case FileKind::kWal:
        dead =
            name->number < state.MinLogToReplay() && name->number != state.counters.prev_log_number;
        break;
      case FileKind::kManifest:
        dead = name->number < manifest;
        break;
      case FileKind::kTable:
      case FileKind::kTableLdb:
        dead = !live.tables.contains(name->number);
        break;
      case FileKind::kBlob:
        dead = !live.blobs.contains(name->number);
        break;
      case FileKind::kTemporary:
        dead = true;
        break;
      case FileKind::kOptions:
        options_files.push_back(name->number);
        break;
      default:
        break;  // No file of a database: leave it.
    }
    if (dead) garbage.push_back(entry.name);
  }
  std::sort(options_files.rbegin(), options_files.rend());
  for (size_t i = kOptionsFilesKeptMax; i < options_files.size(); ++i) {
    garbage.push_back(OptionsFileName(options_files[i]));
  }
  for (const std::string& name : garbage) {
    RemoveObsoleteFile(context_.fs(), context_.PathOf(name));
  }
}

}  // namespace varve
