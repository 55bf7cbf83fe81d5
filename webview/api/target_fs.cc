// SPDX-License-Identifier: Apache-2.0
#include "webview/api/target_fs.h"

#include "core/base/try.h"
#include "core/fs/read_only_fs.h"

namespace varve::api {
namespace {

// Both names of the shown object.
struct Names {
  std::string real, shown;

  Result<std::string> ToReal(const std::string& path) const {
    if (path == shown) return real;
    const bool inside = path.size() > shown.size() && path.starts_with(shown) &&
                        path[shown.size()] == '/' && path.find("/..") == std::string::npos;
    if (!inside) return Status::NotFound(path + ": is not part of the target");
    return real + path.substr(shown.size());
  }

  // Replaces whole words only: the real path may be as short as ".".
  std::string Shown(std::string text) const {
    constexpr std::string_view kBefore = " '\"(", kAfter = "/:@,; '\")";
    for (size_t at = text.find(real); at != std::string::npos; at = text.find(real, at)) {
      const size_t end = at + real.size();
      const bool whole = (at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos) &&
                         (end == text.size() || kAfter.find(text[end]) != std::string_view::npos);
      if (whole) text.replace(at, real.size(), shown);
      at += whole ? shown.size() : 1;
    }
    return text;
  }
  Status Shown(const Status& status) const {
    return status.ok() ? status : Status(status.code(), Shown(std::string(status.message())));
  }
};

class TargetFile : public RandomAccessFile {
 public:
  TargetFile(std::unique_ptr<RandomAccessFile> below, const Names& names)
      : below_(std::move(below)), names_(names), path_(names.Shown(below_->path())) {}

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    Result<std::string_view> bytes = below_->Read(offset, size, buffer);
    if (!bytes.ok()) return names_.Shown(bytes.status());
    return bytes;
  }
  void ReadMany(std::span<ReadRequest> requests) const override {
    below_->ReadMany(requests);
    for (ReadRequest& request : requests) request.status = names_.Shown(request.status);
  }
  Result<uint64_t> Size() const override {
    Result<uint64_t> size = below_->Size();
    if (!size.ok()) return names_.Shown(size.status());
    return size;
  }
  size_t alignment() const override { return below_->alignment(); }
  const std::string& path() const override { return path_; }

 private:
  const std::unique_ptr<RandomAccessFile> below_;
  const Names names_;
  const std::string path_;
};

class TargetFs : public ReadOnlyFileSystem {
 public:
  TargetFs(FileSystem& below, Names names)
      : ReadOnlyFileSystem("an inspected target is only read"),
        below_(below),
        names_(std::move(names)) {}

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    ASSIGN_OR_RETURN(const std::string real, names_.ToReal(path));
    auto file = below_.OpenForRead(real, direct);
    if (!file.ok()) return names_.Shown(file.status());
    return std::unique_ptr<RandomAccessFile>(
        std::make_unique<TargetFile>(*std::move(file), names_));
  }
  Result<uint64_t> FileSize(const std::string& path) override {
    ASSIGN_OR_RETURN(const std::string real, names_.ToReal(path));
    Result<uint64_t> size = below_.FileSize(real);
    if (!size.ok()) return names_.Shown(size.status());
    return size;
  }
  bool Exists(const std::string& path) override {
    const Result<std::string> real = names_.ToReal(path);
    return real.ok() && below_.Exists(*real);
  }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    ASSIGN_OR_RETURN(const std::string real, names_.ToReal(directory));
    auto entries = below_.List(real);
    if (!entries.ok()) return names_.Shown(entries.status());
    return entries;
  }

  Result<ScratchFile> CreateScratch() override { return below_.CreateScratch(); }

  bool IsLocked(const std::string& path) override {
    const Result<std::string> real = names_.ToReal(path);
    return real.ok() && below_.IsLocked(*real);
  }

 private:
  FileSystem& below_;
  const Names names_;
};

}  // namespace

std::unique_ptr<FileSystem> NewTargetFs(FileSystem& below, std::string real_path,
                                        std::string shown_name) {
  return std::make_unique<TargetFs>(below, Names{std::move(real_path), std::move(shown_name)});
}

}  // namespace varve::api
