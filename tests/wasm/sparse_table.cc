// SPDX-License-Identifier: Apache-2.0
// sparse_table FILE GIGABYTES: a real table of that size that takes little of the disk: its values
// are zeros, and pages of zeros are seeked over. Keys are "key" and eight digits.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "core/fs/file_tree.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kValue = 256 << 10;

class SparseFile : public FileContents {
 public:
  explicit SparseFile(const std::string& path) : out_(path, std::ios::binary) {}

  Status Append(std::string_view bytes) override {
    for (std::string_view rest = bytes; !rest.empty();) {
      const std::string_view page = rest.substr(0, kPage);
      rest.remove_prefix(page.size());
      if (std::all_of(page.begin(), page.end(), [](char c) { return c == 0; })) {
        out_.seekp(static_cast<std::streamoff>(page.size()), std::ios::cur);
      } else {
        out_.write(page.data(), static_cast<std::streamsize>(page.size()));
      }
    }
    size_ += bytes.size();
    return out_ ? Status::Ok() : Status::IoError("write");
  }
  Status Resize(uint64_t) override { return Status::Ok(); }  // Of a new file, to nothing.
  uint64_t size() const override { return size_; }
  Result<std::string_view> Read(uint64_t, size_t, char*) const override {
    return Status::NotSupported("read");
  }
  Status Sync() override { return Status::Ok(); }

 private:
  std::ofstream out_;
  uint64_t size_ = 0;
};

class OneFile : public ContentsStore {
 public:
  explicit OneFile(std::string path) : path_(std::move(path)) {}
  Result<std::shared_ptr<FileContents>> New() override {
    return std::shared_ptr<FileContents>(std::make_shared<SparseFile>(path_));
  }
  Status NamesChanged(const FileNames&) override { return Status::Ok(); }

 private:
  const std::string path_;
};

Status Write(const std::string& path, uint64_t bytes) {
  const std::unique_ptr<FileSystem> fs = NewFileTree(std::make_unique<OneFile>(path), {});
  Environment env = NativeEnvironment();
  env.file_system = fs.get();
  ColumnFamilyOptions options;
  options.table.compression = CompressionType::kNone;  // The zeros are what makes it large.
  auto writer = SstFileWriter::Create(env, options, "table");
  if (!writer.ok()) return writer.status();
  const std::string value(kValue, '\0');
  for (uint64_t i = 0; writer->file_size() < bytes; ++i) {
    char key[16];
    std::snprintf(key, sizeof(key), "key%08llu", static_cast<unsigned long long>(i));
    if (Status status = writer->Put(key, value); !status.ok()) return status;
  }
  return writer->Finish();
}

}  // namespace
}  // namespace varve

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const varve::Status written = varve::Write(argv[1], std::strtoull(argv[2], nullptr, 10) << 30);
  if (!written.ok()) std::fprintf(stderr, "%s\n", written.ToString().c_str());
  return written.ok() ? 0 : 1;
}
