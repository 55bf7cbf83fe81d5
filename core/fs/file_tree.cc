// SPDX-License-Identifier: Apache-2.0
#include "core/fs/file_tree.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "core/base/threads/mutex.h"
#include "core/base/try.h"

namespace varve {
namespace {

class TreeReader final : public RandomAccessFile {
 public:
  TreeReader(std::string path, std::shared_ptr<const FileContents> contents)
      : path_(std::move(path)), contents_(std::move(contents)) {}

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    return contents_->Read(offset, size, buffer);
  }
  Result<uint64_t> Size() const override { return contents_->size(); }
  const std::string& path() const override { return path_; }

 private:
  std::string path_;
  std::shared_ptr<const FileContents> contents_;
};

class TreeWriter final : public WritableFile {
 public:
  TreeWriter(std::string path, std::shared_ptr<FileContents> contents)
      : path_(std::move(path)), contents_(std::move(contents)) {}

  Status Append(std::string_view bytes) override {
    if (contents_ == nullptr) return Status::IoError(path_ + ": append: the file is closed");
    RETURN_IF_ERROR(contents_->Append(bytes));
    size_ += bytes.size();
    return Status::Ok();
  }
  Status Sync() override {
    if (contents_ == nullptr) return Status::IoError(path_ + ": sync: the file is closed");
    return contents_->Sync();
  }
  Status Close() override {
    contents_.reset();
    return Status::Ok();
  }
  uint64_t size() const override { return size_; }
  const std::string& path() const override { return path_; }

 private:
  std::string path_;
  std::shared_ptr<FileContents> contents_;
  uint64_t size_ = 0;
};

// "a//b/./c/" -> "a/b/c"; "/" and "." -> "". Leading slashes are ignored: there is one tree.
std::string Normal(std::string_view path) {
  std::string normal;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (!normal.empty()) normal += '/';
    normal += part;
  }
  return normal;
}

std::string ParentOf(const std::string& normal) {
  const size_t slash = normal.rfind('/');
  return slash == std::string::npos ? "" : normal.substr(0, slash);
}

class FileTree;

class TreeLock final : public FileLock {
 public:
  TreeLock(FileTree* fs, std::string path) : fs_(fs), path_(std::move(path)) {}
  ~TreeLock() override;

 private:
  FileTree* fs_;
  std::string path_;
};

