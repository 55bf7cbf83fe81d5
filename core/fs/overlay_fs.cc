// SPDX-License-Identifier: Apache-2.0
#include "core/fs/overlay_fs.h"

#include <map>
#include <utility>

#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/fs/read_only_fs.h"

namespace varve {
namespace {

// One of several readers of a scratch file.
class ScratchReader final : public RandomAccessFile {
 public:
  ScratchReader(std::string path, std::shared_ptr<const RandomAccessFile> file)
      : path_(std::move(path)), file_(std::move(file)) {}

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    return file_->Read(offset, size, buffer);
  }
  void ReadMany(std::span<ReadRequest> requests) const override { file_->ReadMany(requests); }
  std::unique_ptr<ReadStream> NewReadStream() const override { return file_->NewReadStream(); }
  Result<uint64_t> Size() const override { return file_->Size(); }
  size_t alignment() const override { return file_->alignment(); }
  int descriptor() const override { return file_->descriptor(); }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_;
  const std::shared_ptr<const RandomAccessFile> file_;
};

class OverlayFileSystem final : public FileSystem {
 public:
  explicit OverlayFileSystem(FileSystem& base) : base_(base), below_(NewReadOnlyFileSystem(base)) {}

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    if (auto own = Find(path)) {
      return std::unique_ptr<RandomAccessFile>(
          std::make_unique<ScratchReader>(path, std::move(own)));
    }
    return below_->OpenForRead(path, direct);
  }

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override {
    if (base_.Exists(path)) return below_->Create(path, direct);
    ASSIGN_OR_RETURN(ScratchFile scratch, base_.CreateScratch());
    MutexLock lock(mu_);
    own_[path] = std::move(scratch.reader);
    return std::move(scratch.writer);
  }
  Result<ScratchFile> CreateScratch() override { return base_.CreateScratch(); }

  Status Remove(const std::string& path) override {
    MutexLock lock(mu_);
    return own_.erase(path) > 0 ? Status::Ok() : below_->Remove(path);
  }
  Status Rename(const std::string& from, const std::string& to) override {
    MutexLock lock(mu_);
    const auto found = own_.find(from);
    if (found == own_.end() || base_.Exists(to)) return below_->Rename(from, to);
    own_[to] = std::move(found->second);
    own_.erase(from);
    return Status::Ok();
  }

  Result<uint64_t> FileSize(const std::string& path) override {
    const auto own = Find(path);
    return own == nullptr ? below_->FileSize(path) : own->Size();
  }
  bool Exists(const std::string& path) override {
    return Find(path) != nullptr || below_->Exists(path);
  }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    return below_->List(directory);
  }
  Status CreateDirectory(const std::string& path) override { return below_->CreateDirectory(path); }
  Status RemoveDirectory(const std::string& path) override { return below_->RemoveDirectory(path); }
  Status Link(const std::string& existing, const std::string& name) override {
    return below_->Link(existing, name);
  }
  Status Truncate(const std::string& path, uint64_t size) override {
    return below_->Truncate(path, size);
  }
  // New files need not be durable.
  Status SyncDirectory(const std::string&) override { return Status::Ok(); }
  Status SyncFile(const std::string&) override { return Status::Ok(); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return below_->Lock(path);
  }
  bool IsLocked(const std::string& path) override { return below_->IsLocked(path); }

 private:
  std::shared_ptr<const RandomAccessFile> Find(const std::string& path) {
    MutexLock lock(mu_);
    const auto found = own_.find(path);
    return found == own_.end() ? nullptr : found->second;
  }

  FileSystem& base_;
  const std::unique_ptr<FileSystem> below_;
  Mutex mu_;
  std::map<std::string, std::shared_ptr<const RandomAccessFile>> own_ GUARDED_BY(mu_);
};

}  // namespace

std::unique_ptr<FileSystem> NewOverlayFileSystem(FileSystem& base) {
  return std::make_unique<OverlayFileSystem>(base);
}

}  // namespace varve
