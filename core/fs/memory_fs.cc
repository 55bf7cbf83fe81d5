// SPDX-License-Identifier: Apache-2.0
#include "core/fs/memory_fs.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "core/base/mutex.h"
#include "core/base/try.h"

namespace varve {
namespace {

// The bytes of one file, shared by its names and by whoever has it open.
class Contents {
 public:
  void Append(std::string_view bytes) {
    MutexLock lock(mu_);
    bytes_.append(bytes);
  }
  void Resize(uint64_t size) {
    MutexLock lock(mu_);
    bytes_.resize(size);
  }
  uint64_t size() const {
    MutexLock lock(mu_);
    return bytes_.size();
  }
  std::string_view Read(uint64_t offset, size_t size, char* buffer) const {
    MutexLock lock(mu_);
    if (offset >= bytes_.size()) return {buffer, 0};
    const size_t count = std::min<uint64_t>(size, bytes_.size() - offset);
    std::memcpy(buffer, bytes_.data() + offset, count);
    return {buffer, count};
  }

 private:
  mutable Mutex mu_;
  std::string bytes_ GUARDED_BY(mu_);
};

class MemoryReader final : public RandomAccessFile {
 public:
  MemoryReader(std::string path, std::shared_ptr<const Contents> contents)
      : path_(std::move(path)), contents_(std::move(contents)) {}

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    return contents_->Read(offset, size, buffer);
  }
  Result<uint64_t> Size() const override { return contents_->size(); }
  const std::string& path() const override { return path_; }

 private:
  std::string path_;
  std::shared_ptr<const Contents> contents_;
};

class MemoryWriter final : public WritableFile {
 public:
  MemoryWriter(std::string path, std::shared_ptr<Contents> contents)
      : path_(std::move(path)), contents_(std::move(contents)) {}

  Status Append(std::string_view bytes) override {
    if (contents_ == nullptr) return Status::IoError(path_ + ": append: the file is closed");
    contents_->Append(bytes);
    size_ += bytes.size();
    return Status::Ok();
  }
  Status Sync() override { return Status::Ok(); }
  Status Close() override {
    contents_.reset();
    return Status::Ok();
  }
  uint64_t size() const override { return size_; }
  const std::string& path() const override { return path_; }

 private:
  std::string path_;
  std::shared_ptr<Contents> contents_;
  uint64_t size_ = 0;
};

// "a//b/./c/" -> "a/b/c"; "/" and "." -> "". Leading slashes do not matter: there is one tree.
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

class MemoryFileSystem;

class MemoryLock final : public FileLock {
 public:
  MemoryLock(MemoryFileSystem* fs, std::string path) : fs_(fs), path_(std::move(path)) {}
  ~MemoryLock() override;

