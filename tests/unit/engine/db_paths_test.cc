// SPDX-License-Identifier: Apache-2.0
// A database whose tables are in several directories.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/fs/memory_fs.h"
#include "varve/db.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

struct Fixture {
  Fixture() {
    options.env.file_system = fs.get();
    options.create_if_missing = true;
    // Level 0 has room in the first path, and no other.
    options.db_paths = {{"fast", 1 << 20}, {"slow", 0}};
    options.family.max_bytes_for_level_base = 1 << 20;
    options.family.disable_auto_compactions = true;
  }

  Status TryOpen() {
    db.reset();
    auto opened = DB::Open(options, "db");
    if (opened.ok()) db = *std::move(opened);
    return opened.status();
  }
  void Open() {
    const Status opened = TryOpen();
    REQUIRE_MESSAGE(opened.ok(), opened.ToString());
  }
  void FlushOne(const std::string& key) {
    REQUIRE(db->Put({}, key, "value of " + key).ok());
    REQUIRE(db->Flush().ok());
  }
  void Compact() {
    const Status compacted = db->CompactRange({.force_bottommost = true}, {}, {});
    REQUIRE_MESSAGE(compacted.ok(), compacted.ToString());
  }
  size_t Tables(const std::string& directory) {
    const auto entries = fs->List(directory);
    if (!entries.ok()) return 0;
    return static_cast<size_t>(
        std::count_if(entries->begin(), entries->end(),
                      [](const DirectoryEntry& entry) { return entry.name.ends_with(".sst"); }));
  }
  std::string Get(const std::string& key) {
    const auto value = db->Get({}, key);
    if (!value.ok()) return value.status().ToString();
    return value->has_value() ? (*value)->ToString() : "nothing";
  }

  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  Options options;
  std::unique_ptr<DB> db;
};

TEST_CASE("db_paths: a flush goes to the first path, a compaction to that of its level") {
  Fixture t;
  t.Open();
  t.FlushOne("a");
  t.FlushOne("b");
  CHECK(t.Tables("fast") == 2);
  CHECK(t.Tables("slow") == 0);
  t.Compact();
  CHECK(t.Tables("fast") == 0);  // Obsolete tables are deleted where they are.
  CHECK(t.Tables("slow") == 1);
  CHECK(t.Tables("db") == 0);
  CHECK(t.Get("a") == "value of a");
  t.Open();
  CHECK(t.Get("b") == "value of b");
}

TEST_CASE("db_paths: a table is not moved to a level that has another path") {
  Fixture t;
  t.Open();
  t.FlushOne("a");
  REQUIRE(t.db->CompactRange({}, {}, {}).ok());
  CHECK(t.Tables("slow") == 1);
  CHECK(t.db->Stats().trivial_moves == 0);
}

TEST_CASE("db_paths: without them a database is refused until its tables are found") {
  Fixture t;
  t.Open();
  t.FlushOne("a");
  t.Compact();
  const std::vector<DbPath> paths = std::exchange(t.options.db_paths, {});
  const Status refused = t.TryOpen();
  CHECK(refused.code() == Code::kNotSupported);
  CHECK(refused.message().find("another of several db_paths") != std::string::npos);
  CHECK(t.Tables("slow") == 1);
  t.options.db_paths = paths;
  t.Open();
  CHECK(t.Get("a") == "value of a");
}

TEST_CASE("db_paths: what a crash left in them is removed") {
  Fixture t;
  t.Open();
  t.FlushOne("a");
  t.db.reset();
  REQUIRE(t.fs->Create("slow/000099.sst", false).ok());
  t.Open();
  CHECK(t.Tables("slow") == 0);
  CHECK(t.Tables("fast") == 1);
}

TEST_CASE("db_paths: the directory of another database is none") {
  Fixture t;
  t.Open();
  t.db.reset();
  t.options.db_paths = {};
  auto other = DB::Open(t.options, "slow");
  REQUIRE(other.ok());
  REQUIRE((*other)->Put({}, "k", "v").ok());
  REQUIRE((*other)->Flush().ok());
  other->reset();
  t.options.db_paths = {{"fast", 1 << 20}, {"slow", 0}};
  const Status refused = t.TryOpen();
  CHECK(refused.code() == Code::kInvalidArgument);
  CHECK(refused.message().starts_with("slow: is the directory of another database"));
  CHECK(t.Tables("slow") == 1);
}

TEST_CASE("db_paths: a checkpoint has all tables in its directory") {
  Fixture t;
  t.Open();
  t.FlushOne("a");
  t.Compact();
  t.FlushOne("b");
  REQUIRE(t.db->Checkpoint("copy").ok());
  CHECK(t.Tables("copy") == 2);
  t.db.reset();
  t.options.db_paths = {};
  auto copy = DB::Open(t.options, "copy");
  REQUIRE_MESSAGE(copy.ok(), copy.status().ToString());
  CHECK((*(*copy)->Get({}, "a"))->view() == "value of a");
  CHECK((*(*copy)->Get({}, "b"))->view() == "value of b");
  copy->reset();
}

