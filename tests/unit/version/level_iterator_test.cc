// SPDX-License-Identifier: Apache-2.0
#include "core/version/level_iterator.h"

#include <doctest/doctest.h>

#include <random>

#include "tests/unit/iterator/iterator_suite.h"
#include "tests/unit/version/table_fixture.h"

namespace varve {
namespace {

class Level {
 public:
  Level(const Comparator& comparator, int max_open_files) : tables_(comparator, max_open_files) {}

  FileNumber Add(const std::vector<TestEntry>& entries,
                 const std::vector<RangeTombstone>& tombstones = {}) {
    return tables_.Add(1, entries, tombstones);
  }
  // Cuts `entries` into tables of about `size` entries, anywhere.
  void AddCut(const std::vector<TestEntry>& entries, uint64_t size, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<TestEntry> file;
    for (const TestEntry& entry : entries) {
      file.push_back(entry);
      if (random() % size == 0) Add(std::exchange(file, {}));
    }
    if (!file.empty()) Add(file);
  }
  std::unique_ptr<InternalIterator> NewIterator(const KeyBounds& bounds = {},
                                                TombstoneCollector* tombstones = nullptr) {
    if (version_ == nullptr) version_ = tables_.Build();
    return NewLevelIterator(*version_, version_->index(1), {}, bounds, tombstones);
  }
  TableFixture& tables() { return tables_; }
  const Version& version() const { return *version_; }

