// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/target.h"

#include <doctest/doctest.h>

#include "core/fs/memory_fs.h"
#include "tests/unit/inspect/golden_tables.h"
#include "varve/environment.h"

namespace varve {
namespace {

FileSystem& Files() { return *NativeEnvironment().file_system; }

// The kind of a copy of `path` whose name says nothing.
TargetKind KindOfCopy(const std::string& path) {
  const Result<std::string> bytes = ReadFileToString(Files(), path, 16 << 20);
  REQUIRE(bytes.ok());
  const auto memory_owner = NewMemoryFileSystem();
  FileSystem& memory = *memory_owner;
  auto file = memory.Create("x", /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(*bytes).ok());
  const Result<TargetKind> kind = IdentifyTarget(memory, "x");
  REQUIRE_MESSAGE(kind.ok(), kind.status().ToString());
  return *kind;
}

TEST_CASE("IdentifyTarget: a table is known by its content, decodable or not") {
  for (const GoldenTable& table : GoldenTables()) {
    CAPTURE(table.name);
    CHECK(KindOfCopy(table.path) == TargetKind::kTable);
  }
}

TEST_CASE("IdentifyTarget: MANIFESTs and WALs are told apart") {
  const std::string folder = std::string(VARVE_FIXTURES) + "/db/";
  const auto entries = Files().List(folder + "rocksdb-7.8.3");
  REQUIRE(entries.ok());
  int manifests = 0, wals = 0;
  for (const DirectoryEntry& database : *entries) {
    const std::string path = folder + "rocksdb-7.8.3/" + database.name;
    CHECK(*IdentifyTarget(Files(), path) == TargetKind::kDatabase);
    const auto files = Files().List(path);
    REQUIRE(files.ok());
    for (const DirectoryEntry& file : *files) {
      CAPTURE(database.name);
      CAPTURE(file.name);
      if (file.name.starts_with("MANIFEST-")) {
        CHECK(KindOfCopy(path + "/" + file.name) == TargetKind::kManifest);
        ++manifests;
      } else if (file.name.ends_with(".log") && file.size > 0) {
        CHECK(KindOfCopy(path + "/" + file.name) == TargetKind::kWal);
        ++wals;
      }
    }
  }
  CHECK(manifests >= 19);
  CHECK(wals >= 15);
}

TEST_CASE("IdentifyTarget: a missing path is NotFound, an unrecognised file is unknown") {
  const auto memory_owner = NewMemoryFileSystem();
  FileSystem& memory = *memory_owner;
  CHECK(IdentifyTarget(memory, "nothing").status().code() == Code::kNotFound);
  auto file = memory.Create("text", /*direct=*/false);
  REQUIRE((*file)->Append("just some text, nothing more").ok());
  CHECK(*IdentifyTarget(memory, "text") == TargetKind::kUnknown);
  REQUIRE(memory.CreateDirectory("empty").ok());
  CHECK(*IdentifyTarget(memory, "empty") == TargetKind::kDirectory);
}

TEST_CASE("RequireDatabase: a directory without a database is not found, a file is no database") {
  const auto memory = NewMemoryFileSystem();
  REQUIRE(memory->CreateDirectory("empty").ok());
  REQUIRE((*memory->Create("text", /*direct=*/false))->Append("just some text").ok());
  const auto require_lsm = [](FileSystem& fs, const std::string& path) {
    return RequireKind(fs, path, "nothing", {TargetKind::kDatabase, TargetKind::kManifest})
        .status();
  };
  for (Status (*require)(FileSystem&, const std::string&) : {&RequireDatabase, +require_lsm}) {
    CHECK(require(*memory, "empty").message() == "empty: there is no database (no CURRENT)");
    CHECK(require(*memory, "empty").code() == Code::kNotFound);
    CHECK(require(*memory, "text").code() == Code::kInvalidArgument);
  }
  CHECK(RequireTable(*memory, "empty").status().message() ==
        "empty is not a table but a directory; name a table in it (*.sst, *.ldb)");
  CHECK(RequireTable(*memory, "text").ok());
}

}  // namespace
}  // namespace varve
