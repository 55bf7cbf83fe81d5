// SPDX-License-Identifier: Apache-2.0
#include "core/fs/direct_io.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/fs/posix_fs.h"
#include "tests/scratch_directory.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

constexpr size_t kBlock = 4096;

// Refuses what a disk under O_DIRECT refuses, whatever file system the test runs on.
class StrictFile final : public RandomAccessFile {
 public:
  explicit StrictFile(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    if (offset % kBlock != 0 || size % kBlock != 0 ||
        reinterpret_cast<uintptr_t>(buffer) % kBlock != 0) {
      return Status::IoError("unaligned");
    }
    if (offset >= bytes_.size()) return std::string_view(buffer, 0);
    return std::string_view(buffer, bytes_.copy(buffer, size, offset));
  }
  Result<uint64_t> Size() const override { return bytes_.size(); }
  size_t alignment() const override { return kBlock; }
  const std::string& path() const override { return path_; }

 private:
  std::string bytes_;
  std::string path_ = "strict";
};

struct Wanted {
  uint64_t offset;
  size_t size;
};
constexpr Wanted kWanted[] = {{0, 1},       {0, 4096},     {1, 4095},    {4095, 2},
                              {4096, 4096}, {5000, 20000}, {29990, 100}, {30000, 10},
                              {90000, 5},   {100, 0},      {0, 3000000}};

void CheckReads(const RandomAccessFile& file, const std::string& bytes) {
  std::vector<std::string> buffers;
  std::vector<ReadRequest> requests;
  for (const Wanted& wanted : kWanted) {
    std::string& buffer = buffers.emplace_back(wanted.size + 1, '\0');
    requests.push_back({.offset = wanted.offset, .size = wanted.size});
    const auto read = ReadAnywhere(file, wanted.offset, wanted.size, buffer.data());
    CAPTURE(wanted.offset);
    REQUIRE(read.ok());
    const size_t begin = std::min<size_t>(wanted.offset, bytes.size());
    CHECK(*read == bytes.substr(begin, wanted.size));
  }
  for (size_t i = 0; i < requests.size(); ++i) requests[i].buffer = buffers[i].data();
  ReadManyAnywhere(file, requests);
  for (const ReadRequest& request : requests) {
    CAPTURE(request.offset);
    CHECK(request.status.ok());
    const size_t begin = std::min<size_t>(request.offset, bytes.size());
    CHECK(request.result == bytes.substr(begin, request.size));
  }
}

TEST_CASE("ReadAnywhere: any offset and size, through aligned reads alone") {
  const std::string bytes = Noise(30000);
  CheckReads(StrictFile(bytes), bytes);
}

TEST_CASE("ReadAnywhere: agrees on the real file system, direct or not") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  const std::string bytes = Noise(30000);
  for (const bool direct : {false, true}) {
    auto file = fs->Create(scratch / "a", direct);
    REQUIRE(file.ok());
    CHECK((*file)->Append(bytes).ok());
    CHECK((*file)->Close().ok());
    auto reader = fs->OpenForRead(scratch / "a", direct);
    REQUIRE(reader.ok());
    CheckReads(**reader, bytes);
  }
}

TEST_CASE("ReadAnywhere: an offset that no file can have is refused") {
  char buffer[8];
  const StrictFile file("abc");
  CHECK_EQ(ReadAnywhere(file, ~uint64_t{0} - 1, 8, buffer).status().code(), Code::kInvalidArgument);
  ReadRequest requests[] = {{.offset = ~uint64_t{0}, .size = 8, .buffer = buffer},
                            {.offset = 1, .size = 8, .buffer = buffer}};
  ReadManyAnywhere(file, requests);
  CHECK_EQ(requests[0].status.code(), Code::kInvalidArgument);
  CHECK_EQ(requests[1].result, "bc");
}

TEST_CASE("PosixFileSystem: hundreds of reads at once all arrive") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  const std::string bytes = Noise(1000000);
  auto file = fs->Create(scratch / "a", false);
  CHECK((*file)->Append(bytes).ok());
  auto reader = fs->OpenForRead(scratch / "a", false);
  REQUIRE(reader.ok());
  std::vector<std::string> buffers(300, std::string(5000, '\0'));
  std::vector<ReadRequest> requests;
  for (size_t i = 0; i < buffers.size(); ++i) {
    requests.push_back({.offset = i * 3391 % 998000, .size = 5000, .buffer = buffers[i].data()});
  }
  (*reader)->ReadMany(requests);
  for (const ReadRequest& request : requests) {
    CHECK(request.status.ok());
    CHECK(request.result == bytes.substr(request.offset, 5000));
  }
}

}  // namespace
}  // namespace varve
