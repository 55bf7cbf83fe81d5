// SPDX-License-Identifier: Apache-2.0
#include "core/version/version.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "core/iterator/merging_iterator.h"
#include "tests/unit/iterator/iterator_suite.h"
#include "tests/unit/version/table_fixture.h"

namespace varve {
namespace {

std::vector<TestEntry> Puts(const std::vector<std::pair<std::string, Sequence>>& keys) {
  std::vector<TestEntry> entries;
  for (const auto& [key, sequence] : keys) {
    entries.push_back({key, sequence, ValueType::kValue, key + "@" + std::to_string(sequence)});
  }
  return entries;
}

std::string Get(const Version& version, std::string_view key, Sequence at = kMaxSequence) {
  Lookup lookup(key, at);
  version.Get(ReadOptions{}, &lookup);
  if (lookup.state == Lookup::State::kFailed) return lookup.status.ToString();
  if (lookup.state == Lookup::State::kFound) return lookup.value.ToString();
  return lookup.state == Lookup::State::kDeleted ? "deleted" : "absent";
}

// By Get(), and by MultiGet() grouped and as a pipeline.
std::array<Lookup, 3> LookUpEachWay(const Version& version, std::string_view key) {
  std::array<Lookup, 3> lookups;
  lookups.fill(Lookup(key, kMaxSequence));
  version.Get(ReadOptions{}, &lookups[0]);
  Lookup* batch[] = {&lookups[1]};
  version.MultiGet(ReadOptions{}, {MultiGetMode::kGrouped, MultiGetIo::kPerFile}, batch);
  batch[0] = &lookups[2];
  version.MultiGet(ReadOptions{}, {}, batch);
  return lookups;
}

TEST_CASE("Version: a newer level-0 table hides an older one, level 0 hides the rest") {
  TableFixture tables;
  tables.Add(6, Puts({{"a", 1}, {"c", 2}, {"d", 3}}));
  tables.Add(0, Puts({{"a", 10}, {"b", 11}}));
  tables.Add(0, Puts({{"a", 20}}));
  const auto version = tables.Build();
  CHECK_EQ(Get(*version, "a"), "a@20");
  CHECK_EQ(Get(*version, "a", 19), "a@10");
  CHECK_EQ(Get(*version, "a", 5), "a@1");
  CHECK_EQ(Get(*version, "b"), "b@11");
  CHECK_EQ(Get(*version, "b", 10), "absent");
  CHECK_EQ(Get(*version, "d"), "d@3");
  CHECK_EQ(Get(*version, "bb"), "absent");
  CHECK_EQ(Get(*version, "e"), "absent");
}

TEST_CASE("Version: versions of a key on both sides of a file boundary are all found") {
  TableFixture tables;
  tables.Add(2, Puts({{"a", 9}, {"k", 8}}));
  tables.Add(2, Puts({{"k", 5}}));
  tables.Add(2, Puts({{"k", 2}, {"z", 1}}));
  const auto version = tables.Build();
  CHECK_EQ(Get(*version, "k", 8), "k@8");
  CHECK_EQ(Get(*version, "k", 7), "k@5");
  CHECK_EQ(Get(*version, "k", 4), "k@2");
  CHECK_EQ(Get(*version, "k", 1), "absent");
}

TEST_CASE("Version: a merge goes on in the next file and the next level") {
  TableFixture tables;
  tables.Add(1, {{"k", 9, ValueType::kMerge, "9"}});
  tables.Add(1, {{"k", 8, ValueType::kMerge, "8"}, {"l", 1, ValueType::kValue, ""}});
  tables.Add(3, {{"k", 2, ValueType::kValue, "base"}});
  const auto version = tables.Build();
  const auto operands = [](const Lookup& lookup) {
    std::string text;
    for (const Value& operand : lookup.operands) text += operand.ToString();
    return text;
  };
  for (const Lookup& lookup : LookUpEachWay(*version, "k")) {
    CHECK_EQ(lookup.state, Lookup::State::kMergedOnto);
    CHECK_EQ(operands(lookup), "98");
    CHECK_EQ(lookup.value.view(), "base");
  }
}

TEST_CASE("Version: a table that is gone fails the lookup and the iterator, not the process") {
  TableFixture tables;
  tables.Add(0, Puts({{"a", 9}}));
  tables.Add(1, Puts({{"m", 2}}));
  const auto version = tables.Build();
  tables.RemoveFiles();
  CHECK_NE(Get(*version, "a").find("not_found"), std::string::npos);
  for (const MultiGetMode mode : {MultiGetMode::kGrouped, MultiGetMode::kPipeline}) {
    Lookup lost("m", kMaxSequence), elsewhere("z", kMaxSequence);
    Lookup* batch[] = {&lost, &elsewhere};
    version->MultiGet(ReadOptions{}, {.mode = mode}, batch);
    CHECK_EQ(lost.state, Lookup::State::kFailed);
    CHECK_EQ(elsewhere.state, Lookup::State::kSearching);
  }
  std::vector<std::unique_ptr<InternalIterator>> children;
  version->AddIterators({}, nullptr, &children);
  REQUIRE_EQ(children.size(), 2);
  for (const auto& child : children) {
    child->SeekToFirst();
    CHECK_FALSE(child->Valid());
    CHECK_EQ(child->status().code(), Code::kNotFound);
  }
}

TEST_CASE("Version: a range deletion ends the search: what is below is not read") {
  TableFixture tables;
  tables.Add(0, {{"m", 30, ValueType::kMerge, "+"}}, {{"k", "p", 20}});
  tables.Add(0, Puts({{"k", 9}, {"q", 8}}));
  tables.Add(1, Puts({{"m", 2}}));
  const auto version = tables.Build();
  CHECK_EQ(Get(*version, "k", 1), "absent");  // Opens the tables of level 0.
  tables.RemoveFiles();
  CHECK_EQ(Get(*version, "k"), "deleted");
  CHECK_EQ(Get(*version, "l"), "deleted");
  Lookup merging("m", kMaxSequence);
  version->Get(ReadOptions{}, &merging);
  CHECK_EQ(merging.state, Lookup::State::kMergedOntoNothing);
  CHECK_NE(Get(*version, "m", 19).find("not_found"), std::string::npos);  // It is not seen then.
  for (const MultiGetMode mode : {MultiGetMode::kGrouped, MultiGetMode::kPipeline}) {
    Lookup deleted("k", kMaxSequence), merged("m", kMaxSequence);
    Lookup* batch[] = {&deleted, &merged};
    version->MultiGet(ReadOptions{}, {.mode = mode}, batch);
    CHECK_EQ(deleted.state, Lookup::State::kDeleted);
    CHECK_EQ(merged.state, Lookup::State::kMergedOntoNothing);
  }
}

// The range deletion is older than what the next file of the level has of the key.
TEST_CASE("Version: a range deletion does not end the search within a level that cuts a key") {
  TableFixture tables;
  tables.Add(1, {{"k", 9, ValueType::kMerge, "9"}}, {{"a", "z", 5}});
  tables.edit().new_files.back().file.largest =
      EncodeInternalKey({"k", 9, ValueType::kMerge});  // As RocksDB, which cuts no tombstone.
  tables.Add(1, {{"k", 8, ValueType::kMerge, "8"}, {"l", 1, ValueType::kValue, ""}});
  tables.Add(3, {{"k", 2, ValueType::kValue, "base"}});
  const auto version = tables.Build();
  for (const Lookup& lookup : LookUpEachWay(*version, "k")) {
    CHECK_EQ(lookup.state, Lookup::State::kMergedOntoNothing);
    CHECK_EQ(lookup.operands.size(), 2);
  }
}

// A random tree as compactions leave it: every version of a key above the older ones.
class RandomTree {
 public:
  RandomTree(const Comparator& comparator, uint64_t seed, int max_open_files)
      : tables_(comparator, max_open_files), random_(seed) {
    all_ = RandomEntries(comparator, 400, seed);
    // Sequences decide the level, so newer versions lie higher; some levels cut keys in two.
    std::map<int, std::vector<TestEntry>> levels;
    for (const TestEntry& entry : all_) {
      levels[entry.sequence > 300 ? 0 : entry.sequence > 200 ? 2 : 5].push_back(entry);
    }
    for (Sequence first = 301; first <= 400; first += 25) {
      std::vector<TestEntry> flush;
      for (const TestEntry& entry : levels[0]) {
        if (entry.sequence >= first && entry.sequence < first + 25) flush.push_back(entry);
      }
      tables_.Add(0, flush);
    }
    for (const int level : {2, 5}) {
      std::vector<TestEntry> file;
      for (const TestEntry& entry : levels[level]) {
        file.push_back(entry);
        if (random_() % 12 == 0) tables_.Add(level, std::exchange(file, {}));
      }
      if (!file.empty()) tables_.Add(level, file);
    }
    version_ = tables_.Build();
  }

