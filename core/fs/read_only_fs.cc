// SPDX-License-Identifier: Apache-2.0
#include "core/fs/read_only_fs.h"

namespace varve {
namespace {

class ReadOnlyView final : public ReadOnlyFileSystem {
 public:
  explicit ReadOnlyView(FileSystem& base)
      : ReadOnlyFileSystem("the database is open read-only"), base_(base) {}

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    return base_.OpenForRead(path, direct);
  }
  Result<uint64_t> FileSize(const std::string& path) override { return base_.FileSize(path); }
  bool Exists(const std::string& path) override { return base_.Exists(path); }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    return base_.List(directory);
  }
  // Scratch files are not part of the read-only files.
  Result<ScratchFile> CreateScratch() override { return base_.CreateScratch(); }
  bool IsLocked(const std::string& path) override { return base_.IsLocked(path); }

 private:
  FileSystem& base_;
};

}  // namespace

std::unique_ptr<FileSystem> NewReadOnlyFileSystem(FileSystem& base) {
  return std::make_unique<ReadOnlyView>(base);
}

}  // namespace varve
