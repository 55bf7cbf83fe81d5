// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/ingest.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "tests/scratch_directory.h"
#include "tests/unit/engine/inline_db.h"
#include "varve/db.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

using Records = std::map<std::string, std::string>;

// A database in memory, and tables to take over.
class Fixture : public InlineDb {
 public:
  Fixture() {
    REQUIRE(fs.CreateDirectory("in").ok());
    Open();
  }
  // "in/<name>", made by `fill`.
  template <typename Fill>
  std::string Table(const std::string& name, Fill fill) {
    const std::string path = "in/" + name;
    auto writer = SstFileWriter::Create(options.env, options.family, path);
    REQUIRE(writer.ok());
    fill(*writer);
    REQUIRE(writer->Finish().ok());
    return path;
  }
  std::string TableOf(const std::string& name, const Records& records) {
    return Table(name, [&](SstFileWriter& writer) {
      for (const auto& [key, value] : records) REQUIRE(writer.Put(key, value).ok());
    });
  }
  Records Scan(const Snapshot* snapshot = nullptr, ColumnFamilyId family = 0) {
    Records records;
    auto it = db->NewIterator({.snapshot = snapshot}, family);
    REQUIRE(it.ok());
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      records.emplace(it->key(), it->value());
      // Gets go another way than scans and must agree.
      const auto value = db->Get({.snapshot = snapshot}, it->key(), family);
      REQUIRE(value.ok());
      REQUIRE(value->has_value());
      CHECK((**value).view() == it->value());
    }
    CHECK_MESSAGE(it->status().ok(), it->status().ToString());
    return records;
  }
  // The lowest level that has a file.
  int DeepestLevel() {
    int level = -1;
    for (const LevelInfo& info : db->Levels()) {
      if (info.files > 0) level = info.level;
    }
    return level;
  }
};

