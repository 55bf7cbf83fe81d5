// SPDX-License-Identifier: Apache-2.0
// A file system whose n-th change, and every one after it, fails.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "varve/file_system.h"

namespace varve {

class FailingFs final : public FileSystem {
 public:
  static constexpr int kNever = 1 << 30;

  explicit FailingFs(std::unique_ptr<FileSystem> base) : base_(std::move(base)) {}

  // The next `changes` changes work, those after them do not.
  void FailFrom(int changes) {
    left_ = changes;
    failed_ = false;
  }
  bool failed() const { return failed_; }
  // Every change since the last call, a line each.
  std::string TakeChanges() { return std::exchange(changes_, {}); }

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    return base_->OpenForRead(path, direct);
  }
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override {
    if (Status s = Change("create", path); !s.ok()) return s;
    Result<std::unique_ptr<WritableFile>> file = base_->Create(path, direct);
    if (!file.ok()) return file;
    return std::unique_ptr<WritableFile>(std::make_unique<File>(this, *std::move(file)));
  }
  Result<uint64_t> FileSize(const std::string& path) override { return base_->FileSize(path); }
  bool Exists(const std::string& path) override { return base_->Exists(path); }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    return base_->List(directory);
  }
  Status CreateDirectory(const std::string& path) override { return base_->CreateDirectory(path); }
  Status Remove(const std::string& path) override {
    Status s = Change("remove", path);
    return s.ok() ? base_->Remove(path) : s;
  }
  Status RemoveDirectory(const std::string& path) override { return base_->RemoveDirectory(path); }
  Status Rename(const std::string& from, const std::string& to) override {
    Status s = Change("rename", from);
    return s.ok() ? base_->Rename(from, to) : s;
  }
  Status Link(const std::string& existing, const std::string& name) override {
    return base_->Link(existing, name);
  }
  Status Truncate(const std::string& path, uint64_t size) override {
    return base_->Truncate(path, size);
  }
  Status SyncDirectory(const std::string& directory) override {
    Status s = Change("sync directory", directory);
    return s.ok() ? base_->SyncDirectory(directory) : s;
  }
  Status SyncFile(const std::string& path) override {
    Status s = Change("sync file", path);
    return s.ok() ? base_->SyncFile(path) : s;
  }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return base_->Lock(path);
  }

 private:
  class File final : public WritableFile {
   public:
    File(FailingFs* fs, std::unique_ptr<WritableFile> base) : fs_(fs), base_(std::move(base)) {}
    Status Append(std::string_view bytes) override {
      Status s = fs_->Change("append", path());
      if (s.ok()) return base_->Append(bytes);
      // As a full disk does it: half of the bytes get there.
      base_->Append(bytes.substr(0, bytes.size() / 2)).Ignore("the failure is reported anyway");
      return s;
    }
    Status Sync() override {
      Status s = fs_->Change("sync", path());
      return s.ok() ? base_->Sync() : s;
    }
    Status Close() override { return base_->Close(); }
    uint64_t size() const override { return base_->size(); }
    const std::string& path() const override { return base_->path(); }

   private:
    FailingFs* const fs_;
    const std::unique_ptr<WritableFile> base_;
  };

  Status Change(const std::string& what, const std::string& path) {
    // A run of appends is one line.
    if (const std::string line = what + " " + path + "\n"; !changes_.ends_with(line)) {
      changes_ += line;
    }
    if (left_-- > 0) return Status::Ok();
    failed_ = true;
    return Status::IoError(path + ": injected");
  }

  const std::unique_ptr<FileSystem> base_;
  int left_ = kNever;
  bool failed_ = false;
  std::string changes_;
};

}  // namespace varve