class FileTree final : public FileSystem {
 public:
  FileTree(std::unique_ptr<ContentsStore> store, FileNames names)
      : store_(std::move(store)), names_(std::move(names)) {}

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path, bool) override {
    MutexLock lock(mu_);
    const auto found = names_.files.find(Normal(path));
    if (found == names_.files.end()) return Absent(path, "open");
    return std::unique_ptr<RandomAccessFile>(std::make_unique<TreeReader>(path, found->second));
  }

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    if (!names_.directories.contains(ParentOf(name))) return Absent(path, "create");
    if (names_.directories.contains(name))
      return Status::IoError(path + ": create: is a directory");
    RETURN_IF_ERROR(Make(name));
    const std::shared_ptr<FileContents>& contents = names_.files[name];
    RETURN_IF_ERROR(contents->Resize(0));
    return std::unique_ptr<WritableFile>(std::make_unique<TreeWriter>(path, contents));
  }

  Result<uint64_t> FileSize(const std::string& path) override {
    MutexLock lock(mu_);
    const auto found = names_.files.find(Normal(path));
    if (found == names_.files.end()) return Absent(path, "size");
    return found->second->size();
  }

  bool Exists(const std::string& path) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    return names_.files.contains(name) || names_.directories.contains(name);
  }

  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    MutexLock lock(mu_);
    const std::string parent = Normal(directory);
    if (!names_.directories.contains(parent)) return Absent(directory, "list");
    const size_t skip = parent.empty() ? 0 : parent.size() + 1;
    std::vector<DirectoryEntry> entries;
    for (const auto& [name, contents] : names_.files) {
      if (ParentOf(name) == parent) {
        entries.push_back({.name = name.substr(skip), .size = contents->size()});
      }
    }
    for (const std::string& name : names_.directories) {
      if (!name.empty() && ParentOf(name) == parent) {
        entries.push_back({.name = name.substr(skip), .is_directory = true});
      }
    }
    return entries;
  }

  Status CreateDirectory(const std::string& path) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    if (names_.files.contains(name)) return Status::IoError(path + ": mkdir: a file is in the way");
    if (!names_.directories.contains(ParentOf(name))) return Absent(path, "mkdir");
    if (!names_.directories.insert(name).second) return Status::Ok();
    return store_->NamesChanged(names_);
  }

  Status Remove(const std::string& path) override {
    MutexLock lock(mu_);
    if (names_.files.erase(Normal(path)) == 0) return Absent(path, "remove");
    return store_->NamesChanged(names_);
  }

  Status RemoveDirectory(const std::string& path) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    if (!names_.directories.contains(name)) return Absent(path, "rmdir");
    const auto inside = [&](const std::string& other) {
      return !other.empty() && ParentOf(other) == name;
    };
    if (name.empty() || std::any_of(names_.directories.begin(), names_.directories.end(), inside) ||
        std::any_of(names_.files.begin(), names_.files.end(),
                    [&](const auto& file) { return inside(file.first); })) {
      return Status::IoError(path + ": rmdir: the directory is not empty");
    }
    names_.directories.erase(name);
    return store_->NamesChanged(names_);
  }

  Status Rename(const std::string& from, const std::string& to) override {
    MutexLock lock(mu_);
    const auto found = names_.files.find(Normal(from));
    if (found == names_.files.end()) return RenameDirectory(from, to);
    const std::string target = Normal(to);
    if (!names_.directories.contains(ParentOf(target))) return Absent(to, "rename");
    if (names_.directories.contains(target))
      return Status::IoError(to + ": rename: is a directory");
    if (found->first == target) return Status::Ok();
    std::shared_ptr<FileContents> contents = std::move(found->second);
    names_.files.erase(found);
    names_.files[target] = std::move(contents);
    return store_->NamesChanged(names_);
  }

  Status Link(const std::string& existing, const std::string& name) override {
    MutexLock lock(mu_);
    const auto found = names_.files.find(Normal(existing));
    if (found == names_.files.end()) return Absent(existing, "link");
    const std::string target = Normal(name);
    if (!names_.directories.contains(ParentOf(target))) return Absent(name, "link");
    if (names_.directories.contains(target) ||
        !names_.files.try_emplace(target, found->second).second) {
      return Status::IoError(name + ": link: already exists");
    }
    return store_->NamesChanged(names_);
  }

  Status Truncate(const std::string& path, uint64_t size) override {
    MutexLock lock(mu_);
    const auto found = names_.files.find(Normal(path));
    if (found == names_.files.end()) return Absent(path, "truncate");
    return found->second->Resize(size);
  }

  Status SyncDirectory(const std::string& directory) override {
    MutexLock lock(mu_);
    return names_.directories.contains(Normal(directory)) ? Status::Ok()
                                                          : Absent(directory, "sync");
  }

  Status SyncFile(const std::string& path) override {
    MutexLock lock(mu_);
    return names_.files.contains(Normal(path)) ? Status::Ok() : Absent(path, "sync");
  }

  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    if (!names_.directories.contains(ParentOf(name))) return Absent(path, "lock");
    if (!locked_.insert(name).second) {
      return Status::Busy(path + ": locked by this process already");
    }
    if (Status made = Make(name); !made.ok()) {
      locked_.erase(name);
      return made;
    }
    return std::unique_ptr<FileLock>(std::make_unique<TreeLock>(this, name));
  }

  bool IsLocked(const std::string& path) override {
    MutexLock lock(mu_);
    return locked_.contains(Normal(path));
  }

  void Unlock(const std::string& name) {
    MutexLock lock(mu_);
    locked_.erase(name);
  }

 private:
  static Status Absent(const std::string& path, const char* what) {
    return Status::NotFound(path + ": " + what + ": no such file or directory");
  }

  // Creates an empty file if the name does not exist.
  Status Make(const std::string& name) REQUIRES(mu_) {
    if (names_.files.contains(name)) return Status::Ok();
    ASSIGN_OR_RETURN(std::shared_ptr<FileContents> made, store_->New());
    names_.files[name] = std::move(made);
    Status named = store_->NamesChanged(names_);
    if (!named.ok()) names_.files.erase(name);
    return named;
  }

  Status RenameDirectory(const std::string& from, const std::string& to) REQUIRES(mu_) {
    const std::string source = Normal(from);
    const std::string target = Normal(to);
    if (source.empty() || !names_.directories.contains(source)) return Absent(from, "rename");
    if (!names_.directories.contains(ParentOf(target))) return Absent(to, "rename");
    if (names_.files.contains(target) || names_.directories.contains(target)) {
      return Status::IoError(to + ": rename: already exists");
    }
    if (target.starts_with(source + "/")) {
      return Status::IoError(to + ": rename: a directory cannot move into itself");
    }
    const auto moved = [&](const std::string& name) {
      if (name != source && !name.starts_with(source + "/")) return name;
      return target + name.substr(source.size());
    };
    std::set<std::string> directories;
    for (const std::string& name : names_.directories) directories.insert(moved(name));
    std::map<std::string, std::shared_ptr<FileContents>> files;
    for (const auto& [name, contents] : names_.files) files.emplace(moved(name), contents);
    names_.directories = std::move(directories);
    names_.files = std::move(files);
    return store_->NamesChanged(names_);
  }

  Mutex mu_;
  const std::unique_ptr<ContentsStore> store_;
  FileNames names_ GUARDED_BY(mu_);
  std::set<std::string> locked_ GUARDED_BY(mu_);
};

TreeLock::~TreeLock() { fs_->Unlock(path_); }

}  // namespace

bool IsTree(const FileNames& names) {
  const auto stands = [&](const std::string& name) {
    return name == Normal(name) && names.directories.contains(ParentOf(name));
  };
  return std::all_of(names.directories.begin(), names.directories.end(), stands) &&
         std::all_of(names.files.begin(), names.files.end(), [&](const auto& file) {
           return stands(file.first) && !names.directories.contains(file.first);
         });
}

std::unique_ptr<FileSystem> NewFileTree(std::unique_ptr<ContentsStore> store, FileNames names) {
  return std::make_unique<FileTree>(std::move(store), std::move(names));
}

}  // namespace varve
