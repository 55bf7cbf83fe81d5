// SPDX-License-Identifier: Apache-2.0
#include "core/fs/durable.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/fs/memory_fs.h"
#include "core/fs/posix_fs.h"
#include "tests/scratch_directory.h"

namespace varve {
namespace {

TEST_CASE("ReplaceFileDurably: the new contents replace the old and nothing else is left") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  for (const char* contents : {"MANIFEST-000001\n", "MANIFEST-000005\n"}) {
    CHECK(ReplaceFileDurably(*fs, scratch / "000005.dbtmp", scratch / "CURRENT", contents).ok());
    CHECK_EQ(*ReadFileToString(*fs, scratch / "CURRENT", 100), contents);
  }
  CHECK_FALSE(fs->Exists(scratch / "000005.dbtmp"));
}

TEST_CASE("ReplaceFileDurably: a failure leaves the old file") {
  const auto fs = NewMemoryFileSystem();
  CHECK(ReplaceFileDurably(*fs, "tmp", "CURRENT", "old").ok());
  CHECK_EQ(ReplaceFileDurably(*fs, "gone/tmp", "CURRENT", "new").code(), Code::kNotFound);
  CHECK_EQ(*ReadFileToString(*fs, "CURRENT", 100), "old");
}

TEST_CASE("PublishDirectory: the directory moves to its name with all that is in it") {
  const ScratchDirectory scratch;
  const auto posix = NewPosixFileSystem();
  const auto memory = NewMemoryFileSystem();
  REQUIRE(memory->CreateDirectory("db").ok());
  for (FileSystem* fs : {posix.get(), memory.get()}) {
    const std::string parent = fs == posix.get() ? scratch.path() : "db";
    const std::string temporary = parent + "/copy.tmp", path = parent + "/copy";
    REQUIRE(fs->CreateDirectory(temporary).ok());
    REQUIRE(ReplaceFileDurably(*fs, temporary + "/t", temporary + "/CURRENT", "here").ok());
    CHECK(PublishDirectory(*fs, temporary, path).ok());
    CHECK_FALSE(fs->Exists(temporary));
    CHECK_EQ(*ReadFileToString(*fs, path + "/CURRENT", 100), "here");
  }
}

TEST_CASE("RemoveObsoleteFile: an absent file is as good as a removed one") {
  const auto fs = NewMemoryFileSystem();
  CHECK(ReplaceFileDurably(*fs, "tmp", "a", "").ok());
  RemoveObsoleteFile(*fs, "a");
  RemoveObsoleteFile(*fs, "a");
  CHECK_FALSE(fs->Exists("a"));
}

TEST_CASE("RemoveFolders: removes links to folders, and leaves what is behind them") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  for (const char* folder : {"outside", "jobs", "jobs/one"}) {
    REQUIRE(fs->CreateDirectory(scratch / folder).ok());
  }
  for (const char* file : {"outside/kept", "jobs/one/000001.sst"}) {
    REQUIRE(ReplaceFileDurably(*fs, scratch / "tmp", scratch / file, "here").ok());
  }
  for (const char* link : {"jobs/link", "jobs/one/link", "other"}) {
    std::filesystem::create_directory_symlink(scratch / "outside", scratch / link);
  }
  RemoveFolders(*fs, scratch / "jobs");
  RemoveFolders(*fs, scratch / "other");
  CHECK_FALSE(fs->Exists(scratch / "jobs"));
  CHECK_FALSE(fs->Exists(scratch / "other"));
  CHECK(fs->Exists(scratch / "outside/kept"));
}

TEST_CASE("RemoveFolders: all that is in it goes, in memory, too") {
  const auto fs = NewMemoryFileSystem();
  for (const char* folder : {"jobs", "jobs/one"}) REQUIRE(fs->CreateDirectory(folder).ok());
  REQUIRE(ReplaceFileDurably(*fs, "tmp", "jobs/one/000001.sst", "").ok());
  RemoveFolders(*fs, "jobs");
  CHECK_FALSE(fs->Exists("jobs/one/000001.sst"));
  CHECK_FALSE(fs->Exists("jobs"));
}

}  // namespace
}  // namespace varve
