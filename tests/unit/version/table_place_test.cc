// SPDX-License-Identifier: Apache-2.0
#include "core/version/table_place.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "varve/environment.h"

namespace varve {
namespace {

namespace paths = std::filesystem;
using Kind = TablePlace::Kind;

class Directory {
 public:
  Directory() {
    std::string name = (paths::temp_directory_path() / "varve-places-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Directory() { paths::remove_all(path_); }

  std::string In(const std::string& name) const { return path_ + "/" + name; }
  void Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(In(name)) << bytes;
  }
  TablePlace Of(FileNumber number, uint64_t size) const {
    FileSystem& fs = *NativeEnvironment().file_system;
    const auto entries = fs.List(path_);
    REQUIRE(entries.ok());
    FileDescription table;
    table.number = number;
    table.size = size;
    return TablePlaces(fs, path_, *entries).Of(table);
  }

 private:
  std::string path_;
};

TEST_CASE("TablePlaces: files, by their size") {
  const Directory directory;
  directory.Write("000005.sst", "12345");
  directory.Write("000006.ldb", "12345");
  directory.Write("000007.sst", "12345");
  directory.Write("000007.ldb", "1");
  CHECK(directory.Of(5, 5).kind == Kind::kThere);
  CHECK_EQ(directory.Of(6, 5).name, "000006.ldb");
  CHECK_EQ(directory.Of(7, 5).name, "000007.sst");
  const TablePlace other = directory.Of(5, 6);
  CHECK(other.kind == Kind::kOtherSize);
  CHECK_EQ(other.status.message(),
           directory.In("000005.sst") + ": has 5 bytes, the MANIFEST says 6");
}

TEST_CASE("TablePlaces: nothing, whether a link leads there or not") {
  const Directory directory;
  paths::create_symlink("nowhere", directory.In("000006.sst"));
  for (const FileNumber number : {5, 6}) {
    const TablePlace place = directory.Of(number, 100);
    CHECK(place.kind == Kind::kAbsent);
    CHECK_EQ(place.status.message(),
             directory.In(place.name) + ": the MANIFEST names it, but it is missing");
  }
}

TEST_CASE("TablePlaces: what is no file is no damage") {
  const Directory directory;
  paths::create_directory(directory.In("000005.sst"));
  paths::create_symlink("000006.sst", directory.In("000006.sst"));
  REQUIRE_EQ(mkfifo(directory.In("000007.sst").c_str(), 0600), 0);
  for (const FileNumber number : {5, 6, 7}) {
    const TablePlace place = directory.Of(number, 5);
    CHECK(place.kind == Kind::kUnreadable);
    CHECK(place.status.code() == Code::kIoError);
  }
}

TEST_CASE("TablePlaces: a link to a table is one") {
  const Directory directory;
  directory.Write("elsewhere", "12345");
  paths::create_symlink("elsewhere", directory.In("000005.sst"));
  CHECK(directory.Of(5, 5).kind == Kind::kThere);
}

}  // namespace
}  // namespace varve