TEST_CASE("Ingest: a table of another comparator whose keys ascend, too") {
  // BytewiseComparator() under another name.
  class Renamed final : public Comparator {
   public:
    std::string_view name() const override { return "renamed"; }
    int Compare(std::string_view a, std::string_view b) const override {
      return BytewiseComparator()->Compare(a, b);
    }
  };
  const Renamed renamed;
  Fixture t;
  ColumnFamilyOptions other = t.options.family;
  other.comparator = &renamed;
  auto writer = SstFileWriter::Create(t.options.env, other, "in/renamed");
  REQUIRE(writer.ok());
  for (int i = 0; i < 2000; ++i) {
    REQUIRE(writer->Put("m" + std::to_string(10'000 + i), std::string(50, 'v')).ok());
  }
  REQUIRE(writer->Delete("n").ok());
  REQUIRE(writer->DeleteRange("o", "p").ok());
  REQUIRE(writer->Finish().ok());
  CHECK_FALSE(t.db->Ingest({}, {"in/renamed"}).ok());
  const Status taken = t.db->Ingest({.move_files = true, .any_comparator = true}, {"in/renamed"});
  REQUIRE_MESSAGE(taken.ok(), taken.ToString());
  CHECK_FALSE(t.fs.Exists("in/renamed"));
  t.Open();
  CHECK((*t.db->Get({}, "m11999"))->view() == std::string(50, 'v'));
}

TEST_CASE("Ingest: an empty database takes tables on its last level, and keeps them") {
  Fixture t;
  const Records records = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
  REQUIRE(t.db->Ingest({}, {t.TableOf("one", records)}).ok());
  CHECK(t.Scan() == records);
  CHECK(t.DeepestLevel() == 6);
  CHECK(t.fs.Exists("in/one"));  // Copied, not moved.
  t.Open();
  CHECK(t.Scan() == records);
}

TEST_CASE("Ingest: ingested entries are newer than all existing ones, on every level") {
  Fixture t;
  Records expected;
  for (int i = 0; i < 100; ++i) expected["k" + std::to_string(100 + i)] = "table";
  for (const auto& [key, value] : expected) REQUIRE(t.db->Put({}, key, value).ok());
  REQUIRE(t.db->Flush().ok());
  REQUIRE(t.db->CompactRange({.force_bottommost = true}, {}, {}).ok());
  expected["k105"] = "level 0";
  REQUIRE(t.db->Put({}, "k105", "level 0").ok());
  REQUIRE(t.db->Flush().ok());
  expected["k110"] = "memtable";
  REQUIRE(t.db->Put({}, "k110", "memtable").ok());
  REQUIRE(t.Scan() == expected);

  const Records ingested = {{"k105", "new"}, {"k110", "new"}, {"k115", "new"}, {"x", "new"}};
  REQUIRE(t.db->Ingest({.move_files = true}, {t.TableOf("one", ingested)}).ok());
  for (const auto& [key, value] : ingested) expected[key] = value;
  CHECK(t.Scan() == expected);
  CHECK_FALSE(t.fs.Exists("in/one"));
  expected["k105"] = "newest";
  REQUIRE(t.db->Put({}, "k105", "newest").ok());
  CHECK(t.Scan() == expected);
  REQUIRE(t.db->CompactRange({.force_bottommost = true}, {}, {}).ok());
  CHECK(t.Scan() == expected);
  t.Open();
  CHECK(t.Scan() == expected);
}

TEST_CASE("Ingest: a snapshot and an iterator do not see what came after them") {
  Fixture t;
  REQUIRE(t.db->Put({}, "a", "old").ok());
  const Records before = t.Scan();
  const Snapshot snapshot = t.db->GetSnapshot();
  auto it = t.db->NewIterator({});
  REQUIRE(it.ok());
  REQUIRE(t.db->Ingest({}, {t.TableOf("one", {{"a", "new"}, {"b", "new"}})}).ok());
  CHECK(t.Scan(&snapshot) == before);
  it->SeekToFirst();
  REQUIRE(it->Valid());
  CHECK(it->value() == "old");
  it->Next();
  CHECK_FALSE(it->Valid());
  REQUIRE(t.db->CompactRange({.force_bottommost = true}, {}, {}).ok());
  CHECK(t.Scan(&snapshot) == before);
}

TEST_CASE("Ingest: deletions, range deletions and merges in a table count") {
  Fixture t;
  t.options.family.merge_operator = MergeOperatorByName("stringappend");
  t.Open();
  for (const char* key : {"a", "b", "c", "d", "e"}) REQUIRE(t.db->Put({}, key, "old").ok());
  const std::string path = t.Table("one", [](SstFileWriter& writer) {
    REQUIRE(writer.Delete("a").ok());
    REQUIRE(writer.Merge("e", "more").ok());
    REQUIRE(writer.DeleteRange("b", "d").ok());
  });
  REQUIRE(t.db->Ingest({}, {path}).ok());
  const Records expected = {{"d", "old"}, {"e", "old,more"}};
  CHECK(t.Scan() == expected);
  t.Open();
  CHECK(t.Scan() == expected);
  REQUIRE(t.db->CompactRange({.force_bottommost = true}, {}, {}).ok());
  CHECK(t.Scan() == expected);
}

TEST_CASE("Ingest: several tables go in together") {
  Fixture t;
  const std::vector<std::string> paths = {t.TableOf("2", {{"m", "2"}, {"p", "2"}}),
                                          t.TableOf("1", {{"a", "1"}, {"c", "1"}})};
  REQUIRE(t.db->Ingest({}, paths).ok());
  CHECK(t.Scan() == Records{{"a", "1"}, {"c", "1"}, {"m", "2"}, {"p", "2"}});
}

TEST_CASE("Ingest: one bad table and nothing changes, no file is left") {
  Fixture t;
  REQUIRE(t.db->Put({}, "a", "old").ok());
  REQUIRE(t.db->Flush().ok());
  const Records before = t.Scan();
  const size_t tables = t.CountFiles(".sst");
  const std::string good = t.TableOf("good", {{"x", "1"}, {"z", "1"}});
  Status refused;
  SUBCASE("a damaged one") {
    const std::string bad = t.TableOf("bad", {{"p", "1"}});
    auto bytes = ReadFileToString(t.fs, bad, 1 << 20);
    (*bytes)[3] = static_cast<char>((*bytes)[3] ^ 1);
    auto file = t.fs.Create(bad, false);
    REQUIRE((*file)->Append(*bytes).ok());
    refused = t.db->Ingest({}, {good, bad});
    CHECK(refused.code() == Code::kCorruption);
  }
  SUBCASE("one that is not there") {
    refused = t.db->Ingest({}, {good, "in/nothing"});
    CHECK(refused.code() == Code::kNotFound);
  }
  SUBCASE("overlapping ones") {
    refused = t.db->Ingest({}, {good, t.TableOf("over", {{"y", "1"}})});
  }
  SUBCASE("another comparator's") {
    ColumnFamilyOptions reverse = t.options.family;
    reverse.comparator = ReverseBytewiseComparator();
    auto writer = SstFileWriter::Create(t.options.env, reverse, "in/reverse");
    REQUIRE(writer.ok());
    REQUIRE(writer->Put("q", "1").ok());
    REQUIRE(writer->Finish().ok());
    refused = t.db->Ingest({}, {good, "in/reverse"});
    CHECK(std::string(refused.message()).find("Comparator") != std::string::npos);
  }
  SUBCASE("another comparator's, in whose order they do not ascend") {
    ColumnFamilyOptions reverse = t.options.family;
    reverse.comparator = ReverseBytewiseComparator();
    auto writer = SstFileWriter::Create(t.options.env, reverse, "in/reverse");
    REQUIRE(writer.ok());
    REQUIRE(writer->Put("q", "1").ok());
    REQUIRE(writer->Put("p", "1").ok());
    REQUIRE(writer->Finish().ok());
    refused = t.db->Ingest({.any_comparator = true}, {good, "in/reverse"});
    CHECK(refused.message().starts_with("in/reverse: keys must be added in ascending order"));
  }
  SUBCASE("an ordinary table of a database") {
    IngestOptions options;
    SUBCASE("") {}
    SUBCASE("whatever its comparator") { options.any_comparator = true; }
    std::string own;
    const auto entries = t.fs.List("db");
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.ends_with(".sst")) own = "db/" + entry.name;
    }
    REQUIRE_FALSE(own.empty());
    refused = t.db->Ingest(options, {good, own});
  }
  SUBCASE("overlap with existing keys though the caller excluded it") {
    refused = t.db->Ingest({.allow_overlap = false}, {good, t.TableOf("a", {{"a", "1"}})});
  }
  CHECK_FALSE(refused.ok());
  CHECK_FALSE(refused.message().empty());
  CHECK(t.Scan() == before);
  CHECK(t.CountFiles(".sst") == tables);
  t.Open();
  CHECK(t.Scan() == before);
  CHECK(t.CountFiles(".sst") == tables);
}

// A table that was ingested looks like one that may be. Moving it would delete it from under the
// database.
TEST_CASE("Ingest: a table of the database itself is refused, under any path of its directory") {
  Fixture t;
  REQUIRE(t.db->Ingest({}, {t.TableOf("one", {{"a", "1"}})}).ok());
  std::string own;
  const auto entries = t.fs.List("db");
  for (const DirectoryEntry& entry : *entries) {
    if (entry.name.ends_with(".sst")) own = entry.name;
  }
  REQUIRE_FALSE(own.empty());
  for (const bool move : {true, false}) {
    const Status refused = t.db->Ingest({.move_files = move}, {"db/" + own});
    CHECK(refused.code() == Code::kInvalidArgument);
    CHECK(std::string(refused.message()).find("is a file of this database") != std::string::npos);
  }
  t.Open();
  CHECK(t.Scan() == Records{{"a", "1"}});
  CHECK(t.CountFiles(".sst") == 1);
}

TEST_CASE("Ingest: a table elsewhere may have the number that it gets here") {
  Fixture t;
  std::vector<std::string> paths;
  for (int number = 1; number < 30; ++number) {
    std::string name = std::to_string(number);
    name.insert(0, 6 - name.size(), '0');
    paths.push_back(t.TableOf(name + ".sst", {{name, "1"}}));
  }
  const Status ingested = t.db->Ingest({.move_files = true}, paths);
  CHECK_MESSAGE(ingested.ok(), ingested.ToString());
  CHECK(t.Scan().size() == paths.size());
}

// It may have been copied there a moment ago, and its old name is removed in the end.
TEST_CASE("Ingest: a table that is moved here is durable before the MANIFEST names it") {
  Fixture t;
  const std::string path = t.TableOf("1.sst", {{"a", "1"}});
  t.fs.log().clear();
  REQUIRE(t.db->Ingest({.move_files = true}, {path}).ok());
  CHECK_LT(t.fs.Find("sync_file "), t.fs.Find("append MANIFEST"));
}

TEST_CASE("Ingest: a family other than the default one") {
  Fixture t;
  const auto other = t.db->CreateColumnFamily("other", t.options.family);
  REQUIRE(other.ok());
  REQUIRE(t.db->Ingest({}, {t.TableOf("one", {{"a", "1"}})}, *other).ok());
  CHECK(t.Scan().empty());
  CHECK(t.Scan(nullptr, *other) == Records{{"a", "1"}});
}

// Power loss keeps what was synced. An edit that is synced while earlier writes are not is later
// than what it would be left with.
void ExpectLogSyncedBeforeManifest(Fixture& t, const std::function<void()>& log_an_edit) {
  REQUIRE(t.db->Put({}, "earlier", "1").ok());
  t.fs.log().clear();
  log_an_edit();
  const auto& log = t.fs.log();
  const auto is_wal_sync = [](const std::string& event) {
    return event.starts_with("sync 0") && event.ends_with(".log");
  };
  const auto wal = std::find_if(log.begin(), log.end(), is_wal_sync);
  REQUIRE(wal != log.end());
  CHECK(static_cast<size_t>(wal - log.begin()) < t.fs.Find("append MANIFEST"));
}

TEST_CASE("Ingest: what was written before is durable before the MANIFEST names the table") {
  Fixture t;
  const std::string path = t.TableOf("1.sst", {{"later", "2"}});
  ExpectLogSyncedBeforeManifest(t, [&] { REQUIRE(t.db->Ingest({}, {path}).ok()); });
}

TEST_CASE("Families: creating and dropping one does not overtake the writes before it") {
  Fixture t;
  ColumnFamilyId family = 0;
  ExpectLogSyncedBeforeManifest(t, [&] {
    const auto created = t.db->CreateColumnFamily("f", {});
    REQUIRE(created.ok());
    family = *created;
  });
  ExpectLogSyncedBeforeManifest(t, [&] { REQUIRE(t.db->DropColumnFamily(family).ok()); });
}

TEST_CASE("Ingest: tables that overlap each other count in the order of the list") {
  Fixture t;
  REQUIRE(t.db->Put({}, "b", "old").ok());
  const std::string first = t.TableOf("1", {{"b", "first"}, {"d", "first"}});
  const std::string second = t.TableOf("2", {{"a", "second"}, {"c", "second"}, {"d", "second"}});
  const std::string third = t.TableOf("3", {{"c", "third"}});
  REQUIRE(t.db->Ingest({.in_order = true}, {first, second, third}).ok());
  const Records expected = {{"a", "second"}, {"b", "first"}, {"c", "third"}, {"d", "second"}};
  CHECK(t.Scan() == expected);
  REQUIRE(t.db->CompactRange({}, {}, {}).ok());
  CHECK(t.Scan() == expected);
  t.Open();
  CHECK(t.Scan() == expected);
  // Tables that do not overlap may be in any order, and go below level 0.
  REQUIRE(
      t.db->Ingest({.in_order = true}, {t.TableOf("5", {{"y", "2"}}), t.TableOf("4", {{"x", "1"}})})
          .ok());
  CHECK_GT(t.DeepestLevel(), 0);
  CHECK_EQ(t.Scan().size(), 6);
}

TEST_CASE("IngestFamilies: tables of several families go in together") {
  Fixture t;
  const auto users = t.db->CreateColumnFamily("users", t.options.family);
  const auto orders = t.db->CreateColumnFamily("orders", t.options.family);
  REQUIRE(users.ok());
  REQUIRE(orders.ok());
  REQUIRE(t.db->Put({}, "b", "old", *users).ok());
  std::optional<Snapshot> before = t.db->GetSnapshot();
  const std::vector<FamilyTables> tables = {
      {*users, {t.TableOf("u2", {{"c", "2"}}), t.TableOf("u1", {{"a", "1"}, {"b", "1"}})}},
      {kDefaultColumnFamilyId, {}},
      {*orders, {t.TableOf("o1", {{"a", "order"}})}}};
  REQUIRE(t.db->IngestFamilies({.move_files = true}, tables).ok());
  const auto check = [&] {
    CHECK(t.Scan(nullptr, *users) == Records{{"a", "1"}, {"b", "1"}, {"c", "2"}});
    CHECK(t.Scan(nullptr, *orders) == Records{{"a", "order"}});
    CHECK(t.Scan().empty());
  };
  check();
  CHECK(t.Scan(&*before, *users) == Records{{"b", "old"}});
  CHECK(t.Scan(&*before, *orders).empty());
  CHECK_FALSE(t.fs.Exists("in/u1"));
  CHECK_FALSE(t.fs.Exists("in/o1"));
  before.reset();
  t.Open();
  check();
}

TEST_CASE("IngestFamilies: a table that one family refuses, and no other gets any") {
  Fixture t;
  const auto users = t.db->CreateColumnFamily("users", t.options.family);
  REQUIRE(users.ok());
  REQUIRE(t.db->Put({}, "a", "old", *users).ok());
  const std::string one = t.TableOf("1", {{"a", "new"}}), two = t.TableOf("2", {{"a", "new"}});
  const auto refused = [&](const IngestOptions& options, const std::vector<FamilyTables>& tables) {
    const Status status = t.db->IngestFamilies(options, tables);
    CHECK_EQ(status.code(), Code::kInvalidArgument);
    CHECK(t.Scan().empty());
    CHECK(t.Scan(nullptr, *users) == Records{{"a", "old"}});
    CHECK_EQ(t.CountFiles(".sst"), 0);
    return std::string(status.message());
  };
  CHECK_EQ(refused({.allow_overlap = false}, {{0, {one}}, {*users, {two}}}),
           "the tables overlap existing keys");
  CHECK_EQ(refused({}, {{0, {one}}, {*users, {two, two}}}), "in/2: is listed twice");
  CHECK_EQ(refused({}, {{*users, {one}}, {*users, {two}}}), "column family users is listed twice");
  CHECK_EQ(refused({}, {{0, {one}}, {77, {two}}}), "there is no column family 77");
  t.Open();
  CHECK(t.Scan(nullptr, *users) == Records{{"a", "old"}});
}

TEST_CASE("Ingest: it says how much is verified, in the end all") {
  Fixture t;
  Records many;
  for (int i = 0; i < 20000; ++i) many["k" + std::to_string(i)] = std::to_string(i);
  const std::vector<std::string> paths = {t.TableOf("1", many), t.TableOf("2", {{"z", "1"}})};
  uint64_t verified = 0, calls = 0;
  REQUIRE(
      t.db->Ingest({.verified = [&](uint64_t bytes) { verified += bytes, ++calls; }}, paths).ok());
  CHECK_EQ(verified, *t.fs.FileSize(paths[0]) + *t.fs.FileSize(paths[1]));
  CHECK_GT(calls, 4);
}

// Tables are verified by several threads, which may find several that are refused.
TEST_CASE("Ingest: of several tables that are refused, the first of the list is named") {
  const ScratchDirectory scratch;
  ThreadPool threads(1, 4);
  Options options;
  options.env.executor = &threads;
  options.create_if_missing = true;
  const auto db = DB::Open(options, scratch / "db");
  REQUIRE(db.ok());
  std::vector<std::string> paths;
  for (int i = 0; i < 12; ++i) {
    paths.push_back(scratch / std::to_string(i));
    auto writer = SstFileWriter::Create({}, {}, paths.back());
    REQUIRE(writer.ok());
    for (int k = 0; k < 100 * (12 - i); ++k) {
      REQUIRE(writer->Put(std::to_string(10000 * (i + 100) + k), "value").ok());
    }
    REQUIRE(writer->Finish().ok());
  }
  for (const int bad : {3, 7, 11}) std::filesystem::resize_file(paths[bad], 60);
  for (int round = 0; round < 20; ++round) {
    const Status refused = (*db)->Ingest({}, paths);
    CHECK_EQ(refused.code(), Code::kCorruption);
    CHECK_MESSAGE(refused.message().starts_with(paths[3] + "@"), refused.message());
  }
  std::erase_if(paths,
                [](const std::string& path) { return std::filesystem::file_size(path) == 60; });
  CHECK((*db)->Ingest({}, paths).ok());
}

TEST_CASE("Ingest: a file that cannot be read is named as it was given") {
  const ScratchDirectory scratch;
  Options options;
  options.create_if_missing = true;
  const auto db = DB::Open(options, scratch / "db");
  REQUIRE(db.ok());
  const std::string fifo = scratch / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  for (const bool move : {false, true}) {
    const Status refused = (*db)->Ingest({.move_files = move}, {fifo});
    CHECK_MESSAGE(refused.message().starts_with(fifo + ": "), refused.message());
  }
}

}  // namespace
}  // namespace varve
