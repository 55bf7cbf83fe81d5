// SPDX-License-Identifier: Apache-2.0
// A file system that refuses all changes: used by the inspector and by read-only opens.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "varve/file_system.h"

namespace varve {

// Refuses every change, including locks, with InvalidArgument. Derived classes implement reading.
// (Inline, because core/ is built without the RTTI that derived classes outside need.)
class ReadOnlyFileSystem : public FileSystem {
 public:
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

 protected:
  // `reason` ends the message: "dropped files are only read".
  explicit ReadOnlyFileSystem(std::string reason) : reason_(std::move(reason)) {}

 private:
  Status Refused(const std::string& path, const char* what) const {
    return Status::InvalidArgument(path + ": " + what + ": " + reason_);
  }

  const std::string reason_;
};

// Reads go to `base`, which must outlive it. Thread-safe.
std::unique_ptr<FileSystem> NewReadOnlyFileSystem(FileSystem& base);

}  // namespace varve
