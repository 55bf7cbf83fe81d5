// SPDX-License-Identifier: Apache-2.0
#include "core/version/table_paths_fs.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/format/file_name.h"

namespace varve {
namespace {

std::string WithoutTrailingSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool MayBeElsewhere(std::string_view name) {
  const std::optional<FileName> parsed = ParseFileName(name);
  if (!parsed) return false;
  return parsed->kind == FileKind::kTable || parsed->kind == FileKind::kTableLdb ||
         parsed->kind == FileKind::kBlob;
}

class PathsOverFileSystem final : public TablePathsFileSystem {
 public:
  PathsOverFileSystem(FileSystem& base, std::string directory, std::vector<std::string> paths)
      : base_(base), directory_(WithoutTrailingSlashes(std::move(directory))) {
    for (std::string& path : paths) {
      path = WithoutTrailingSlashes(std::move(path));
      const bool known = std::find(paths_.begin(), paths_.end(), path) != paths_.end();
      if (path != directory_ && !known) paths_.push_back(std::move(path));
    }
  }

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    return base_.OpenForRead(PlaceOf(path), direct);
  }
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override {
    return base_.Create(path, direct);
  }
  Result<ScratchFile> CreateScratch() override { return base_.CreateScratch(); }
  Result<uint64_t> FileSize(const std::string& path) override {
    return base_.FileSize(PlaceOf(path));
  }
  bool Exists(const std::string& path) override { return base_.Exists(PlaceOf(path)); }

  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    ASSIGN_OR_RETURN(std::vector<DirectoryEntry> entries, base_.List(directory));
    if (WithoutTrailingSlashes(directory) != directory_) return entries;
    std::erase_if(entries, [&](const DirectoryEntry& entry) {
      return IsSettledElsewhere(entry.name, directory_);
    });
    std::unordered_set<std::string> names;
    for (const DirectoryEntry& entry : entries) names.insert(entry.name);
    for (const std::string& path : paths_) {
      Result<std::vector<DirectoryEntry>> more = base_.List(path);
      if (more.status().code() == Code::kNotFound) continue;
      RETURN_IF_ERROR(more.status());
      for (DirectoryEntry& entry : *more) {
        if (entry.is_directory || !MayBeElsewhere(entry.name)) continue;
        if (IsSettledElsewhere(entry.name, path)) continue;
        if (names.insert(entry.name).second) entries.push_back(std::move(entry));
      }
    }
    return entries;
  }

  Status CreateDirectory(const std::string& path) override { return base_.CreateDirectory(path); }
  // A crash may have left files of one name at several places.
  Status Remove(const std::string& path) override {
    const std::string_view name = NameHere(path);
    Status removed = Status::Ok();
    bool any = false;
    for (const std::string& other : paths_) {
      if (name.empty()) break;
      const std::string place = JoinPath(other, name);
      if (!base_.Exists(place)) continue;
      any = true;
      Status one = base_.Remove(place);
      if (removed.ok()) removed = std::move(one);
    }
    if (any && !base_.Exists(path)) return removed;
    Status here = base_.Remove(path);
    return removed.ok() ? here : removed;
  }
  Status RemoveDirectory(const std::string& path) override { return base_.RemoveDirectory(path); }
  Status Rename(const std::string& from, const std::string& to) override {
    return base_.Rename(PlaceOf(from), to);
  }
  Status Link(const std::string& existing, const std::string& name) override {
    return base_.Link(PlaceOf(existing), name);
  }
  Status Truncate(const std::string& path, uint64_t size) override {
    return base_.Truncate(PlaceOf(path), size);
  }
  Status SyncDirectory(const std::string& directory) override {
    RETURN_IF_ERROR(base_.SyncDirectory(directory));
    if (WithoutTrailingSlashes(directory) != directory_) return Status::Ok();
    for (const std::string& path : paths_) {
      if (!base_.Exists(path)) continue;  // A new database has no tables yet.
      RETURN_IF_ERROR(base_.SyncDirectory(path));
    }
    return Status::Ok();
  }
  Status SyncFile(const std::string& path) override { return base_.SyncFile(PlaceOf(path)); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return base_.Lock(path);
  }
  bool IsLocked(const std::string& path) override { return base_.IsLocked(path); }

  std::vector<Copy> CopiesOf(std::string_view name) override {
    std::vector<Copy> copies;
    const auto look = [&](const std::string& directory) {
      std::string place = JoinPath(directory, name);
      const Result<uint64_t> size = base_.FileSize(place);
      if (size.ok()) copies.push_back({std::move(place), *size});
    };
    for (const std::string& path : paths_) look(path);
    look(directory_);
    return copies;
  }
  void Settle(const std::string& name, const std::string& place) override {
    MutexLock lock(mutex_);
    settled_[name] = place;
  }

 private:
  bool IsSettledElsewhere(const std::string& name, const std::string& directory) {
    MutexLock lock(mutex_);
    const auto found = settled_.find(name);
    return found != settled_.end() && found->second != JoinPath(directory, name);
  }
  // Empty: not settled.
  std::string SettledPlaceOf(std::string_view name) const {
    MutexLock lock(mutex_);
    if (settled_.empty()) return "";
    const auto found = settled_.find(std::string(name));
    return found == settled_.end() ? "" : found->second;
  }

  // Of a table or blob file in the directory; else empty.
  std::string_view NameHere(std::string_view path) const {
    const size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) return {};
    if (WithoutTrailingSlashes(std::string(path.substr(0, slash))) != directory_) return {};
    const std::string_view name = path.substr(slash + 1);
    return MayBeElsewhere(name) ? name : std::string_view();
  }

  std::string PlaceOf(const std::string& path) const {
    const std::string_view name = NameHere(path);
    if (name.empty()) return path;
    if (std::string place = SettledPlaceOf(name); !place.empty()) return place;
    for (const std::string& other : paths_) {
      std::string place = JoinPath(other, name);
      if (base_.Exists(place)) return place;
    }
    return path;
  }

  FileSystem& base_;
  const std::string directory_;
  std::vector<std::string> paths_;  // Without the directory.
  mutable Mutex mutex_;
  std::unordered_map<std::string, std::string> settled_ GUARDED_BY(mutex_);  // Name to place.
};

}  // namespace

std::unique_ptr<TablePathsFileSystem> NewTablePathsFileSystem(FileSystem& base,
                                                              std::string directory,
                                                              std::vector<std::string> paths) {
  return std::make_unique<PathsOverFileSystem>(base, std::move(directory), std::move(paths));
}

}  // namespace varve