 private:
  TableFixture tables_;
  std::shared_ptr<const Version> version_;
};

TestEntry Put(std::string key) { return {std::move(key), 5, ValueType::kValue, "v"}; }

std::string Keys(InternalIterator* it) {
  std::string keys;
  for (it->SeekToFirst(); it->Valid(); it->Next()) keys += it->key().user_key;
  CHECK(it->status().ok());
  return keys;
}

TEST_CASE("LevelIterator: one table or many look the same") {
  for (const Comparator* comparator : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    for (const uint64_t size : {1, 7, 1000}) {
      for (const int max_open_files : {-1, 1}) {
        const std::vector<TestEntry> entries = RandomEntries(*comparator, 150, size);
        Level level(*comparator, max_open_files);
        level.AddCut(entries, size, size);
        RunIteratorSuite(*comparator, entries, [&] { return level.NewIterator(); }, size);
      }
    }
  }
}

TEST_CASE("LevelIterator: a level without tables is empty") {
  Level level(*BytewiseComparator(), -1);
  RunIteratorSuite(*BytewiseComparator(), {}, [&] { return level.NewIterator(); });
}

TEST_CASE("LevelIterator: tables of nothing but tombstones are passed through, and heard") {
  Level level(*BytewiseComparator(), -1);
  level.Add({Put("a"), Put("c")});
  level.Add({}, {{"d", "m", 7}});
  level.Add({}, {{"n", "p", 8}});
  level.Add({Put("x")});
  RunIteratorSuite(*BytewiseComparator(), {Put("a"), Put("c"), Put("x")},
                   [&] { return level.NewIterator(); });
  for (const bool forward : {true, false}) {
    TombstoneCollector tombstones(*BytewiseComparator(), kMaxSequence);
    const auto it = level.NewIterator({}, &tombstones);
    if (forward) {
      it->Seek(LookupKey("c", kMaxSequence));
      it->Next();
      CHECK_EQ(it->key().user_key, "x");
    } else {
      it->SeekToLast();
      it->Prev();
      CHECK_EQ(it->key().user_key, "c");
    }
    CHECK(tombstones.Covers({"e", 3, ValueType::kValue}));
    CHECK(tombstones.Covers({"o", 3, ValueType::kValue}));
    CHECK_FALSE(tombstones.Covers({"m", 3, ValueType::kValue}));
    CHECK_FALSE(tombstones.Covers({"e", 9, ValueType::kValue}));
  }
}

TEST_CASE("LevelIterator: a tombstone hides nothing outside its file") {
  TableFixture tables;
  FileDescription narrow;
  tables.Add(1, {Put("a"), Put("c")}, {{"a", "z", 7}});
  auto wide = tables.Build();
  narrow = wide->files(1)[0]->description;
  // As after a compaction that cut the level at "d": the table still holds the whole tombstone.
  narrow.largest = EncodeInternalKey({"d", kMaxSequence, ValueType::kRangeDeletion});
  const auto version = MakeVersion(AddFiles(1, {narrow}), *BytewiseComparator(), 7, tables.cache());
  TombstoneCollector tombstones(*BytewiseComparator(), kMaxSequence);
  const auto it = NewLevelIterator(*version, version->index(1), {}, {}, &tombstones);
  it->SeekToFirst();
  CHECK(tombstones.Covers({"b", 3, ValueType::kValue}));
  CHECK_FALSE(tombstones.Covers({"d", 3, ValueType::kValue}));
  CHECK_FALSE(tombstones.Covers({"e", 3, ValueType::kValue}));
}

TEST_CASE("LevelIterator: tables outside the bounds are never opened") {
  for (const int lost : {1, 4}) {
    Level level(*BytewiseComparator(), -1);
    for (const char* keys : {"ab", "fg", "kl", "pq"}) {
      level.Add({Put(std::string(1, keys[0])), Put(std::string(1, keys[1]))});
    }
    const KeyBounds bounds = {.lower = "g", .upper = "p"};
    const auto it = level.NewIterator(bounds);
    level.tables().RemoveFile(static_cast<FileNumber>(lost));
    CHECK_EQ(Keys(it.get()), "fgkl");
    it->SeekToLast();
    CHECK_EQ(it->key().user_key, "l");
    it->Seek(LookupKey("m", kMaxSequence));
    CHECK_FALSE(it->Valid());
    CHECK(it->status().ok());
    it->SeekForPrev({"e", 0, ValueType::kDeletion});
    CHECK_FALSE(it->Valid());
    CHECK(it->status().ok());
    it->Seek(LookupKey("a", kMaxSequence));
    CHECK_EQ(it->key().user_key, "f");
    it->SeekForPrev({"z", 0, ValueType::kDeletion});
    CHECK_EQ(it->key().user_key, "l");
  }
}

TEST_CASE("LevelIterator: bounds that no table meets make an empty iterator") {
  Level level(*BytewiseComparator(), -1);
  level.Add({Put("a"), Put("c")});
  level.Add({Put("m")});
  for (const KeyBounds& bounds :
       {KeyBounds{.lower = "d", .upper = "e"}, KeyBounds{.lower = "z", .upper = std::nullopt},
        KeyBounds{.lower = std::nullopt, .upper = "a"}, KeyBounds{.lower = "x", .upper = "b"}}) {
    const auto it = level.NewIterator(bounds);
    CHECK_EQ(Keys(it.get()), "");
    it->SeekToLast();
    CHECK_FALSE(it->Valid());
    it->Seek(LookupKey("b", 9));
    CHECK_FALSE(it->Valid());
    it->SeekForPrev(LookupKey("z", 9));
    CHECK_FALSE(it->Valid());
  }
}

TEST_CASE("LevelIterator: a table that does not open fails there, and a seek elsewhere recovers") {
  Level level(*BytewiseComparator(), -1);
  level.Add({Put("a")});
  const FileNumber lost = level.Add({Put("m")});
  level.Add({Put("z")});
  const auto it = level.NewIterator();
  level.tables().RemoveFile(lost);
  it->SeekToFirst();
  REQUIRE(it->Valid());
  it->Next();
  CHECK_FALSE(it->Valid());
  CHECK_EQ(it->status().code(), Code::kNotFound);
  it->Seek(LookupKey("n", kMaxSequence));
  REQUIRE(it->Valid());
  CHECK_EQ(it->key().user_key, "z");
  CHECK(it->status().ok());
}

TEST_CASE("LevelIterator: a table whose block is damaged is no table without entries") {
  Level level(*BytewiseComparator(), -1);
  level.Add({Put("a")});
  const FileNumber damaged = level.Add({Put("m")});
  level.Add({Put("z")});
  level.tables().Damage(damaged);
  const auto it = level.NewIterator();
  it->SeekToFirst();
  REQUIRE(it->Valid());
  it->Next();
  CHECK_FALSE(it->Valid());
  CHECK_EQ(it->status().code(), Code::kCorruption);
  it->SeekToLast();
  REQUIRE(it->Valid());
  it->Prev();
  CHECK_FALSE(it->Valid());
  CHECK_EQ(it->status().code(), Code::kCorruption);
}

}  // namespace
}  // namespace varve
