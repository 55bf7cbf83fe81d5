// SPDX-License-Identifier: Apache-2.0
// ForwardingFs passes every call on to another file system. A test derives from it and overrides
// what it wants to see, or to fail.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "varve/file_system.h"

namespace varve {

class ForwardingFs : public FileSystem {
 public:
  explicit ForwardingFs(std::unique_ptr<FileSystem> base)
      : owned_(std::move(base)), base_(*owned_) {}
  explicit ForwardingFs(FileSystem& base) : base_(base) {}  // `base` must outlive it.

  FileSystem& base() { return base_; }

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    return base_.OpenForRead(path, direct);
  }
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override {
    return base_.Create(path, direct);
  }
  Result<ScratchFile> CreateScratch() override { return base_.CreateScratch(); }
  Result<uint64_t> FileSize(const std::string& path) override { return base_.FileSize(path); }
  bool Exists(const std::string& path) override { return base_.Exists(path); }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    return base_.List(directory);
  }
  Status CreateDirectory(const std::string& path) override { return base_.CreateDirectory(path); }
  Status Remove(const std::string& path) override { return base_.Remove(path); }
  Status RemoveDirectory(const std::string& path) override { return base_.RemoveDirectory(path); }
  Status Rename(const std::string& from, const std::string& to) override {
    return base_.Rename(from, to);
  }
  Status Link(const std::string& existing, const std::string& name) override {
    return base_.Link(existing, name);
  }
  Status Truncate(const std::string& path, uint64_t size) override {
    return base_.Truncate(path, size);
  }
  Status SyncDirectory(const std::string& directory) override {
    return base_.SyncDirectory(directory);
  }
  Status SyncFile(const std::string& path) override { return base_.SyncFile(path); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return base_.Lock(path);
  }
  bool IsLocked(const std::string& path) override { return base_.IsLocked(path); }

 private:
  const std::unique_ptr<FileSystem> owned_;  // Null: base_ is somebody else's.
  FileSystem& base_;
};

}  // namespace varve
