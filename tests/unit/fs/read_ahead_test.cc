// SPDX-License-Identifier: Apache-2.0
#include "core/fs/read_ahead.h"

#include <doctest/doctest.h>

#include <string>

#include "core/fs/memory_fs.h"
#include "core/fs/posix_fs.h"
#include "tests/scratch_directory.h"

namespace varve {
namespace {

class Described final : public RandomAccessFile {
 public:
  Described(int descriptor, size_t alignment) : descriptor_(descriptor), alignment_(alignment) {}
  Result<std::string_view> Read(uint64_t, size_t, char*) const override {
    return Status::IoError("advice reads nothing");
  }
  Result<uint64_t> Size() const override { return 0; }
  size_t alignment() const override { return alignment_; }
  int descriptor() const override { return descriptor_; }
  const std::string& path() const override { return path_; }

 private:
  int descriptor_;
  size_t alignment_;
  std::string path_ = "described";
};

TEST_CASE("AskForReadAhead: taken for a file through the page cache, at any place in it") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  {
    auto writer = *fs->Create(scratch / "f", false);
    REQUIRE(writer->Append(std::string(100'000, 'x')).ok());
  }
  const auto file = *fs->OpenForRead(scratch / "f", false);
  for (const uint64_t offset : {0u, 1u, 99'999u, 100'000u, 10'000'000u}) {
    for (const uint64_t size : {0u, 1u, 1'000'000u}) CHECK(AskForReadAhead(*file, offset, size));
  }
  char buffer[4];
  CHECK_EQ(*file->Read(99'998, 4, buffer), "xx");  // It moved nothing.
  CHECK(AskForReadAhead(Described(file->descriptor(), 1), 0, 10));
  CHECK_FALSE(AskForReadAhead(Described(file->descriptor(), 512), 0, 10));  // Direct I/O.
}

TEST_CASE("AskForReadAhead: refused where the caller must read itself") {
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->Create("f", false).ok());
  CHECK_FALSE(AskForReadAhead(**fs->OpenForRead("f", false), 0, 10));
  CHECK_FALSE(AskForReadAhead(Described(-1, 1), 0, 10));
  CHECK_FALSE(AskForReadAhead(Described(1 << 20, 1), 0, 10));  // No such descriptor.
}

}  // namespace
}  // namespace varve
