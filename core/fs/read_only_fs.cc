// SPDX-License-Identifier: Apache-2.0
#include "core/fs/read_only_fs.h"

namespace varve {
namespace {

class ReadOnlyFileSystem final : public FileSystem {
 public:
  explicit ReadOnlyFileSystem(FileSystem& base) : base_(base) {}

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    return base_.OpenForRead(path, direct);
  }
  Result<uint64_t> FileSize(const std::string& path) override { return base_.FileSize(path); }
  bool Exists(const std::string& path) override { return base_.Exists(path); }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    return base_.List(directory);
  }

  // Not part of what must not change.
  Result<ScratchFile> CreateScratch() override { return base_.CreateScratch(); }

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool) override {
    return Refused(path, "create");
  }
  Status CreateDirectory(const std::string& path) override { return Refused(path, "mkdir"); }
  Status Remove(const std::string& path) override { return Refused(path, "remove"); }
  Status RemoveDirectory(const std::string& path) override { return Refused(path, "rmdir"); }
  Status Rename(const std::string& from, const std::string&) override {
    return Refused(from, "rename");
  }
  Status Link(const std::string&, const std::string& name) override {
    return Refused(name, "link");
  }
  Status Truncate(const std::string& path, uint64_t) override { return Refused(path, "truncate"); }
  Status SyncDirectory(const std::string& directory) override { return Refused(directory, "sync"); }
  Status SyncFile(const std::string& path) override { return Refused(path, "sync"); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return Refused(path, "lock");
  }
  bool IsLocked(const std::string& path) override { return base_.IsLocked(path); }

 private:
  static Status Refused(const std::string& path, const char* what) {
    return Status::InvalidArgument(path + ": " + what + ": the database is open read-only");
  }

  FileSystem& base_;
};

}  // namespace

std::unique_ptr<FileSystem> NewReadOnlyFileSystem(FileSystem& base) {
  return std::make_unique<ReadOnlyFileSystem>(base);
}

}  // namespace varve
