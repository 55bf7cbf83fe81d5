// SPDX-License-Identifier: Apache-2.0
#include "wasm/environment.h"

#include <chrono>
#include <memory>
#include <random>
#include <string>

#include "core/base/try.h"
#include "core/fs/memory_fs.h"
#include "wasm/access_handles.h"

namespace varve {
namespace wasm {
namespace {

class BrowserClock : public Clock {
 public:
  uint64_t NowMicros() override { return Since(std::chrono::steady_clock::now()); }
  uint64_t UnixMicros() override { return Since(std::chrono::system_clock::now()); }

 private:
  template <typename Time>
  static uint64_t Since(Time now) {
    const auto since = now.time_since_epoch();
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(since).count());
  }
};

class BrowserRandom : public Random {
 public:
  uint64_t Next64() override { return (static_cast<uint64_t>(device_()) << 32) | device_(); }

 private:
  std::random_device device_;  // crypto.getRandomValues().
};

// Dispatches every call to the file system of the path.
class Mounts : public FileSystem {
 public:
  DroppedFiles& dropped() { return *dropped_; }

  Status MountStoredFiles() {
    if (stored_ != nullptr) return Status::Busy(std::string(kStoredRoot) + " is mounted already");
    ASSIGN_OR_RETURN(stored_, MountSlots(handles_));
    return stored_->files().CreateDirectory(kStoredRoot);
  }
  uint32_t free_slots() { return stored_ == nullptr ? 0 : stored_->free_slots(); }

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
  Status SyncFile(const std::string& path) override { return Of(path).SyncFile(path); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return Of(path).Lock(path);
  }
  bool IsLocked(const std::string& path) override { return Of(path).IsLocked(path); }

 private:
  static bool Below(const std::string& path, std::string_view root) {
    return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
  }
  FileSystem& Of(const std::string& path) {
    if (Below(path, kDroppedRoot)) return *dropped_;
    if (stored_ != nullptr && Below(path, kStoredRoot)) return stored_->files();
    return *memory_;
  }

  AccessHandles handles_;
  const std::unique_ptr<DroppedFiles> dropped_ = NewDroppedFiles();
  const std::unique_ptr<FileSystem> memory_ = NewMemoryFileSystem();
  std::unique_ptr<SlotFileSystem> stored_;
};

struct World {
  BrowserClock clock;
  BrowserRandom random;
  InlineExecutor executor;
  Mounts files;
  Environment environment{&files, &clock, &random, &executor};
};

World& TheWorld() {
  static World world;
  return world;
}

}  // namespace

DroppedFiles& TheDroppedFiles() { return TheWorld().files.dropped(); }
InlineExecutor& TheExecutor() { return TheWorld().executor; }
Status MountStored() { return TheWorld().files.MountStoredFiles(); }
uint32_t FreeSlots() { return TheWorld().files.free_slots(); }

}  // namespace wasm

const Environment& NativeEnvironment() { return wasm::TheWorld().environment; }

}  // namespace varve