  const Version& version() const { return *version_; }
  const std::vector<TestEntry>& all() const { return all_; }
  uint64_t Random(uint64_t bound) { return random_() % bound; }

  std::string RandomKey() {
    if (Random(4) == 0) return std::string(Random(6), "\0ab\xff"[Random(4)]);
    return all_[Random(all_.size())].user_key;
  }

  // What a lookup must end as: fed with all versions of the key, newest first.
  Lookup Expected(const std::string& key, Sequence at) const {
    Lookup lookup(key, at);
    for (const TestEntry& entry : all_) {
      if (entry.user_key != key || entry.sequence > at) continue;
      if (lookup.Feed(entry.sequence, entry.type, entry.value, nullptr)) break;
    }
    return lookup;
  }

  static void CheckSame(const Lookup& got, const Lookup& want) {
    REQUIRE_EQ(got.state, want.state);
    REQUIRE_EQ(got.value.view(), want.value.view());
    REQUIRE_EQ(got.operands.size(), want.operands.size());
    for (size_t i = 0; i < got.operands.size(); i++) {
      REQUIRE_EQ(got.operands[i].view(), want.operands[i].view());
    }
  }

 private:
  TableFixture tables_;
  std::mt19937_64 random_;
  std::vector<TestEntry> all_;
  std::shared_ptr<const Version> version_;
};

void LooksUpAsAScanWould(const Comparator& comparator, int max_open_files) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    CAPTURE(seed);
    RandomTree tree(comparator, seed, max_open_files);
    for (int i = 0; i < 300; i++) {
      const std::string key = tree.RandomKey();
      const Sequence at = tree.Random(2) == 0 ? kMaxSequence : tree.Random(420);
      Lookup lookup(key, at);
      tree.version().Get(ReadOptions{}, &lookup);
      RandomTree::CheckSame(lookup, tree.Expected(key, at));
    }
    for (int round = 0; round < 20; round++) {
      const Sequence at = round % 2 == 0 ? kMaxSequence : tree.Random(420);
      std::vector<std::string> keys(tree.Random(80));
      for (std::string& key : keys) key = tree.RandomKey();
      std::sort(keys.begin(), keys.end(), [&](const std::string& a, const std::string& b) {
        return comparator.Compare(a, b) < 0;
      });
      for (const MultiGetMode mode : {MultiGetMode::kGrouped, MultiGetMode::kPipeline}) {
        std::vector<Lookup> lookups;
        for (const std::string& key : keys) lookups.emplace_back(key, at);
        std::vector<Lookup*> batch;
        for (Lookup& lookup : lookups) batch.push_back(&lookup);
        tree.version().MultiGet(ReadOptions{}, {.mode = mode}, batch);
        for (size_t i = 0; i < keys.size(); i++) {
          RandomTree::CheckSame(lookups[i], tree.Expected(keys[i], at));
        }
      }
    }
  }
}

