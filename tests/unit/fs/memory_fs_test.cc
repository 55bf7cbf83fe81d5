// SPDX-License-Identifier: Apache-2.0
// What every FileSystem promises, this one included, is in file_system_contract_test.cc.
#include "core/fs/memory_fs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace varve {
namespace {

std::unique_ptr<WritableFile> Create(FileSystem& fs, const std::string& path,
                                     std::string_view bytes) {
  auto file = fs.Create(path, false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(bytes).ok());
  return *std::move(file);
}

TEST_CASE("MemoryFileSystem: the root exists from the start, under each of its names") {
  const auto fs = NewMemoryFileSystem();
  for (const char* root : {"", ".", "/"}) {
    CHECK(fs->Exists(root));
    CHECK(fs->List(root)->empty());
    CHECK(fs->SyncDirectory(root).ok());
    CHECK(fs->CreateDirectory(root).ok());
  }
}

TEST_CASE("MemoryFileSystem: each is a world of its own, without temporary files") {
  const auto one = NewMemoryFileSystem(), other = NewMemoryFileSystem();
  Create(*one, "f", "bytes");
  CHECK_FALSE(other->Exists("f"));
  CHECK_EQ(one->CreateScratch().status().code(), Code::kNotSupported);
}

TEST_CASE("MemoryFileSystem: open files keep their contents when another takes the name") {
  const auto fs = NewMemoryFileSystem();
  Create(*fs, "f", "old");
  const auto writer = Create(*fs, "g", "new");
  const auto reader = *fs->OpenForRead("f", false);
  REQUIRE(fs->Rename("g", "f").ok());
  char buffer[16];
  CHECK_EQ(*reader->Read(0, 16, buffer), "old");
  CHECK(writer->Append("er").ok());  // Under the new name.
  CHECK_EQ(*ReadFileToString(*fs, "f", 16), "newer");
  CHECK_EQ(*reader->Size(), 3u);
}

TEST_CASE("MemoryFileSystem: names of one file are one file") {
  const auto fs = NewMemoryFileSystem();
  const auto writer = Create(*fs, "f", "shared");
  REQUIRE(fs->Link("f", "g").ok());
  CHECK(writer->Append("!").ok());
  CHECK_EQ(*ReadFileToString(*fs, "g", 16), "shared!");
  CHECK(fs->Truncate("g", 2).ok());
  CHECK_EQ(*fs->FileSize("f"), 2u);
}

TEST_CASE(
    "MemoryFileSystem: a reader beside the writer sees whole appends, never less than before") {
  const auto fs = NewMemoryFileSystem();
  const auto writer = Create(*fs, "f", "");
  const auto reader = *fs->OpenForRead("f", false);
  std::atomic<bool> wrong{false};
  std::thread reading([&] {
    std::string buffer(64, '\0');
    for (uint64_t seen = 0; seen < 8 * 3000;) {
      const uint64_t size = *reader->Size();
      if (size < seen || size % 8 != 0) wrong = true;
      seen = size;
      const std::string_view last =
          *reader->Read(seen - std::min<uint64_t>(seen, 64), 64, buffer.data());
      if (last.size() < std::min<uint64_t>(seen, 64)) wrong = true;
    }
  });
  for (int i = 0; i < 3000; ++i) REQUIRE(writer->Append("12345678").ok());
  reading.join();
  CHECK_FALSE(wrong);
}

}  // namespace
}  // namespace varve
