// SPDX-License-Identifier: Apache-2.0
// A file system whose n-th change, and every one after it, fails, as if the process had died.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tests/forwarding_file.h"
#include "tests/forwarding_fs.h"

namespace varve {

class FailingFs final : public ForwardingFs {
 public:
  static constexpr int kNever = 1 << 30;

  using ForwardingFs::ForwardingFs;

  // The next `changes` changes work, those after them do not.
  void FailFrom(int changes) {
    left_ = changes;
    failed_ = false;
  }
  bool failed() const { return failed_; }
  // Every change since the last call, a line each.
  std::string TakeChanges() { return std::exchange(changes_, {}); }

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override {
    if (Status s = Change("create", path); !s.ok()) return s;
    Result<std::unique_ptr<WritableFile>> file = ForwardingFs::Create(path, direct);
    if (!file.ok()) return file;
    return std::unique_ptr<WritableFile>(std::make_unique<File>(this, *std::move(file)));
  }
  Status CreateDirectory(const std::string& path) override {
    Status s = Change("create directory", path);
    return s.ok() ? ForwardingFs::CreateDirectory(path) : s;
  }
  Status Remove(const std::string& path) override {
    Status s = Change("remove", path);
    return s.ok() ? ForwardingFs::Remove(path) : s;
  }
  Status Rename(const std::string& from, const std::string& to) override {
    Status s = Change("rename", from);
    return s.ok() ? ForwardingFs::Rename(from, to) : s;
  }
  Status Link(const std::string& existing, const std::string& name) override {
    Status s = Change("link", existing);
    return s.ok() ? ForwardingFs::Link(existing, name) : s;
  }
  Status SyncDirectory(const std::string& directory) override {
    Status s = Change("sync directory", directory);
    return s.ok() ? ForwardingFs::SyncDirectory(directory) : s;
  }
  Status SyncFile(const std::string& path) override {
    Status s = Change("sync file", path);
    return s.ok() ? ForwardingFs::SyncFile(path) : s;
  }

 private:
  class File final : public ForwardingFile {
   public:
    File(FailingFs* fs, std::unique_ptr<WritableFile> base)
        : ForwardingFile(std::move(base)), fs_(fs) {}
    Status Append(std::string_view bytes) override {
      Status s = fs_->Change("append", path());
      if (s.ok()) return ForwardingFile::Append(bytes);
      // As a full disk does it: half of the bytes get there.
      ForwardingFile::Append(bytes.substr(0, bytes.size() / 2))
          .Ignore("the failure is reported anyway");
      return s;
    }
    Status Sync() override {
      Status s = fs_->Change("sync", path());
      return s.ok() ? ForwardingFile::Sync() : s;
    }

   private:
    FailingFs* const fs_;
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

  int left_ = kNever;
  bool failed_ = false;
  std::string changes_;
};

}  // namespace varve
