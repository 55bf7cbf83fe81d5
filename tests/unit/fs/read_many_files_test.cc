// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/fs/direct_io.h"
#include "core/fs/memory_fs.h"
#include "core/fs/posix_fs.h"
#include "tests/scratch_directory.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

// Refuses reads that touch [bad, bad + 1), as a disk with one bad sector does.
class BadSpotFile final : public RandomAccessFile {
 public:
  BadSpotFile(std::unique_ptr<RandomAccessFile> base, uint64_t bad)
      : base_(std::move(base)), bad_(bad) {}
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    if (offset <= bad_ && bad_ < offset + size) return Status::IoError("bad spot");
    return base_->Read(offset, size, buffer);
  }
  Result<uint64_t> Size() const override { return base_->Size(); }
  size_t alignment() const override { return base_->alignment(); }
  const std::string& path() const override { return base_->path(); }

 private:
  const std::unique_ptr<RandomAccessFile> base_;
  const uint64_t bad_;
};

struct TestFile {
  std::string bytes;
  std::unique_ptr<RandomAccessFile> file;
};

std::vector<TestFile> MakeFiles(FileSystem& fs, const std::string& directory, bool direct) {
  std::vector<TestFile> files;
  for (const size_t size : {size_t{300'000}, size_t{4096}, size_t{70'001}}) {
    const std::string path = directory + "/" + std::to_string(size);
    TestFile& made = files.emplace_back();
    made.bytes = Noise(size, static_cast<uint32_t>(size));
    auto out = fs.Create(path, false);
    REQUIRE(out.ok());
    REQUIRE((*out)->Append(made.bytes).ok());
    REQUIRE((*out)->Close().ok());
    auto in = fs.OpenForRead(path, direct);
    REQUIRE(in.ok());
    made.file = *std::move(in);
  }
  return files;
}

// `near`: reads that will be joined. Some begin at or go beyond the end of their file.
void ReadAtRandom(const std::vector<TestFile>& files, bool near, std::mt19937& random) {
  for (int round = 0; round < 60; ++round) {
    std::vector<FileRead> reads;
    std::vector<const TestFile*> from;
    std::vector<std::string> buffers(1 + random() % 100);
    for (std::string& buffer : buffers) {
      const TestFile& file = files[random() % files.size()];
      buffer.assign(random() % 6'000, '?');
      const uint64_t offset = random() % (near ? 30'000 : file.bytes.size() + 3'000);
      reads.push_back(
          {file.file.get(), {.offset = offset, .size = buffer.size(), .buffer = buffer.data()}});
      from.push_back(&file);
    }
    ReadManyFiles(reads);
    for (size_t i = 0; i < reads.size(); ++i) {
      const ReadRequest& request = reads[i].request;
      REQUIRE_MESSAGE(request.status.ok(), request.status.ToString());
      const std::string& all = from[i]->bytes;
      const std::string expected =
          request.offset < all.size() ? all.substr(request.offset, request.size) : "";
      REQUIRE(request.result == expected);
    }
  }
}

TEST_CASE("ReadManyFiles: every read gets its own bytes, buffered, direct or in memory") {
  std::mt19937 random(4);
  const ScratchDirectory scratch;
  const auto posix = NewPosixFileSystem();
  const auto memory = NewMemoryFileSystem();
  REQUIRE(memory->CreateDirectory("d").ok());
  for (const bool near : {false, true}) {
    ReadAtRandom(MakeFiles(*posix, scratch.path(), false), near, random);
    ReadAtRandom(MakeFiles(*posix, scratch.path(), true), near, random);
    ReadAtRandom(MakeFiles(*memory, "d", false), near, random);
  }
}

TEST_CASE("ReadManyFiles: a failure concerns only its own read") {
  const ScratchDirectory scratch;
  const auto posix = NewPosixFileSystem();
  std::vector<TestFile> files = MakeFiles(*posix, scratch.path(), false);
  const BadSpotFile bad(std::move(files[0].file), 1'500);
  std::vector<std::string> buffers(4, std::string(1'000, '?'));
  std::vector<FileRead> reads;
  for (size_t i = 0; i < 3; ++i) {
    reads.push_back({&bad, {.offset = 1'000 * i, .size = 1'000, .buffer = buffers[i].data()}});
  }
  reads.push_back({files[2].file.get(), {.offset = 0, .size = 1'000, .buffer = buffers[3].data()}});
  ReadManyFiles(reads);
  for (size_t i = 0; i < 4; ++i) CHECK(reads[i].request.status.ok() == (i != 1));
  CHECK(reads[2].request.result == files[0].bytes.substr(2'000, 1'000));
  CHECK(reads[3].request.result == files[2].bytes.substr(0, 1'000));
}

}  // namespace
}  // namespace varve
