// SPDX-License-Identifier: Apache-2.0
#include "wasm/mounts.h"

namespace varve::wasm {
namespace {

class Mounts : public FileSystem {
 public:
  Mounts(FileSystem& dropped, FileSystem& memory) : dropped_(dropped), memory_(memory) {}

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    return Of(path).OpenForRead(path, direct);
  }
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override {
    return Of(path).Create(path, direct);
  }
  Result<uint64_t> FileSize(const std::string& path) override { return Of(path).FileSize(path); }
  bool Exists(const std::string& path) override { return Of(path).Exists(path); }
  Result<std::vector<DirectoryEntry>> List(const std::string& path) override {
    return Of(path).List(path);
  }
  Status CreateDirectory(const std::string& path) override {
    return Of(path).CreateDirectory(path);
  }
  Status Remove(const std::string& path) override { return Of(path).Remove(path); }
  Status RemoveDirectory(const std::string& path) override {
    return Of(path).RemoveDirectory(path);
  }
  Status Rename(const std::string& from, const std::string& to) override {
    return Of(from).Rename(from, to);
  }
  Status Link(const std::string& existing, const std::string& name) override {
    return Of(existing).Link(existing, name);
  }
  Status Truncate(const std::string& path, uint64_t size) override {
    return Of(path).Truncate(path, size);
  }
  Status SyncDirectory(const std::string& path) override { return Of(path).SyncDirectory(path); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return Of(path).Lock(path);
  }
  bool IsLocked(const std::string& path) override { return Of(path).IsLocked(path); }

 private:
  FileSystem& Of(const std::string& path) {
    return path.starts_with(kDroppedRoot) ? dropped_ : memory_;
  }

  FileSystem& dropped_;
  FileSystem& memory_;
};

}  // namespace

std::unique_ptr<FileSystem> NewMounts(FileSystem& dropped, FileSystem& memory) {
  return std::make_unique<Mounts>(dropped, memory);
}

}  // namespace varve::wasm
