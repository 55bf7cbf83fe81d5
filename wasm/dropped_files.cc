// SPDX-License-Identifier: Apache-2.0
#include "wasm/dropped_files.h"

#include <emscripten.h>

#include <map>

// Fills `to` and returns the number of bytes; -1 if the browser could not read (the file was
// changed or removed after it was dropped).
EM_JS(int32_t, varve_read_dropped, (uint32_t id, double offset, uint32_t size, char* to),
      { return Module.readDropped(id, offset, size, to); });

namespace varve::wasm {
namespace {

struct Dropped {
  uint32_t id = 0;
  uint64_t size = 0;
};

class DroppedFile : public RandomAccessFile {
 public:
  DroppedFile(std::string path, Dropped file) : path_(std::move(path)), file_(file) {}

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    if (offset >= file_.size || size == 0) return std::string_view();
    const auto wanted = static_cast<uint32_t>(std::min<uint64_t>(size, file_.size - offset));
    const int32_t got = varve_read_dropped(file_.id, static_cast<double>(offset), wanted, buffer);
    if (got < 0) {
      return Status::IoError(path_ +
                             ": the browser cannot read it; has it changed since it was "
                             "dropped?");
    }
    return std::string_view(buffer, static_cast<size_t>(got));
  }
  Result<uint64_t> Size() const override { return file_.size; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_;
  const Dropped file_;
};

class DroppedFilesImpl : public DroppedFiles {
 public:
  void Add(const std::string& path, uint32_t id, uint64_t size) override {
    files_[path] = {id, size};
  }
  void Forget(const std::string& path) override {
    files_.erase(path);
    const std::string below = path + "/";
    for (auto it = files_.lower_bound(below); it != files_.end() && it->first.starts_with(below);) {
      it = files_.erase(it);
    }
  }

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path, bool) override {
    const auto it = files_.find(path);
    if (it == files_.end()) return Status::NotFound(path + ": no such file was dropped");
    return std::unique_ptr<RandomAccessFile>(std::make_unique<DroppedFile>(path, it->second));
  }
  Result<uint64_t> FileSize(const std::string& path) override {
    const auto it = files_.find(path);
    if (it == files_.end()) return Status::NotFound(path + ": no such file was dropped");
    return it->second.size;
  }
  bool Exists(const std::string& path) override {
    const auto it = files_.lower_bound(path);
    return it != files_.end() && (it->first == path || it->first.starts_with(path + "/"));
  }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    const std::string below = directory + "/";
    std::vector<DirectoryEntry> entries;
    auto it = files_.lower_bound(below);
    if (it == files_.end() || !it->first.starts_with(below)) {
      return Status::NotFound(directory + ": no such folder was dropped");
    }
    for (; it != files_.end() && it->first.starts_with(below); ++it) {
      const std::string rest = it->first.substr(below.size());
      const size_t slash = rest.find('/');
      const std::string name = rest.substr(0, slash);
      if (!entries.empty() && entries.back().name == name) continue;
      const bool folder = slash != std::string::npos;
      entries.push_back(
          {.name = name, .size = folder ? 0 : it->second.size, .is_directory = folder});
    }
    return entries;
  }

 private:
  std::map<std::string, Dropped> files_;
};

}  // namespace

std::unique_ptr<DroppedFiles> NewDroppedFiles() { return std::make_unique<DroppedFilesImpl>(); }

}  // namespace varve::wasm
