// SPDX-License-Identifier: Apache-2.0
#include "core/fs/url_router.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "core/fs/memory_fs.h"

namespace varve {
namespace {

// A file system with one file.
std::unique_ptr<FileSystem> With(const std::string& path, std::string_view bytes) {
  auto files = NewMemoryFileSystem();
  for (size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    CHECK(files->CreateDirectory(path.substr(0, slash)).ok());
  }
  auto file = files->Create(path, false);
  REQUIRE_MESSAGE(file.ok(), file.status().ToString());
  CHECK((*file)->Append(bytes).ok());
  CHECK((*file)->Close().ok());
  return files;
}

std::string Read(FileSystem& files, const std::string& path) {
  const auto bytes = ReadFileToString(files, path, 100);
  return bytes.ok() ? *bytes : bytes.status().ToString();
}

TEST_CASE("URLs go where they are mounted, paths to the system, and nothing else anywhere") {
  UrlRouter router(With("a", "local"));
  CHECK(Read(router, "a") == "local");
  CHECK(Read(router, "http://h/db/x").find("named to this program") != std::string::npos);
  router.Mount("http://h/db", With("http://h/db/x", "remote"));
  CHECK(Read(router, "http://h/db/x") == "remote");
  CHECK(router.Exists("http://h/db/x"));
  router.Mount("http://h/db", With("http://h/db/x", "newer"));
  CHECK(Read(router, "http://h/db/x") == "newer");
  for (const char* path :
       {"http://h/other", "http://h/db/../x", "http://h/dbx", "https://h/db/x", "s3://h/db/x"}) {
    CHECK_MESSAGE(router.OpenForRead(path, false).status().code() == Code::kInvalidArgument, path);
    CHECK_FALSE(router.Exists(path));
    CHECK_FALSE(router.List(path).ok());
    CHECK_FALSE(router.FileSize(path).ok());
    CHECK_FALSE(router.Create(path, false).ok());
    CHECK_FALSE(router.CreateDirectory(path).ok());
    CHECK_FALSE(router.Remove(path).ok());
    CHECK_FALSE(router.RemoveDirectory(path).ok());
    CHECK_FALSE(router.Rename("a", path).ok());
    CHECK_FALSE(router.Rename(path, "a").ok());
    CHECK_FALSE(router.Link("a", path).ok());
    CHECK_FALSE(router.Truncate(path, 0).ok());
    CHECK_FALSE(router.SyncFile(path).ok());
    CHECK_FALSE(router.SyncDirectory(path).ok());
    CHECK_FALSE(router.Lock(path).ok());
    CHECK_FALSE(router.IsLocked(path));
  }
  CHECK(router.Link("http://h/db/x", "b").code() == Code::kNotSupported);
  CHECK(Read(router, "a") == "local");
}

}  // namespace
}  // namespace varve
