// SPDX-License-Identifier: Apache-2.0
#include "webview/api/target_fs.h"

#include <doctest/doctest.h>

#include <array>

#include "core/fs/memory_fs.h"

namespace varve::api {
namespace {

struct Shown {
  Shown() : below(NewMemoryFileSystem()) {
    CHECK(below->CreateDirectory("secret").ok());
    CHECK(below->CreateDirectory("secret/db").ok());
    Write("secret/db/CURRENT", "inside");
    Write("secret/other", "outside");
    fs = NewTargetFs(*below, "secret/db", "db");
  }
  void Write(const std::string& path, const std::string& bytes) {
    auto file = below->Create(path, false);
    REQUIRE(file.ok());
    CHECK((*file)->Append(bytes).ok());
    CHECK((*file)->Close().ok());
  }
  std::unique_ptr<FileSystem> below, fs;
};

TEST_CASE("what is inside is read under the target's own name") {
  Shown shown;
  const auto file = shown.fs->OpenForRead("db/CURRENT", false);
  REQUIRE(file.ok());
  CHECK((*file)->path() == "db/CURRENT");
  std::array<char, 16> buffer;
  const auto bytes = (*file)->Read(0, buffer.size(), buffer.data());
  REQUIRE(bytes.ok());
  CHECK(*bytes == "inside");
  CHECK(shown.fs->Exists("db"));
  CHECK(*shown.fs->FileSize("db/CURRENT") == 6);
  CHECK(shown.fs->List("db")->size() == 1);
}

TEST_CASE("nothing beside the target can be named") {
  Shown shown;
  for (const std::string path :
       {"secret/other", "secret/db/CURRENT", "db/../other", "other", "/etc/passwd", "", "db2",
        "db/..", "dbx/CURRENT", "db/a/../../other"}) {
    CAPTURE(path);
    CHECK(!shown.fs->Exists(path));
    CHECK(shown.fs->OpenForRead(path, false).status().code() == Code::kNotFound);
    CHECK(shown.fs->FileSize(path).status().code() == Code::kNotFound);
    CHECK(shown.fs->List(path).status().code() == Code::kNotFound);
  }
}

TEST_CASE("messages do not show where the target lies") {
  Shown shown;
  const Status missing = shown.fs->OpenForRead("db/000007.sst", false).status();
  CHECK(missing.code() == Code::kNotFound);
  CHECK(missing.message().find("secret") == std::string_view::npos);
  CHECK(missing.message().find("db/000007.sst") != std::string_view::npos);
}

TEST_CASE("nothing can be written") {
  Shown shown;
  CHECK(!shown.fs->Create("db/new", false).ok());
  CHECK(!shown.fs->Remove("db/CURRENT").ok());
  CHECK(!shown.fs->Rename("db/CURRENT", "db/OLD").ok());
  CHECK(!shown.fs->Truncate("db/CURRENT", 0).ok());
  CHECK(!shown.fs->Lock("db/LOCK").ok());
  CHECK(*shown.below->FileSize("secret/db/CURRENT") == 6);
}

}  // namespace
}  // namespace varve::api
