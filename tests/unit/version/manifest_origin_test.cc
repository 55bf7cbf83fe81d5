// SPDX-License-Identifier: Apache-2.0
#include "core/version/manifest_origin.h"

#include <doctest/doctest.h>

#include <vector>

#include "core/fs/memory_fs.h"
#include "core/version/manifest_reader.h"
#include "tests/unit/version/manifest_fixture.h"
#include "tests/unit/version/version_fixture.h"
#include "varve/environment.h"

namespace varve {
namespace {

const std::string kDatabases = std::string(VARVE_FIXTURES) + "/db";

VersionEdit Comparing(VersionEdit edit = {}) {
  edit.comparator = "leveldb.BytewiseComparator";
  return edit;
}

VersionEdit AllCounters(uint64_t log, FileNumber next_file, Sequence last) {
  VersionEdit edit = Counters(log, next_file, last);
  edit.prev_log_number = 0;
  return edit;
}

VersionEdit::NewFile Table(FileNumber number, bool sequences_known) {
  VersionEdit::NewFile table;
  table.file.number = number;
  table.file.sequences_known = sequences_known;
  return table;
}

VersionEdit LevelDbTable(FileNumber number) {
  VersionEdit edit = AllCounters(9, 20, 5);
  edit.new_files.push_back(Table(number, false));
  return edit;
}

ManifestOrigin OriginOf(const std::vector<VersionEdit>& edits) {
  ManifestOriginTest test;
  for (const VersionEdit& edit : edits) test.Take(edit);
  return test.origin();
}

TEST_CASE("IsLevelDb: of every sample database it is known whose it is") {
  FileSystem& fs = *NativeEnvironment().file_system;
  int leveldb = 0, others = 0;
  const auto makers = fs.List(kDatabases);
  REQUIRE(makers.ok());
  for (const DirectoryEntry& maker : *makers) {
    const auto names = fs.List(kDatabases + "/" + maker.name);
    if (!names.ok()) continue;
    for (const DirectoryEntry& name : *names) {
      const std::string directory = kDatabases + "/" + maker.name + "/" + name.name;
      if (!fs.Exists(directory + "/CURRENT")) continue;
      CAPTURE(directory);
      const bool expected = maker.name == "leveldb-1.23" || maker.name == "chromium-156" ||
                            maker.name == "goleveldb-1.0";
      CHECK_EQ(HoldsLevelDb(fs, directory), expected);
      const auto read = ReadManifest(fs, directory, Options(), nullptr);
      if (read.ok()) CHECK_EQ(read->leveldb, expected);
      (expected ? leveldb : others)++;
    }
  }
  CHECK_EQ(leveldb, 6);
  CHECK_GE(others, 40);
}

TEST_CASE("ManifestOriginTest: a new database is LevelDB's if it names its comparator") {
  CHECK(OriginOf({Comparing(Counters(0, 2, 0))}) == ManifestOrigin::kLevelDb);
  CHECK(OriginOf({Comparing(Counters(0, 2, 0)), AllCounters(4, 5, 0)}) == ManifestOrigin::kLevelDb);
  CHECK(OriginOf({Counters(0, 2, 0)}) == ManifestOrigin::kRocksDb);
  CHECK(OriginOf({}) == ManifestOrigin::kRocksDb);
}

TEST_CASE("ManifestOriginTest: without tables and tags, how the counters are grouped tells") {
  CHECK(OriginOf({Comparing(), AllCounters(3, 4, 0)}) == ManifestOrigin::kEither);
  CHECK(OriginOf({Comparing(), AllCounters(3, 4, 0), AllCounters(5, 6, 9)}) ==
        ManifestOrigin::kEither);
  // RocksDB's and ours: the log number stands alone, the counters without it.
  VersionEdit log;
  log.log_number = 3;
  CHECK(OriginOf({Comparing(), log}) == ManifestOrigin::kRocksDb);
  CHECK(OriginOf({Comparing(), log, AllCounters(3, 4, 0)}) == ManifestOrigin::kRocksDb);
  CHECK(OriginOf({Comparing()}) == ManifestOrigin::kRocksDb);
}

TEST_CASE("ManifestOriginTest: a table without sequences is LevelDB's, whatever stands around it") {
  CHECK(OriginOf({Comparing(), LevelDbTable(7)}) == ManifestOrigin::kLevelDb);
  CHECK(OriginOf({Counters(4, 8, 1), LevelDbTable(7)}) == ManifestOrigin::kLevelDb);
  // But RocksDB has taken over what it has put a tag of its own into.
  VersionEdit keep;
  keep.min_log_number_to_keep = 4;
  CHECK(OriginOf({Comparing(), LevelDbTable(7), keep}) == ManifestOrigin::kRocksDb);
}

TEST_CASE("ManifestOriginTest: any tag from 10 on is RocksDB's") {
  std::vector<VersionEdit> tags(9, AllCounters(3, 9, 5));
  tags[0].min_log_number_to_keep = 3;
  tags[1].max_family = 1;
  tags[2].db_id = "id";
  tags[3].atomic_group_remaining = 0;
  tags[4].full_history_ts_low = "12345678";
  tags[5].persist_user_timestamps = true;
  tags[6].wal_deleted_below = 3;
  tags[7].skipped_tags = {9092};
  tags[8].new_files.push_back(Table(7, true));
  for (size_t i = 0; i < tags.size(); ++i) {
    CAPTURE(i);
    CHECK(OriginOf({Comparing(Counters(0, 2, 0)), tags[i]}) == ManifestOrigin::kRocksDb);
  }
}

TEST_CASE("IsLevelDb: IDENTITY decides where the MANIFEST leaves it open") {
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("db").ok());
  CHECK(IsLevelDb(*fs, "db", ManifestOrigin::kEither));
  WriteFile(*fs, "db/IDENTITY", "id");
  CHECK_FALSE(IsLevelDb(*fs, "db", ManifestOrigin::kEither));
  CHECK(IsLevelDb(*fs, "db", ManifestOrigin::kLevelDb));
  CHECK_FALSE(IsLevelDb(*fs, "db", ManifestOrigin::kRocksDb));
}

}  // namespace
}  // namespace varve
