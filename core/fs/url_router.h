// SPDX-License-Identifier: Apache-2.0
// The file system of NativeEnvironment(): paths that are URLs go to the file systems mounted for
// them (varve/url.h), all others to the operating system. A URL that is not at or below a mounted
// one is refused: neither a file of a database nor a request to a server makes us connect anywhere.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/mutex.h"
#include "varve/file_system.h"

namespace varve {

// Thread-safe.
class UrlRouter final : public FileSystem {
 public:
  explicit UrlRouter(std::unique_ptr<FileSystem> local) : local_(std::move(local)) {}

  // What is at or below `root` is read from `files` from now on. Replaced ones are kept, because
  // files that they opened may be in use.
  void Mount(const std::string& root, std::unique_ptr<FileSystem> files);
  FileSystem& local() { return *local_; }

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override;
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override;
  Result<ScratchFile> CreateScratch() override { return local_->CreateScratch(); }
  Result<uint64_t> FileSize(const std::string& path) override;
  bool Exists(const std::string& path) override;
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override;
  Status CreateDirectory(const std::string& path) override;
  Status Remove(const std::string& path) override;
  Status RemoveDirectory(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Link(const std::string& existing, const std::string& name) override;
  Status Truncate(const std::string& path, uint64_t size) override;
  Status SyncDirectory(const std::string& directory) override;
  Status SyncFile(const std::string& path) override;
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override;
  bool IsLocked(const std::string& path) override;

 private:
  Result<FileSystem*> Of(const std::string& path);

  const std::unique_ptr<FileSystem> local_;
  Mutex mu_;
  // The last one that fits counts.
  std::vector<std::pair<std::string, std::unique_ptr<FileSystem>>> mounts_ GUARDED_BY(mu_);
};

// That of NativeEnvironment().
UrlRouter& NativeRouter();

}  // namespace varve