 private:
  MemoryFileSystem* fs_;
  std::string path_;
};

class MemoryFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path, bool) override {
    MutexLock lock(mu_);
    const auto found = files_.find(Normal(path));
    if (found == files_.end()) return Absent(path, "open");
    return std::unique_ptr<RandomAccessFile>(std::make_unique<MemoryReader>(path, found->second));
  }

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    if (!directories_.contains(ParentOf(name))) return Absent(path, "create");
    if (directories_.contains(name)) return Status::IoError(path + ": create: is a directory");
    std::shared_ptr<Contents>& contents = files_[name];
    if (contents == nullptr) contents = std::make_shared<Contents>();
    contents->Resize(0);
    return std::unique_ptr<WritableFile>(std::make_unique<MemoryWriter>(path, contents));
  }

  Result<uint64_t> FileSize(const std::string& path) override {
    MutexLock lock(mu_);
    const auto found = files_.find(Normal(path));
    if (found == files_.end()) return Absent(path, "size");
    return found->second->size();
  }

  bool Exists(const std::string& path) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    return files_.contains(name) || directories_.contains(name);
  }

  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    MutexLock lock(mu_);
    const std::string parent = Normal(directory);
    if (!directories_.contains(parent)) return Absent(directory, "list");
    const size_t skip = parent.empty() ? 0 : parent.size() + 1;
    std::vector<DirectoryEntry> entries;
    for (const auto& [name, contents] : files_) {
      if (ParentOf(name) == parent) {
        entries.push_back({.name = name.substr(skip), .size = contents->size()});
      }
    }
    for (const std::string& name : directories_) {
      if (!name.empty() && ParentOf(name) == parent) {
        entries.push_back({.name = name.substr(skip), .is_directory = true});
      }
    }
    return entries;
  }

  Status CreateDirectory(const std::string& path) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    if (files_.contains(name)) return Status::IoError(path + ": mkdir: a file is in the way");
    if (!directories_.contains(ParentOf(name))) return Absent(path, "mkdir");
    directories_.insert(name);
    return Status::Ok();
  }

  Status Remove(const std::string& path) override {
    MutexLock lock(mu_);
    return files_.erase(Normal(path)) == 1 ? Status::Ok() : Absent(path, "remove");
  }

  Status RemoveDirectory(const std::string& path) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    if (!directories_.contains(name)) return Absent(path, "rmdir");
    const auto inside = [&](const std::string& other) {
      return !other.empty() && ParentOf(other) == name;
    };
    if (name.empty() || std::any_of(directories_.begin(), directories_.end(), inside) ||
        std::any_of(files_.begin(), files_.end(),
                    [&](const auto& file) { return inside(file.first); })) {
      return Status::IoError(path + ": rmdir: the directory is not empty");
    }
    directories_.erase(name);
    return Status::Ok();
  }

  Status Rename(const std::string& from, const std::string& to) override {
    MutexLock lock(mu_);
    const auto found = files_.find(Normal(from));
    if (found == files_.end()) return RenameDirectory(from, to);
    const std::string target = Normal(to);
    if (!directories_.contains(ParentOf(target))) return Absent(to, "rename");
    if (directories_.contains(target)) return Status::IoError(to + ": rename: is a directory");
    if (found->first == target) return Status::Ok();
    std::shared_ptr<Contents> contents = std::move(found->second);
    files_.erase(found);
    files_[target] = std::move(contents);
    return Status::Ok();
  }

  Status Link(const std::string& existing, const std::string& name) override {
    MutexLock lock(mu_);
    const auto found = files_.find(Normal(existing));
    if (found == files_.end()) return Absent(existing, "link");
    const std::string target = Normal(name);
    if (!directories_.contains(ParentOf(target))) return Absent(name, "link");
    if (directories_.contains(target) || !files_.try_emplace(target, found->second).second) {
      return Status::IoError(name + ": link: already exists");
    }
    return Status::Ok();
  }

  Status Truncate(const std::string& path, uint64_t size) override {
    MutexLock lock(mu_);
    const auto found = files_.find(Normal(path));
    if (found == files_.end()) return Absent(path, "truncate");
    found->second->Resize(size);
    return Status::Ok();
  }

  Status SyncDirectory(const std::string& directory) override {
    MutexLock lock(mu_);
    return directories_.contains(Normal(directory)) ? Status::Ok() : Absent(directory, "sync");
  }

  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    MutexLock lock(mu_);
    const std::string name = Normal(path);
    if (!directories_.contains(ParentOf(name))) return Absent(path, "lock");
    if (!locked_.insert(name).second) {
      return Status::Busy(path + ": locked by this process already");
    }
    files_.try_emplace(name, std::make_shared<Contents>());
    return std::unique_ptr<FileLock>(std::make_unique<MemoryLock>(this, name));
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

  Status RenameDirectory(const std::string& from, const std::string& to) REQUIRES(mu_) {
    const std::string source = Normal(from);
    const std::string target = Normal(to);
    if (source.empty() || !directories_.contains(source)) return Absent(from, "rename");
    if (!directories_.contains(ParentOf(target))) return Absent(to, "rename");
    if (files_.contains(target) || directories_.contains(target)) {
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
    for (const std::string& name : directories_) directories.insert(moved(name));
    std::map<std::string, std::shared_ptr<Contents>> files;
    for (const auto& [name, contents] : files_) files.emplace(moved(name), contents);
    directories_ = std::move(directories);
    files_ = std::move(files);
    return Status::Ok();
  }

  Mutex mu_;
  std::map<std::string, std::shared_ptr<Contents>> files_ GUARDED_BY(mu_);
  std::set<std::string> directories_ GUARDED_BY(mu_) = {""};
  std::set<std::string> locked_ GUARDED_BY(mu_);
};

MemoryLock::~MemoryLock() { fs_->Unlock(path_); }

}  // namespace

std::unique_ptr<FileSystem> NewMemoryFileSystem() { return std::make_unique<MemoryFileSystem>(); }

}  // namespace varve
