// SPDX-License-Identifier: Apache-2.0
#include "core/version/table_paths_fs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/fs/memory_fs.h"

namespace varve {
namespace {

struct Places {
  Places() {
    for (const char* directory : {"db", "fast", "slow"})
      REQUIRE(base->CreateDirectory(directory).ok());
  }
  void Write(const std::string& path, std::string_view bytes) {
    auto file = base->Create(path, false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(bytes).ok());
    REQUIRE((*file)->Close().ok());
  }
  std::string Read(const std::string& path) {
    const Result<std::string> bytes = ReadFileToString(*fs, path, 1 << 20);
    return bytes.ok() ? *bytes : bytes.status().ToString();
  }
  std::vector<std::string> Names(const std::string& directory) {
    std::vector<std::string> names;
    const auto entries = fs->List(directory);
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    return names;
  }

  std::unique_ptr<FileSystem> base = NewMemoryFileSystem();
  std::unique_ptr<FileSystem> fs = NewTablePathsFileSystem(*base, "db/", {"fast", "slow/", "db"});
};

using Names = std::vector<std::string>;

TEST_CASE(
    "TablePathsFileSystem: tables and blob files are where they are, and seen in the directory") {
  Places places;
  places.Write("db/000007.sst", "seven");
  places.Write("fast/000008.sst", "eight");
  places.Write("slow/000009.blob", "nine");
  places.Write("slow/000010.ldb", "ten");
  places.Write("slow/CURRENT", "no file of this database");
  places.Write("slow/000011.log", "nor this");
  CHECK(places.Names("db") == Names{"000007.sst", "000008.sst", "000009.blob", "000010.ldb"});
  CHECK(places.Names("slow").size() == 4);
  CHECK(places.Read("db/000007.sst") == "seven");
  CHECK(places.Read("db/000008.sst") == "eight");
  CHECK(places.Read("db//000009.blob") == "nine");
  CHECK_FALSE(places.fs->Exists("db/CURRENT"));
  CHECK_FALSE(places.fs->Exists("db/000011.log"));
  CHECK_FALSE(places.fs->Exists("other/000008.sst"));
  CHECK(*places.fs->FileSize("db/000010.ldb") == 3);
  const auto missing = places.fs->OpenForRead("db/000012.sst", false);
  CHECK(missing.status().code() == Code::kNotFound);
  CHECK(missing.status().message().starts_with("db/000012.sst"));
}

TEST_CASE("TablePathsFileSystem: what is removed, renamed or linked is the file itself") {
  Places places;
  places.Write("fast/000008.sst", "eight");
  places.Write("slow/000008.sst", "left by a crash");
  CHECK(places.fs->Link("db/000008.sst", "copy").ok());
  CHECK(places.Read("copy") == "eight");
  CHECK(places.Names("db") == Names{"000008.sst"});
  CHECK(places.fs->Remove("db/000008.sst").ok());
  CHECK(places.Names("fast").empty());
  CHECK(places.Names("slow").empty());
  CHECK(places.fs->Remove("db/000008.sst").code() == Code::kNotFound);
  places.Write("slow/000009.sst", "nine");
  CHECK(places.fs->Rename("db/000009.sst", "db/lost.sst").ok());
  CHECK(places.Read("db/lost.sst") == "nine");
}

TEST_CASE("TablePathsFileSystem: a path that is not there has no tables") {
  Places places;
  const auto fs = NewTablePathsFileSystem(*places.base, "db", {"nowhere"});
  CHECK(fs->List("db").ok());
  CHECK(fs->SyncDirectory("db").ok());
  CHECK(fs->OpenForRead("db/000001.sst", false).status().code() == Code::kNotFound);
}

}  // namespace
}  // namespace varve
