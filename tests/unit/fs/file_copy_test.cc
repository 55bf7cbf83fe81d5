// SPDX-License-Identifier: Apache-2.0
#include "core/fs/file_copy.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <string>

#include "core/fs/memory_fs.h"
#include "core/fs/overlay_fs.h"
#include "core/fs/posix_fs.h"
#include "tests/failing_fs.h"
#include "tests/scratch_directory.h"
#include "tests/test_bytes.h"
#include "tests/test_files.h"

namespace varve {
namespace {

constexpr uint64_t kChunk = 1 << 20;  // What is read at once.

std::string Read(FileSystem& fs, const std::string& path) {
  const Result<std::string> contents = ReadFileToString(fs, path, 1 << 30);
  return contents.ok() ? *contents : contents.status().ToString();
}

TEST_CASE("CopyFile: files of every size arrive whole") {
  const auto fs = NewMemoryFileSystem();
  for (const uint64_t size :
       {uint64_t{0}, uint64_t{1}, kChunk - 1, kChunk, kChunk + 1, 3 * kChunk}) {
    const std::string bytes = Noise(size);
    WriteFile(*fs, "from", bytes);
    CHECK(CopyFile(*fs, "from", "to", size).ok());
    CHECK(Read(*fs, "to") == bytes);
    CHECK(Read(*fs, "from") == bytes);
  }
}

// A log that is being written is copied as long as it was at one moment.
TEST_CASE("CopyFile: of a longer file the beginning, of a shorter one an error that says where") {
  const auto fs = NewMemoryFileSystem();
  WriteFile(*fs, "from", Noise(kChunk + 100));
  CHECK(CopyFile(*fs, "from", "to", kChunk + 50).ok());
  CHECK(Read(*fs, "to") == Noise(kChunk + 100).substr(0, kChunk + 50));
  CHECK(CopyFile(*fs, "from", "to", 0).ok());
  CHECK_EQ(Read(*fs, "to"), "");
  CHECK_EQ(CopyFile(*fs, "from", "to", kChunk + 101).ToString(),
           "corruption: from@1048576: the file ends before 1048677 bytes");
  CHECK_EQ(CopyFile(*fs, "absent", "to", 1).code(), Code::kNotFound);
}

TEST_CASE("CopyFile: the bytes are synced before it returns, and no failure is passed over") {
  FailingFs fs(NewMemoryFileSystem());
  WriteFile(fs, "from", Noise(2 * kChunk));
  fs.TakeChanges();
  REQUIRE(CopyFile(fs, "from", "to", 2 * kChunk).ok());
  CHECK_EQ(fs.TakeChanges(), "create to\nappend to\nsync to\n");
  for (int changes = 0; changes < 4; ++changes) {  // Create, two appends, sync.
    fs.FailFrom(changes);
    CHECK_EQ(CopyFile(fs, "from", "to", 2 * kChunk).ToString(), "io_error: to: injected");
  }
  fs.FailFrom(4);
  CHECK(CopyFile(fs, "from", "to", 2 * kChunk).ok());
}

TEST_CASE("LinkOrCopyFile: where there are hard links the copy is one") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  WriteFile(*fs, scratch / "from", "bytes");
  CHECK(LinkOrCopyFile(*fs, scratch / "from", scratch / "to", 5).ok());
  struct stat from = {}, to = {};
  REQUIRE(::stat((scratch / "from").c_str(), &from) == 0);
  REQUIRE(::stat((scratch / "to").c_str(), &to) == 0);
  CHECK_EQ(from.st_ino, to.st_ino);
}

TEST_CASE("LinkOrCopyFile: what exists is left alone, even if it is the file itself") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  WriteFile(*fs, scratch / "from", "bytes");
  WriteFile(*fs, scratch / "to", "others");
  CHECK_FALSE(LinkOrCopyFile(*fs, scratch / "from", scratch / "to", 5).ok());
  CHECK_EQ(Read(*fs, scratch / "to"), "others");
  CHECK_FALSE(LinkOrCopyFile(*fs, scratch / "from", scratch / "from", 5).ok());
  CHECK_EQ(Read(*fs, scratch / "from"), "bytes");
}

TEST_CASE("LinkOrCopyFile: where linking fails it copies; an absent file is that error") {
  const ScratchDirectory scratch;
  const auto posix = NewPosixFileSystem();
  WriteFile(*posix, scratch / "from", "bytes");
  const auto fs = NewOverlayFileSystem(*posix);  // Refuses links, takes new files.
  REQUIRE_FALSE(fs->Link(scratch / "from", scratch / "to").ok());
  CHECK(LinkOrCopyFile(*fs, scratch / "from", scratch / "to", 3).ok());
  CHECK_EQ(Read(*fs, scratch / "to"), "byt");
  CHECK_EQ(LinkOrCopyFile(*fs, scratch / "absent", scratch / "new", 3).code(), Code::kNotFound);
}

}  // namespace
}  // namespace varve
