// SPDX-License-Identifier: Apache-2.0
#include "core/version/version_builder.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/unit/version/version_fixture.h"

namespace varve {
namespace {

class Building {
 public:
  explicit Building(const Version* base = nullptr) : builder_(BytewiseComparator(), base, 7) {}

  Building& Apply(const VersionEdit& edit) {
    if (status_.ok()) status_ = builder_.Apply(edit);
    return *this;
  }
  std::shared_ptr<const Version> Build(Sequence last = 1000) {
    if (!status_.ok()) return nullptr;
    Result<std::shared_ptr<const Version>> version = builder_.Build(nullptr, last);
    status_ = version.status();
    return version.ok() ? *version : nullptr;
  }
  // The failure of applying or building, which must be Corruption.
  std::string Refusal() {
    CHECK_EQ(Build(), nullptr);
    CHECK_EQ(status_.code(), Code::kCorruption);
    return std::string(status_.message());
  }

 private:
  VersionBuilder builder_;
  Status status_;
};

VersionEdit Delete(int level, FileNumber number) {
  VersionEdit edit;
  edit.deleted_files.push_back({level, number});
  return edit;
}

std::vector<FileNumber> Numbers(const Version& version, int level) {
  std::vector<FileNumber> numbers;
  for (const FilePtr& file : version.files(level)) numbers.push_back(file->number());
  return numbers;
}

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("VersionBuilder: levels are sorted, level 0 newest first") {
  Building building;
  building.Apply(AddFiles(0, {MakeFile(4, "a", "z", 1, 5), MakeFile(5, "a", "z", 6, 9)}));
  building.Apply(AddFiles(3, {MakeFile(7, "m", "p"), MakeFile(8, "a", "c")}));
  const auto version = building.Build();
  REQUIRE(version);
  CHECK_EQ(Numbers(*version, 0), std::vector<FileNumber>{5, 4});
  CHECK_EQ(Numbers(*version, 3), std::vector<FileNumber>{8, 7});
  CHECK_EQ(version->LevelOf(7), 3);
  CHECK_EQ(version->LevelOf(9), std::nullopt);
}

TEST_CASE("VersionBuilder: a file that moves keeps its object, a changed one does not") {
  const auto base = Building().Apply(AddFiles(1, {MakeFile(4, "a", "c")})).Build();
  VersionEdit move = Delete(1, 4);
  move.new_files.push_back({2, MakeFile(4, "a", "c")});
  const auto moved = Building(base.get()).Apply(move).Build();
  REQUIRE(moved);
  CHECK_EQ(moved->files(2)[0], base->files(1)[0]);

  move.new_files[0].file.size++;
  const auto changed = Building(base.get()).Apply(move).Build();
  REQUIRE(changed);
  CHECK_NE(changed->files(2)[0], base->files(1)[0]);
}

TEST_CASE("VersionBuilder: the base does not change") {
  const auto base = Building().Apply(AddFiles(1, {MakeFile(4, "a", "c")})).Build();
  const auto next = Building(base.get()).Apply(Delete(1, 4)).Build();
  REQUIRE(next);
  CHECK_EQ(next->TotalFiles(), 0);
  CHECK_EQ(base->TotalFiles(), 1);
}

TEST_CASE("VersionBuilder: what contradicts the state before is refused by name") {
  const VersionEdit four = AddFiles(1, {MakeFile(4, "a", "c")});
  CHECK(Contains(Building().Apply(four).Apply(AddFiles(2, {MakeFile(4, "x", "y")})).Refusal(),
                 "table 4 is added, but already there"));
  CHECK(Contains(Building().Apply(four).Apply(Delete(2, 4)).Refusal(),
                 "table 4 is deleted from level 2, but is on level 1"));
  CHECK(Contains(Building().Apply(Delete(1, 9)).Refusal(), "table 9 is deleted from level 1"));
  CHECK(Contains(Building().Apply(four).Apply(Delete(1, 4)).Apply(Delete(1, 4)).Refusal(),
                 "table 4"));
  CHECK(Contains(Building().Apply(AddFiles(7, {MakeFile(4, "a", "c")})).Refusal(),
                 "table 4 is on level 7"));
  CHECK(Contains(Building().Apply(AddFiles(-1, {MakeFile(4, "a", "c")})).Refusal(), "table 4"));
}

TEST_CASE("VersionBuilder: bounds that are no internal keys are refused") {
  FileDescription short_bound = MakeFile(4, "a", "c");
  short_bound.smallest = "seven..";
  CHECK(Contains(Building().Apply(AddFiles(1, {short_bound})).Refusal(),
                 "table 4: its smallest key"));
  FileDescription odd_type = MakeFile(4, "a", "c");
  odd_type.largest = EncodeInternalKey({"c", 1, ValueType::kMaxForSeek});
  CHECK(Contains(Building().Apply(AddFiles(1, {odd_type})).Refusal(), "table 4: its largest key"));
  CHECK(Contains(Building().Apply(AddFiles(1, {MakeFile(4, "d", "c")})).Refusal(),
                 "table 4 has a smallest key"));
}

TEST_CASE("VersionBuilder: overlapping neighbours of a level are refused") {
  CHECK(Contains(
      Building().Apply(AddFiles(2, {MakeFile(4, "a", "f"), MakeFile(5, "e", "g")})).Refusal(),
      "level 2: table 4"));
  // Two versions of one user key in two files are not an overlap, the same version is.
  FileDescription newer = MakeFile(4, "a", "f", 9, 9), older = MakeFile(5, "f", "g", 3, 3);
  CHECK(Building().Apply(AddFiles(2, {newer, older})).Build());
  CHECK(Contains(
      Building().Apply(AddFiles(2, {MakeFile(4, "a", "f"), MakeFile(5, "f", "g")})).Refusal(),
      "overlaps table 5"));
}

struct Level0Case {
  const char* what;
  Sequence older_first, older_last, newer_first, newer_last;
  bool fine;
};

TEST_CASE("VersionBuilder: sequences of level 0 follow RocksDB 7.8's rule") {
  const Level0Case cases[] = {
      {"disjoint", 1, 4, 5, 9, true},
      {"interleaved", 1, 6, 5, 9, true},
      {"nested", 4, 9, 3, 10, false},
      {"ingested inside", 5, 5, 3, 10, true},
      {"twice the same ingested one", 5, 5, 5, 5, false},
      {"two bottommost ones", 0, 0, 0, 0, true},
      {"an ingested one that ends a flushed one", 10, 10, 3, 10, true},
  };
  for (const Level0Case& c : cases) {
    CAPTURE(c.what);
    const auto version =
        Building()
            .Apply(AddFiles(0, {MakeFile(4, "a", "b", c.older_first, c.older_last),
                                MakeFile(5, "c", "d", c.newer_first, c.newer_last)}))
            .Build();
    CHECK_EQ(version != nullptr, c.fine);
  }
}

FileDescription WithEpoch(FileDescription file, uint64_t epoch) {
  file.epoch = epoch;
  return file;
}

TEST_CASE("VersionBuilder: epochs order level 0 once every file has one") {
  const FileDescription old_epoch = WithEpoch(MakeFile(4, "a", "b", 6, 9), 1);
  const FileDescription new_epoch = WithEpoch(MakeFile(5, "c", "d", 1, 5), 2);
  auto version = Building().Apply(AddFiles(0, {old_epoch, new_epoch})).Build();
  REQUIRE(version);
  CHECK_EQ(Numbers(*version, 0), std::vector<FileNumber>{5, 4});

  version = Building()
                .Apply(AddFiles(0, {old_epoch, new_epoch}))
                .Apply(AddFiles(6, {MakeFile(3, "a", "z", 0, 0)}))
                .Build();
  REQUIRE(version);
  CHECK_EQ(Numbers(*version, 0), std::vector<FileNumber>{4, 5});
}

TEST_CASE("VersionBuilder: epochs that contradict sequences of overlapping files are refused") {
  const auto files = [](uint64_t epoch_of_older, uint64_t epoch_of_newer) {
    return AddFiles(0, {WithEpoch(MakeFile(4, "a", "m", 1, 5), epoch_of_older),
                        WithEpoch(MakeFile(5, "g", "z", 6, 9), epoch_of_newer)});
  };
  CHECK(Building().Apply(files(1, 2)).Build());
  CHECK(Contains(Building().Apply(files(2, 1)).Refusal(), "contradict"));
  CHECK(Contains(Building().Apply(files(2, 2)).Refusal(), "same epoch"));
}

VersionEdit Blob(FileNumber number, uint64_t blobs, uint64_t bytes) {
  VersionEdit edit;
  edit.blob_additions.push_back({number, blobs, bytes, "", ""});
  return edit;
}

VersionEdit Garbage(FileNumber number, uint64_t blobs, uint64_t bytes) {
  VersionEdit edit;
  edit.blob_garbage.push_back({number, blobs, bytes});
  return edit;
}

TEST_CASE("VersionBuilder: blob files live as long as a table may need them") {
  FileDescription table = MakeFile(9, "a", "c");
  table.oldest_blob_file = 5;
  Building building;
  building.Apply(Blob(4, 2, 200)).Apply(Blob(5, 2, 200)).Apply(Blob(6, 2, 200));
  building.Apply(Blob(7, 2, 200)).Apply(AddFiles(1, {table}));
  building.Apply(Garbage(5, 2, 200)).Apply(Garbage(6, 1, 100)).Apply(Garbage(7, 2, 200));
  const auto version = building.Build();
  REQUIRE(version);
  std::vector<FileNumber> live;
  for (const BlobFileMetadata& blob : version->blob_files()) live.push_back(blob.number);
  CHECK_EQ(live, std::vector<FileNumber>{5, 6});  // 4: too old; 7: all garbage, unreferenced.
}

TEST_CASE("VersionBuilder: blob files that do not add up are refused") {
  CHECK(Contains(Building().Apply(Blob(4, 2, 9)).Apply(Blob(4, 2, 9)).Refusal(), "blob file 4"));
  CHECK(Contains(Building().Apply(Garbage(4, 1, 1)).Refusal(), "blob file 4"));
  CHECK(Contains(Building().Apply(Blob(4, 2, 9)).Apply(Garbage(4, 3, 9)).Refusal(), "garbage"));
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  CHECK(Contains(
      Building().Apply(Blob(4, 2, 9)).Apply(Garbage(4, 1, 5)).Apply(Garbage(4, 1, most)).Refusal(),
      "garbage"));
}

TEST_CASE("VersionBuilder: LevelDB's files get sequences in the order of their numbers") {
  // As LevelDB flushes them: the bounds' sequences lie somewhere in each file's range.
  const auto leveldb = [](FileNumber number, Sequence smallest, Sequence largest) {
    FileDescription file;
    file.number = number;
    file.smallest = EncodeInternalKey({"a", smallest, ValueType::kValue});
    file.largest = EncodeInternalKey({"z", largest, ValueType::kDeletion});
    file.sequences_known = false;
    return file;
  };
  Building building;
  building.Apply(AddFiles(0, {leveldb(5, 11, 10), leveldb(11, 33, 32), leveldb(8, 22, 21)}));
  building.Apply(AddFiles(2, {leveldb(3, 5, 4)}));
  const auto version = building.Build(40);
  REQUIRE(version);
  CHECK_EQ(Numbers(*version, 0), std::vector<FileNumber>{11, 8, 5});
  const auto range = [&](int level, size_t i) {
    const FileDescription& d = version->files(level)[i]->description;
    CHECK(d.sequences_known);
    return std::pair(d.smallest_sequence, d.largest_sequence);
  };
  CHECK_EQ(range(0, 0), std::pair<Sequence, Sequence>(32, 40));
  CHECK_EQ(range(0, 1), std::pair<Sequence, Sequence>(21, 31));
  CHECK_EQ(range(0, 2), std::pair<Sequence, Sequence>(10, 20));
  CHECK_EQ(range(2, 0), std::pair<Sequence, Sequence>(0, 40));
}

TEST_CASE("VersionBuilder: files of a foreign order are kept by number, unchecked") {
  VersionBuilder builder(nullptr, nullptr, 7);
  REQUIRE(builder.Apply(AddFiles(1, {MakeFile(9, "a", "z"), MakeFile(5, "m", "b")})).ok());
  const auto version = builder.Build(nullptr, 1000);
  REQUIRE(version.ok());
  CHECK_EQ(Numbers(**version, 1), std::vector<FileNumber>{5, 9});
}

TEST_CASE("VersionBuilder: files of levels that there are no more may have been there") {
  const VersionEdit deep = AddFiles(9, {MakeFile(4, "a", "c")});
  CHECK(Building().Apply(deep).Apply(Delete(9, 4)).Build() != nullptr);
  CHECK(Contains(Building().Apply(deep).Refusal(), "table 4 is on level 9"));
  CHECK(Contains(Building().Apply(AddFiles(64, {MakeFile(4, "a", "c")})).Refusal(),
                 "table 4 is on level 64 of at most 64 levels"));
}

}  // namespace
}  // namespace varve
