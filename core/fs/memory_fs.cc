// SPDX-License-Identifier: Apache-2.0
#include "core/fs/memory_fs.h"

#include <algorithm>
#include <cstring>

#include "core/base/threads/mutex.h"
#include "core/fs/file_tree.h"

namespace varve {
namespace {

class HeapContents final : public FileContents {
 public:
  Status Append(std::string_view bytes) override {
    MutexLock lock(mu_);
    bytes_.append(bytes);
    return Status::Ok();
  }
  Status Resize(uint64_t size) override {
    MutexLock lock(mu_);
    bytes_.resize(size);
    return Status::Ok();
  }
  uint64_t size() const override {
    MutexLock lock(mu_);
    return bytes_.size();
  }
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    MutexLock lock(mu_);
    if (offset >= bytes_.size()) return std::string_view();
    const size_t count = std::min<uint64_t>(size, bytes_.size() - offset);
    std::memcpy(buffer, bytes_.data() + offset, count);
    return std::string_view(buffer, count);
  }
  Status Sync() override { return Status::Ok(); }

 private:
  mutable Mutex mu_;
  std::string bytes_ GUARDED_BY(mu_);
};

class Heap final : public ContentsStore {
 public:
  Result<std::shared_ptr<FileContents>> New() override {
    return std::shared_ptr<FileContents>(std::make_shared<HeapContents>());
  }
  Status NamesChanged(const FileNames&) override { return Status::Ok(); }
};

}  // namespace

std::unique_ptr<FileSystem> NewMemoryFileSystem() {
  return NewFileTree(std::make_unique<Heap>(), {});
}

}  // namespace varve
