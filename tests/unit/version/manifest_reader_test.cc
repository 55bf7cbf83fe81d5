// SPDX-License-Identifier: Apache-2.0
#include "core/version/manifest_reader.h"

#include <doctest/doctest.h>

#include "core/format/file_name.h"
#include "core/fs/memory_fs.h"
#include "tests/unit/version/manifest_fixture.h"
#include "tests/unit/version/version_fixture.h"
#include "varve/environment.h"

namespace varve {
namespace {

const std::string kFixtures = VARVE_FIXTURES;
const std::string kSnapshots = kFixtures + "/../snapshot/manifest";

std::string ReadAll(const std::string& path) {
  Result<std::string> bytes =
      ReadFileToString(*NativeEnvironment().file_system, path, uint64_t{1} << 24);
  REQUIRE_MESSAGE(bytes.ok(), bytes.status().ToString());
  return *std::move(bytes);
}

// What the snapshots show of a directory; they were made with an independent decoder.
std::string Describe(const std::string& maker, const std::string& name) {
  const std::string directory = kFixtures + "/db/" + maker + "/" + name;
  const Result<RecoveredManifest> manifest =
      ReadManifest(*NativeEnvironment().file_system, directory, Options{}, nullptr);
  if (!manifest.ok()) {
    CHECK_EQ(manifest.status().code(), Code::kCorruption);
    return "corrupt\n";
  }
  const bool leveldb = maker.starts_with("leveldb");
  return "edits " + std::to_string(manifest->edits) + "  " + StateText(manifest->state, !leveldb);
}

TEST_CASE("ReadManifest: the databases of RocksDB and LevelDB as another decoder sees them") {
  FileSystem& fs = *NativeEnvironment().file_system;
  int compared = 0;
  const auto makers = fs.List(kFixtures + "/db");
  REQUIRE(makers.ok());
  for (const DirectoryEntry& maker : *makers) {
    const auto names = fs.List(kFixtures + "/db/" + maker.name);
    if (!names.ok()) continue;
    for (const DirectoryEntry& name : *names) {
      const std::string snapshot = kSnapshots + "/" + maker.name + "-" + name.name + ".txt";
      if (!fs.Exists(snapshot)) continue;
      CAPTURE(maker.name);
      CAPTURE(name.name);
      CHECK_EQ(Describe(maker.name, name.name), ReadAll(snapshot));
      compared++;
    }
  }
  CHECK_GE(compared, 47);
}

TEST_CASE("ReadCurrent: anything but exactly a name and a newline is corruption") {
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("db").ok());
  CHECK_EQ(ReadCurrent(*fs, "db").status().code(), Code::kNotFound);
  WriteFile(*fs, "db/MANIFEST-000005", "");
  WriteFile(*fs, "db/CURRENT", "MANIFEST-000005\n");
  const Result<FileNumber> number = ReadCurrent(*fs, "db");
  REQUIRE(number.ok());
  CHECK_EQ(*number, 5);
  for (const char* wrong : {"MANIFEST-000005", "", "\n", "MANIFEST-000005\n\n", "MANIFEST-\n",
                            "000005.sst\n", "MANIFEST-000006\n", "MANIFEST-000005\r\n"}) {
    CAPTURE(wrong);
    WriteFile(*fs, "db/CURRENT", wrong);
    CHECK_EQ(ReadCurrent(*fs, "db").status().code(), Code::kCorruption);
  }
}

TEST_CASE("ReadManifest: cut anywhere, the last whole record stands") {
  ManifestImage image;
  image.Append(Counters(9, 10, 0));
  image.Append(WithCounters(AddFiles(0, {MakeFile(4, "a", "c", 1, 5)}), 10));
  image.Append(WithCounters(AddFiles(0, {MakeFile(5, "a", "c", 6, 9)}), 20));
  for (uint64_t size = 0; size <= image.bytes().size(); size++) {
    CAPTURE(size);
    const Result<RecoveredManifest> read = image.Read(image.bytes().substr(0, size));
    const size_t whole = image.RecordsWithin(size);
    REQUIRE_EQ(read.ok(), whole >= 1);
    if (whole == 0) continue;
    CHECK_EQ(read->edits, whole);
    CHECK_EQ(read->state.families.Find(0u)->version->TotalFiles(), whole - 1);
    CHECK_EQ(read->torn_bytes, size - (whole == 0 ? 0 : image.end_of(whole - 1)));
  }
}

// RocksDB's snapshot of a MANIFEST that is rolled over has neither counter; the edit that comes
// next has both, whatever it is about.
TEST_CASE("ReadManifest: the edit that drops a family may be the one that has the counters") {
  ManifestImage image;
  VersionEdit log;
  log.log_number = 5;
  image.Append(log);
  VersionEdit add;
  add.family = 1;
  add.add_family = "dropped";
  image.Append(add);
  CHECK_EQ(image.Read().status().code(), Code::kCorruption);
  VersionEdit drop;
  drop.family = 1;
  drop.drop_family = true;
  drop.next_file_number = 12;
  drop.last_sequence = 7;
  image.Append(drop);
  const Result<RecoveredManifest> read = image.Read();
  REQUIRE_MESSAGE(read.ok(), read.status().ToString());
  CHECK_EQ(read->state.counters.next_file_number, 12);
  CHECK_EQ(read->state.counters.last_sequence, 7);
}

TEST_CASE("ReadManifest: a flipped bit is corruption or an unfinished tail, never another state") {
  ManifestImage image;
  image.Append(Counters(9, 10, 0));
  image.Append(WithCounters(AddFiles(0, {MakeFile(4, "a", "c", 1, 5)}), 10));
  image.Append(WithCounters(AddFiles(0, {MakeFile(5, "a", "c", 6, 9)}), 20));
  for (size_t at = 0; at < image.bytes().size() * 8; at++) {
    CAPTURE(at);
    std::string damaged = image.bytes();
    damaged[at / 8] = static_cast<char>(damaged[at / 8] ^ (1 << (at % 8)));
    const Result<RecoveredManifest> read = image.Read(damaged);
    if (!read.ok()) {
      CHECK_EQ(read.status().code(), Code::kCorruption);
      CHECK_NE(read.status().message().find("MANIFEST-000009"), std::string_view::npos);
    } else {
      CHECK_GT(read->torn_bytes, 0);      // A length that now runs past the end:
      CHECK_GE(at / 8, image.end_of(1));  // of the last record, or those behind it would show.
    }
  }
}

TEST_CASE("ReadManifest: the three counters must all be there") {
  for (int missing = 0; missing < 3; missing++) {
    VersionEdit edit = Counters(9, 10, 0);
    if (missing == 0) edit.log_number.reset();
    if (missing == 1) edit.next_file_number.reset();
    if (missing == 2) edit.last_sequence.reset();
    ManifestImage image;
    image.Append(edit);
    CHECK_EQ(image.Read().status().code(), Code::kCorruption);
  }
}

TEST_CASE(
    "ReadManifest: a table above LastSequence is corruption, above NextFileNumber it is not") {
  ManifestImage image;
  image.Append(Counters(9, 10, 4));
  image.Append(AddFiles(0, {MakeFile(40, "a", "c", 1, 4)}));
  const Result<RecoveredManifest> read = image.Read();
  REQUIRE_MESSAGE(read.ok(), read.status().ToString());
  CHECK_EQ(read->state.counters.next_file_number, 41);

  image.Append(AddFiles(0, {MakeFile(41, "a", "c", 5, 6)}));
  CHECK_NE(image.Read().status().message().find("table 41"), std::string_view::npos);
}

// Reads a MANIFEST that ends in `edit`: kCorruption, at that edit, with these words in the message.
void ExpectRefused(const VersionEdit& edit, const std::string& words) {
  CAPTURE(words);
  ManifestImage image;
  image.Append(Counters(9, 10, 0));
  image.Append(edit);
  const Status read = image.Read().status();
  CHECK_EQ(read.code(), Code::kCorruption);
  const std::string where = "MANIFEST-000009@" + std::to_string(image.end_of(0)) + ": ";
  CHECK_MESSAGE(read.message().find(where) != std::string_view::npos, read.ToString());
  CHECK_MESSAGE(read.message().find(words) != std::string_view::npos, read.ToString());
}

TEST_CASE("ReadManifest: a log number beyond NextFileNumber is corruption") {
  VersionEdit keep;
  keep.min_log_number_to_keep = 11;
  ExpectRefused(keep, "MinLogNumberToKeep is 11, beyond the next file number, 10");
  ExpectRefused(Counters(11, 10, 0), "default is 11, beyond the next file number, 10");
  // Up to it nothing is hidden: the next log has that number.
  keep.min_log_number_to_keep = 10;
  for (const VersionEdit& fine : {keep, Counters(10, 10, 0), Counters(11, 12, 0)}) {
    ManifestImage image;
    image.Append(Counters(9, 10, 0));
    image.Append(fine);
    const Status read = image.Read().status();
    CHECK_MESSAGE(read.ok(), read.ToString());
  }
}

TEST_CASE("ReadManifest: numbers that cannot be counted on from are corruption") {
  constexpr uint64_t kTooLarge = uint64_t{1} << 62;
  VersionEdit edit;
  edit.next_file_number = kTooLarge;
  ExpectRefused(edit, "NextFileNumber is 4611686018427387904");
  edit.next_file_number = ~uint64_t{0};
  ExpectRefused(edit, "NextFileNumber is 18446744073709551615");
  edit = Counters(kTooLarge, 10, 0);
  ExpectRefused(edit, "LogNumber is");
  edit = {};
  edit.min_log_number_to_keep = ~uint64_t{0};
  ExpectRefused(edit, "MinLogNumberToKeep is");
  edit = {};
  edit.prev_log_number = kTooLarge;
  ExpectRefused(edit, "PrevLogNumber is");
  edit = AddFiles(0, {MakeFile(kTooLarge, "a", "c", 0, 0)});
  ExpectRefused(edit, "number of a table is");
  edit = AddFiles(0, {MakeFile(4, "a", "c", 0, 0)});
  edit.new_files.front().file.epoch = ~uint64_t{0};
  ExpectRefused(edit, "epoch of a table is");
  edit = {};
  edit.blob_additions.emplace_back().number = kTooLarge;
  ExpectRefused(edit, "number of a blob file is");

  VersionEdit fine;
  fine.next_file_number = kTooLarge - 1;
  ManifestImage image;
  image.Append(Counters(9, 10, 0));
  image.Append(fine);
  CHECK_EQ(image.Read()->state.counters.next_file_number, kTooLarge - 1);
}

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
  CHECK_EQ(demanding.Apply(Named("rocksdb.ReverseBytewiseComparator")).code(),
           Code::kInvalidArgument);

  ManifestReplay open{Options{}};
  REQUIRE(open.Apply(Named("rocksdb.ReverseBytewiseComparator")).ok());
  REQUIRE(open.Apply(AddFiles(1, {MakeFile(4, "z", "m"), MakeFile(5, "l", "a")})).ok());
  const Result<DatabaseState> state = open.State(nullptr);
  REQUIRE_MESSAGE(state.ok(), state.status().ToString());
  CHECK_EQ(state->families.Find(0u)->comparator, ReverseBytewiseComparator());
  CHECK_EQ(state->families.Find(0u)->version->files(1)[0]->number(), 4);
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

}  // namespace
}  // namespace varve
