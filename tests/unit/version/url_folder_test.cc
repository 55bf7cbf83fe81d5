// SPDX-License-Identifier: Apache-2.0
#include "core/version/url_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/unit/version/manifest_fixture.h"

namespace varve {
namespace {

// "db", as a server that cannot list it has it.
struct Folder {
  Folder(uint64_t oldest_log, FileNumber next) {
    ManifestImage image;
    image.Append(Counters(oldest_log, next, 1));
    REQUIRE(files->CreateDirectory("db").ok());
    WriteFile(*files, "db/CURRENT", "MANIFEST-000009\n");
    WriteFile(*files, "db/MANIFEST-000009", image.bytes());
  }
  void Add(const std::string& name) { WriteFile(*files, "db/" + name, name); }

  Result<std::vector<DirectoryEntry>> List() {
    return ListUrlFolder(*files, "db", [this](std::span<const std::string> paths) {
      std::vector<Result<uint64_t>> sizes;
      for (const std::string& path : paths) sizes.push_back(files->FileSize(path));
      asked += paths.size();
      return sizes;
    });
  }
  std::string Names() {
    const auto entries = List();
    if (!entries.ok()) return entries.status().ToString();
    std::string names;
    for (const DirectoryEntry& entry : *entries) names += entry.name + " ";
    return names;
  }

  std::unique_ptr<FileSystem> files = NewMemoryFileSystem();
  size_t asked = 0;
};

TEST_CASE("logs that may be needed are found, also above the numbers that the MANIFEST gave") {
  Folder folder(12, 20);
  for (const char* name : {"000011.log", "000012.log", "000019.log", "000035.log", "IDENTITY",
                           "OPTIONS-000010", "OPTIONS-000014", "LOG"}) {
    folder.Add(name);
  }
  CHECK(folder.Names() ==
        "MANIFEST-000009 IDENTITY LOG 000012.log 000019.log 000035.log CURRENT OPTIONS-000010 "
        "OPTIONS-000014 ");
  CHECK(folder.asked <= 80);
}

TEST_CASE("too many numbers are refused: a log that is overlooked would be a wrong answer") {
  Folder folder(12, 5'000);
  CHECK(folder.List().status().code() == Code::kNotSupported);
  CHECK(folder.asked == 0);
}

TEST_CASE("without CURRENT there is nothing to list") {
  Folder folder(12, 20);
  REQUIRE(folder.files->Remove("db/CURRENT").ok());
  CHECK(folder.List().status().code() == Code::kNotFound);
}

}  // namespace
}  // namespace varve
