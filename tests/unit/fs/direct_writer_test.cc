// SPDX-License-Identifier: Apache-2.0
#include "core/fs/direct_writer.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/fs/posix_fs.h"
#include "tests/scratch_directory.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

constexpr size_t kBlock = 4096;
constexpr size_t kBuffer = 1 << 20;

// Without O_DIRECT, which not every file system has: what is written when does not depend on it.
struct Written {
  explicit Written(int flags = O_RDWR | O_CREAT | O_TRUNC) {
    Result<FileDescriptor> fd = FileDescriptor::Open(path, flags);
    REQUIRE(fd.ok());
    writer = NewDirectWriter(path, *std::move(fd), kBlock);
  }
  std::string OnDisk() const { return *ReadFileToString(*fs, path, 1 << 30); }

  ScratchDirectory scratch;
  std::string path = scratch / "file";
  std::unique_ptr<FileSystem> fs = NewPosixFileSystem();
  std::unique_ptr<WritableFile> writer;
};

TEST_CASE("DirectWriter: an empty file is one, synced or not") {
  Written file;
  CHECK_EQ(file.writer->size(), 0u);
  CHECK_EQ(file.writer->path(), file.path);
  CHECK(file.writer->Append("").ok());
  CHECK(file.writer->Sync().ok());
  CHECK_EQ(file.OnDisk(), "");
  CHECK(file.writer->Close().ok());
  CHECK_EQ(file.OnDisk(), "");
}

TEST_CASE("DirectWriter: until it is synced, only full buffers are in the file") {
  Written file;
  const std::string bytes = Noise(kBuffer + 5);
  CHECK(file.writer->Append(bytes.substr(0, kBuffer - 1)).ok());
  CHECK_EQ(file.OnDisk(), "");
  CHECK(file.writer->Append(bytes.substr(kBuffer - 1)).ok());
  CHECK_EQ(file.writer->size(), bytes.size());  // What was appended, wherever it is.
  CHECK(file.OnDisk() == bytes.substr(0, kBuffer));
  CHECK(file.writer->Sync().ok());
  CHECK(file.OnDisk() == bytes);  // Without the padding.
}

TEST_CASE("DirectWriter: appends of every size, synced in between, give the same file") {
  Written file;
  std::string expected;
  const size_t sizes[] = {1,           kBlock - 1, 1, kBlock,  kBlock + 1, 10000, 0,
                          kBuffer - 1, 2,          3, 2500000, kBuffer,    1000};
  for (const size_t size : sizes) {
    const std::string bytes = Noise(size);
    CHECK(file.writer->Append(bytes).ok());
    expected += bytes;
    CHECK_EQ(file.writer->size(), expected.size());
    if (size % 2 == 0) continue;
    CHECK(file.writer->Sync().ok());
    CHECK(file.OnDisk() == expected);
  }
  CHECK(file.writer->Close().ok());
  CHECK(file.OnDisk() == expected);
  CHECK(file.writer->Close().ok());  // Does nothing.
}

TEST_CASE("DirectWriter: the same, through the file system, with direct I/O where there is any") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  auto file = fs->Create(scratch / "a", /*direct=*/true);
  REQUIRE(file.ok());
  std::string expected;
  for (const size_t size : {1, 4095, 1, 4096, 10000, 0, 3, 2500000, 1000}) {
    const std::string bytes = Noise(static_cast<size_t>(size));
    CHECK((*file)->Append(bytes).ok());
    expected += bytes;
    CHECK_EQ((*file)->size(), expected.size());
    CHECK((*file)->Sync().ok());
    CHECK(*ReadFileToString(*fs, scratch / "a", 1 << 30) == expected);
  }
  CHECK((*file)->Close().ok());
  CHECK(*ReadFileToString(*fs, scratch / "a", 1 << 30) == expected);
}

TEST_CASE("DirectWriter: a write that the system refuses is an error with path and offset") {
  Written buffered(O_RDONLY | O_CREAT);
  CHECK(buffered.writer->Append("x").ok());
  const Status synced = buffered.writer->Sync();
  CHECK_EQ(synced.code(), Code::kIoError);
  CHECK(synced.message().starts_with(buffered.path + "@0: write: "));
  Written full(O_RDONLY | O_CREAT);
  CHECK_EQ(full.writer->Append(Noise(kBuffer)).code(), Code::kIoError);
}

}  // namespace
}  // namespace varve