TEST_CASE("db_paths: read-only openings, also beside a writer, and ingested tables") {
  Fixture t;
  t.Open();
  t.FlushOne("a");
  t.Compact();
  auto writer = SstFileWriter::Create(t.options.env, t.options.family, "new.sst");
  REQUIRE(writer.ok());
  REQUIRE(writer->Put("c", "3").ok());
  REQUIRE(writer->Finish().ok());
  REQUIRE(t.db->Ingest({}, {"new.sst"}).ok());
  CHECK(t.Tables("fast") == 1);
  auto reader = DB::OpenReadOnly(t.options, "db");
  REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
  CHECK((*(*reader)->Get({}, "a"))->view() == "value of a");
  CHECK((*(*reader)->Get({}, "c"))->view() == "3");
  reader->reset();
}

TEST_CASE("db_paths: the directory of the database is one under each of its names") {
  for (const char* name : {"db/", "./db", "slow/../db"}) {
    Fixture t;
    t.options.db_paths = {{name, 1 << 20}, {"./slow/", 0}, {"slow", 0}};
    for (int i = 0; i < 3; ++i) {
      t.Open();
      t.FlushOne("a");
    }
    CHECK(t.Tables("db") == 3);
    t.Compact();
    CHECK(t.Tables("db") == 0);
    CHECK(t.Tables("slow") == 1);
    t.Open();
    CHECK(t.Get("a") == "value of a");
  }
}

TEST_CASE("db_paths: of tables with one name, the one that the MANIFEST means is read") {
  for (const bool same_size : {false, true}) {
    Fixture t;
    t.Open();
    t.FlushOne("a");
    t.Compact();
    t.db.reset();
    const auto entries = t.fs->List("slow");
    REQUIRE_EQ(entries->size(), 1);
    const DirectoryEntry& table = entries->front();
    auto stale = t.fs->Create("fast/" + table.name, false);
    REQUIRE((*stale)->Append(std::string(same_size ? table.size : 7, 'x')).ok());
    REQUIRE((*stale)->Close().ok());
    {
      const auto reader = DB::OpenReadOnly(t.options, "db");
      REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
      CHECK((*(*reader)->Get({}, "a"))->view() == "value of a");
    }
    t.Open();
    CHECK(t.Get("a") == "value of a");
    t.FlushOne("b");
    t.Compact();  // With the table go all files of its name.
    CHECK_FALSE(t.fs->Exists("fast/" + table.name));
    CHECK_FALSE(t.fs->Exists("slow/" + table.name));
    t.Open();
    CHECK(t.Get("a") == "value of a");
  }
}

TEST_CASE("db_paths: a number that was used again without a path names the newer table") {
  Fixture t;
  const std::vector<DbPath> paths = std::exchange(t.options.db_paths, {});
  t.Open();
  t.FlushOne("a");
  t.db.reset();
  const auto entries = t.fs->List("db");
  const auto table = std::ranges::find_if(
      *entries, [](const DirectoryEntry& entry) { return entry.name.ends_with(".sst"); });
  REQUIRE(table != entries->end());
  REQUIRE(t.fs->CreateDirectory("slow").ok());
  auto orphan = t.fs->Create("slow/" + table->name, false);
  REQUIRE((*orphan)->Append("what a crash left").ok());
  REQUIRE((*orphan)->Close().ok());
  t.options.db_paths = paths;
  t.Open();
  CHECK(t.Get("a") == "value of a");
}

TEST_CASE("cf_paths: of one family") {
  Fixture t;
  t.options.db_paths = {};
  ColumnFamilyOptions own = t.options.family;
  own.cf_paths = {{"own", 0}};
  t.options.families["own"] = own;
  t.options.create_missing_column_families = true;
  t.Open();
  const auto id = t.db->FindFamily("own");
  REQUIRE(id.has_value());
  REQUIRE(t.db->Put({}, "k", "v", *id).ok());
  REQUIRE(t.db->Flush({}, *id).ok());
  t.FlushOne("a");
  CHECK(t.Tables("own") == 1);
  CHECK(t.Tables("db") == 1);
  own.cf_paths = {{"elsewhere", 0}};
  const auto unknown = t.db->CreateColumnFamily("late", own);
  CHECK(unknown.status().code() == Code::kNotSupported);
  t.Open();
  CHECK((*t.db->Get({}, "k", *t.db->FindFamily("own")))->view() == "v");
}

TEST_CASE("db_paths: what is refused") {
  Fixture t;
  t.options.db_paths.assign(5, {"fast", 1});
  CHECK(t.TryOpen().code() == Code::kNotSupported);
  t.options.db_paths = {{"", 1}};
  CHECK(t.TryOpen().code() == Code::kInvalidArgument);
  t.options.db_paths = {{"fast", 1}, {"slow", 1}};
  t.options.family.compaction_style = CompactionStyle::kFifo;
  CHECK(t.TryOpen().code() == Code::kInvalidArgument);
  CHECK_FALSE(t.fs->Exists("db"));
}

}  // namespace
}  // namespace varve
