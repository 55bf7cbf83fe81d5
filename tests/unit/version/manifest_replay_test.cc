// SPDX-License-Identifier: Apache-2.0
#include "core/version/manifest_replay.h"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/version/manifest_fixture.h"
#include "tests/unit/version/version_fixture.h"
#include "varve/comparator.h"

namespace varve {
namespace {

TEST_CASE("ManifestReplay: the state at every edit can be seen") {
  ManifestReplay replay{Options{}};
  std::vector<uint64_t> files;
  VersionEdit removal;
  removal.deleted_files.push_back({0, 4});
  for (const VersionEdit& edit : {Counters(9, 10, 20), AddFiles(0, {MakeFile(4, "a", "c", 1, 5)}),
                                  AddFiles(0, {MakeFile(5, "a", "c", 6, 9)}), removal}) {
    REQUIRE(replay.Apply(edit).ok());
    const Result<DatabaseState> state = replay.State(nullptr);
    REQUIRE(state.ok());
    files.push_back(state->families.Find(0u)->version->TotalFiles());
  }
  CHECK_EQ(files, std::vector<uint64_t>{0, 1, 2, 1});
}

VersionEdit InGroup(VersionEdit edit, uint32_t remaining) {
  edit.atomic_group_remaining = remaining;
  return edit;
}

TEST_CASE("ManifestReplay: an atomic group counts when its last edit is there") {
  ManifestReplay replay{Options{}};
  REQUIRE(replay.Apply(InGroup(AddFiles(1, {MakeFile(4, "a", "b")}), 1)).ok());
  CHECK_EQ(replay.unfinished_group_edits(), 1);
  CHECK_EQ(replay.State(nullptr)->families.Find(0u)->version->TotalFiles(), 0);
  REQUIRE(replay.Apply(InGroup(AddFiles(1, {MakeFile(5, "c", "d")}), 0)).ok());
  CHECK_EQ(replay.unfinished_group_edits(), 0);
  CHECK_EQ(replay.State(nullptr)->families.Find(0u)->version->TotalFiles(), 2);
}

TEST_CASE("ManifestReplay: a group that miscounts or is interrupted is corruption") {
  VersionEdit add;
  add.family = 1;
  add.add_family = "one";
  const std::vector<std::vector<VersionEdit>> wrong = {
      {InGroup({}, 2), InGroup({}, 0)},
      {InGroup({}, 1), InGroup({}, 1)},
      {InGroup({}, 1), VersionEdit{}},
      {InGroup({}, 1), InGroup(add, 0)},
      {InGroup(add, 0)},
  };
  for (const std::vector<VersionEdit>& edits : wrong) {
    ManifestReplay replay{Options{}};
    for (size_t i = 0; i + 1 < edits.size(); i++) REQUIRE(replay.Apply(edits[i]).ok());
    CHECK_EQ(replay.Apply(edits.back()).code(), Code::kCorruption);
  }
}

VersionEdit AddFamily(ColumnFamilyId id, const std::string& name) {
  VersionEdit edit;
  edit.family = id;
  edit.add_family = name;
  return edit;
}

VersionEdit DropFamily(ColumnFamilyId id) {
  VersionEdit edit;
  edit.family = id;
  edit.drop_family = true;
  return edit;
}

TEST_CASE("ManifestReplay: families come and go; those that are not there are corruption") {
  ManifestReplay replay{Options{}};
  REQUIRE(replay.Apply(AddFamily(2, "two")).ok());
  CHECK_EQ(replay.Apply(AddFamily(2, "again")).code(), Code::kCorruption);
  CHECK_EQ(replay.Apply(AddFamily(3, "two")).code(), Code::kCorruption);
  CHECK_EQ(replay.Apply(AddFamily(3, "default")).code(), Code::kCorruption);
  CHECK(replay.State(nullptr)->families.Find("two"));
  REQUIRE(replay.Apply(DropFamily(2)).ok());
  CHECK_EQ(replay.State(nullptr)->families.Find("two"), nullptr);
  CHECK_EQ(replay.Apply(DropFamily(2)).code(), Code::kCorruption);
  CHECK_EQ(replay.Apply(DropFamily(0)).code(), Code::kCorruption);
  VersionEdit unknown = AddFiles(0, {MakeFile(4, "a", "b")});
  unknown.family = 9;
  CHECK_EQ(replay.Apply(unknown).code(), Code::kCorruption);
}

TEST_CASE("ManifestReplay: files in an edit that adds a family or tracks a WAL are not applied") {
  ManifestReplay replay{Options{}};
  VersionEdit add = AddFiles(1, {MakeFile(4, "a", "b")});
  add.family = 1;
  add.add_family = "one";
  VersionEdit track = AddFiles(1, {MakeFile(5, "a", "b")});
  track.wal_additions.push_back({7, std::nullopt});
  REQUIRE(replay.Apply(add).ok());
  REQUIRE(replay.Apply(track).ok());
  const Result<DatabaseState> state = replay.State(nullptr);
  REQUIRE(state.ok());
  CHECK_EQ(state->families.Find(0u)->version->TotalFiles(), 0);
  CHECK_EQ(state->families.Find(1u)->version->TotalFiles(), 0);
}

TEST_CASE("ManifestReplay: the log number of a family never goes back") {
  ManifestReplay replay{Options{}};
  REQUIRE(replay.Apply(Counters(9, 10, 0)).ok());
  REQUIRE(replay.Apply(Counters(7, 10, 0)).ok());
  CHECK_EQ(replay.State(nullptr)->families.Find(0u)->log_number, 9);
}

VersionEdit Named(const std::string& comparator) {
  VersionEdit edit;
  edit.comparator = comparator;
  return edit;
}

TEST_CASE("ManifestReplay: a family opens under its own comparator only") {
  Options options;
  options.family.comparator = BytewiseComparator();
  ManifestReplay demanding(options);
  CHECK(demanding.Apply(Named("leveldb.BytewiseComparator")).ok());
  CHECK(demanding.Apply(Named("rocksdb.ReverseBytewiseComparator")).ok());
  CHECK_EQ(demanding.State(nullptr).status().code(), Code::kInvalidArgument);

  ManifestReplay open{Options{}};
  REQUIRE(open.Apply(Named("rocksdb.ReverseBytewiseComparator")).ok());
  REQUIRE(open.Apply(AddFiles(1, {MakeFile(4, "z", "m"), MakeFile(5, "l", "a")})).ok());
  const Result<DatabaseState> state = open.State(nullptr);
  REQUIRE_MESSAGE(state.ok(), state.status().ToString());
  CHECK_EQ(state->families.Find(0u)->comparator, ReverseBytewiseComparator());
  CHECK_EQ(state->families.Find(0u)->version->files(1)[0]->number(), 4);
}

TEST_CASE("ManifestReplay: the comparator of a family that is gone does not matter") {
  Options options;
  options.family.comparator = BytewiseComparator();
  ManifestReplay replay(options);
  VersionEdit add = Named("rocksdb.ReverseBytewiseComparator");
  add.family = 1;
  add.add_family = "one";
  REQUIRE(replay.Apply(add).ok());
  VersionEdit files = AddFiles(1, {MakeFile(4, "z", "m"), MakeFile(5, "l", "a")});
  files.family = 1;
  REQUIRE(replay.Apply(files).ok());
  CHECK_EQ(replay.State(nullptr).status().code(), Code::kInvalidArgument);
  VersionEdit drop;
  drop.family = 1;
  drop.drop_family = true;
  REQUIRE(replay.Apply(drop).ok());
  CHECK(replay.State(nullptr).ok());
}

TEST_CASE("ManifestReplay: a foreign comparator leaves a family that can be listed") {
  ManifestReplay replay{Options{}};
  REQUIRE(replay.Apply(Named("someone.Else")).ok());
  REQUIRE(replay.Apply(AddFiles(1, {MakeFile(5, "a", "z"), MakeFile(4, "b", "a")})).ok());
  const Result<DatabaseState> state = replay.State(nullptr);
  REQUIRE(state.ok());
  CHECK_EQ(state->families.Find(0u)->comparator, nullptr);
  CHECK_EQ(state->families.Find(0u)->version->TotalFiles(), 2);
}

TEST_CASE("ManifestReplay: files checked in one order do not get another") {
  ManifestReplay replay{Options{}};
  REQUIRE(replay.Apply(AddFiles(1, {MakeFile(4, "a", "b")})).ok());
  CHECK(replay.Apply(Named("leveldb.BytewiseComparator")).ok());  // That is what they had.
  CHECK_EQ(replay.Apply(Named("rocksdb.ReverseBytewiseComparator")).message(),
           "column family default gets the comparator rocksdb.ReverseBytewiseComparator after its "
           "first tables");
}

TEST_CASE("ManifestReplay: before any edit there is the default family, empty") {
  ManifestReplay replay{Options{}};
  const Result<DatabaseState> state = replay.State(nullptr);
  REQUIRE(state.ok());
  REQUIRE_EQ(state->families.size(), 1u);
  CHECK_EQ(state->families.all()[0].name, "default");
  CHECK_EQ(state->families.all()[0].next_epoch, 1u);
  CHECK_EQ(state->families.all()[0].version->TotalFiles(), 0u);
  CHECK_EQ(replay.CheckComplete().code(), Code::kCorruption);
}

TEST_CASE("ManifestReplay: it is complete once all three counters have been there, in any edits") {
  const VersionEdit all = Counters(9, 10, 0);
  VersionEdit log, next, last;
  log.log_number = all.log_number;
  next.next_file_number = all.next_file_number;
  last.last_sequence = all.last_sequence;
  ManifestReplay replay{Options{}};
  CHECK_EQ(replay.CheckComplete().message(), "no edit has a LogNumber");
  REQUIRE(replay.Apply(log).ok());
  CHECK_EQ(replay.CheckComplete().message(), "no edit has a NextFileNumber");
  REQUIRE(replay.Apply(next).ok());
  CHECK_EQ(replay.CheckComplete().message(), "no edit has a LastSequence");
  REQUIRE(replay.Apply(last).ok());
  CHECK(replay.CheckComplete().ok());
}

TEST_CASE("ManifestReplay: counters count wherever they are, also in an edit that drops a family") {
  ManifestReplay replay{Options{}};
  REQUIRE(replay.Apply(AddFamily(3, "three")).ok());
  VersionEdit drop = DropFamily(3);
  drop.next_file_number = 40;
  drop.last_sequence = 17;
  REQUIRE(replay.Apply(drop).ok());
  const Result<DatabaseState> state = replay.State(nullptr);
  REQUIRE(state.ok());
  CHECK_EQ(state->counters.next_file_number, 40u);
  CHECK_EQ(state->counters.last_sequence, 17u);
  CHECK_EQ(state->counters.max_family, 3u);  // Its id is not given again.
}

TEST_CASE(
    "ManifestReplay: of tracked logs the largest synced size counts, until they are deleted") {
  const auto synced = [](uint64_t log, std::optional<uint64_t> size) {
    VersionEdit edit;
    edit.wal_additions.push_back({log, size});
    return edit;
  };
  ManifestReplay replay{Options{}};
  for (const VersionEdit& edit :
       {synced(7, std::nullopt), synced(8, 100), synced(8, 300), synced(8, 200), synced(9, 0)}) {
    REQUIRE(replay.Apply(edit).ok());
  }
  CHECK(replay.synced_wals() == std::map<uint64_t, uint64_t>{{8, 300}, {9, 0}});
  VersionEdit deleted;
  deleted.wal_deleted_below = 9;
  REQUIRE(replay.Apply(deleted).ok());
  CHECK(replay.synced_wals() == std::map<uint64_t, uint64_t>{{9, 0}});
}

TEST_CASE(
    "ManifestReplay: each family has its levels, and a Version of its own once it has tables") {
  Options options;
  options.family.num_levels = 3;
  options.families["deep"].num_levels = 9;
  ManifestReplay replay(options);
  for (const auto& [id, name] :
       std::map<ColumnFamilyId, std::string>{{1, "a"}, {2, "b"}, {3, "deep"}}) {
    REQUIRE(replay.Apply(AddFamily(id, name)).ok());
  }
  VersionEdit files = AddFiles(1, {MakeFile(4, "a", "b")});
  files.family = 2;
  REQUIRE(replay.Apply(files).ok());
  const Result<DatabaseState> state = replay.State(nullptr);
  REQUIRE(state.ok());
  const auto version = [&](ColumnFamilyId id) { return state->families.Find(id)->version; };
  CHECK_EQ(version(0), version(1));  // Neither has tables.
  CHECK_NE(version(1), version(2));
  CHECK_NE(version(1), version(3));
  CHECK_EQ(version(1)->num_levels(), 3);
  CHECK_EQ(version(3)->num_levels(), 9);
  CHECK_EQ(version(2)->TotalFiles(), 1u);
}

TEST_CASE("ManifestReplay: an epoch that was given is not given again") {
  ManifestReplay replay{Options{}};
  FileDescription file = MakeFile(4, "a", "b");
  file.epoch = 41;
  REQUIRE(replay.Apply(AddFiles(0, {file})).ok());
  VersionEdit removal;
  removal.deleted_files.push_back({0, 4});
  REQUIRE(replay.Apply(removal).ok());
  CHECK_EQ(replay.State(nullptr)->families.Find(0u)->next_epoch, 42u);
}

TEST_CASE("ManifestReplay: what breaks a rule of the files is said with the family") {
  ManifestReplay replay{Options{}};
  VersionEdit removal;
  removal.deleted_files.push_back({0, 4});
  const Status refused = replay.Apply(removal);
  CHECK_EQ(refused.code(), Code::kCorruption);
  CHECK_MESSAGE(refused.message().starts_with("column family default: "), refused.ToString());
}

}  // namespace
}  // namespace varve