TEST_CASE("Version: gets, one or many, find what a scan of everything would") {
  LooksUpAsAScanWould(*BytewiseComparator(), -1);
  LooksUpAsAScanWould(*ReverseBytewiseComparator(), -1);
}

TEST_CASE("Version: the same with few tables open at a time") {
  LooksUpAsAScanWould(*BytewiseComparator(), 2);
}

TEST_CASE("Version: its iterators, merged, show every entry") {
  for (const int max_open_files : {-1, 2}) {
    RandomTree tree(*BytewiseComparator(), 7, max_open_files);
    RunIteratorSuite(*BytewiseComparator(), tree.all(), [&] {
      std::vector<std::unique_ptr<InternalIterator>> children;
      tree.version().AddIterators({}, nullptr, &children);
      return NewMergingIterator(*BytewiseComparator(), std::move(children));
    });
  }
}

TEST_CASE("Version: an opened table leaves its counts, and its reader where it is pinned") {
  TableFixture tables;
  tables.Add(1, {{"a", 2, ValueType::kValue, "v"}, {"b", 3, ValueType::kDeletion, ""}});
  const auto version = tables.Build();
  const FileMetadata& file = *version->files(1)[0];
  CHECK_EQ(file.pinned_reader.load(), nullptr);
  CHECK_EQ(Get(*version, "a"), "v");
  CHECK_NE(file.pinned_reader.load(), nullptr);
  CHECK_EQ(file.counts().entries, 2);
  CHECK_EQ(file.counts().deletions, 1);
}

TEST_CASE("Version: Overlapping takes inclusive ends and open ones") {
  const auto version = MakeVersion(
      AddFiles(1, {MakeFile(4, "b", "d"), MakeFile(5, "f", "h"), MakeFile(6, "j", "l")}),
      *BytewiseComparator());
  const auto numbers = [&](std::optional<std::string_view> begin,
                           std::optional<std::string_view> end) {
    std::string text;
    for (const FilePtr& file : version->Overlapping(1, begin, end)) {
      text += std::to_string(file->number());
    }
    return text;
  };
  CHECK_EQ(numbers(std::nullopt, std::nullopt), "456");
  CHECK_EQ(numbers("d", "f"), "45");
  CHECK_EQ(numbers("e", "e"), "");
  CHECK_EQ(numbers("h", std::nullopt), "56");
  CHECK_EQ(numbers(std::nullopt, "b"), "4");
  CHECK_EQ(numbers("m", std::nullopt), "");
  CHECK_EQ(numbers(std::nullopt, "a"), "");
}

}  // namespace
}  // namespace varve
