// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "core/fs/memory_fs.h"
#include "tests/drain_body.h"
#include "varve/environment.h"
#include "webview/api/routing/router.h"

namespace varve::api {
namespace {

struct Offered {
  Offered() : fs(NewMemoryFileSystem()) { CHECK(fs->CreateDirectory("plugins").ok()); }

  void Write(const std::string& name, const std::string& bytes) {
    auto file = fs->Create("plugins/" + name, false);
    REQUIRE(file.ok());
    CHECK((*file)->Append(bytes).ok());
    CHECK((*file)->Close().ok());
  }
  Json Document(const std::string& folder, int status = 200) {
    Service service({.file_system = fs.get(),
                     .clock = NativeEnvironment().clock,
                     .records = nullptr,
                     .write = false,
                     .plugins = folder});
    Response response = Handle(service, {.target = "/api/v1/plugins"});
    CHECK_EQ(response.status, status);
    return Json::parse(DrainBody(&response), nullptr, /*allow_exceptions=*/false);
  }

  std::unique_ptr<FileSystem> fs;
};

TEST_CASE("without a folder there are no plugins, and of one that is gone the request says so") {
  Offered offered;
  CHECK(offered.Document("")["plugins"].empty());
  CHECK(offered.Document("plugins")["plugins"].empty());
  CHECK_EQ(offered.Document("nowhere", 500)["code"], "io_error");
}

TEST_CASE("plugins are the files of the folder, by name, as they are now") {
  Offered offered;
  offered.Write("b.js", "export default {}");
  offered.Write("a.js", "\xc3\xa4");
  offered.Write("notes.txt", "none");
  CHECK(offered.fs->CreateDirectory("plugins/folder.js").ok());
  Json plugins = offered.Document("plugins")["plugins"];
  REQUIRE_EQ(plugins.size(), 2);
  CHECK_EQ(plugins[0], Json({{"file", "a.js"}, {"text", "\xc3\xa4"}}));
  CHECK_EQ(plugins[1], Json({{"file", "b.js"}, {"text", "export default {}"}}));
}

TEST_CASE("what is no plugin is named with the reason, and hides no other") {
  Offered offered;
  offered.Write("bytes.js", "\xff\xfe");
  offered.Write("large.js", std::string((1 << 20) + 1, ' '));
  offered.Write("largest.js", std::string(1 << 20, ' '));
  for (int i = 0; i < 70; ++i) offered.Write("z" + std::to_string(10 + i) + ".js", "1");
  const Json plugins = offered.Document("plugins")["plugins"];
  REQUIRE_EQ(plugins.size(), 65);
  CHECK_EQ(plugins[0]["problem"], "is not UTF-8");
  CHECK_EQ(plugins[1]["problem"], "is larger than 1 MiB");
  CHECK_EQ(plugins[2]["text"].get<std::string>().size(), 1 << 20);
  CHECK_EQ(plugins[63]["text"], "1");
  CHECK_FALSE(plugins[64].contains("text"));
  CHECK_EQ(plugins[64]["problem"], "there are more: 64 files are read, and 8 MiB");
}

TEST_CASE("plugins that are large together are not all read, and the answer says so") {
  Offered offered;
  for (int i = 0; i < 20; ++i) {
    offered.Write(std::to_string(10 + i) + ".js", std::string(1 << 20, '1'));
  }
  const Json plugins = offered.Document("plugins")["plugins"];
  REQUIRE_EQ(plugins.size(), 10);
  CHECK_EQ(plugins[8]["file"], "18.js");
  CHECK(plugins[9].contains("problem"));
}

}  // namespace
}  // namespace varve::api
