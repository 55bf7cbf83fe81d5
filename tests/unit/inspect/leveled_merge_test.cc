// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/space/leveled_merge.h"

#include <doctest/doctest.h>

#include <random>

#include "core/inspect/space/space.h"
#include "tests/unit/version/table_fixture.h"

namespace varve {
namespace {

// What a walk must show: every entry with its level, and whether something newer covers it.
struct Expected {
  TestEntry entry;
  int level = 0;
};

std::string Text(const InternalKey& key, int level, bool covered) {
  return "L" + std::to_string(level) + ":" + std::string(key.user_key) + "@" +
         std::to_string(key.sequence) + (covered ? "!" : "") + " ";
}

std::string Walk(LeveledMerge& merge, const std::optional<std::string>& from) {
  std::string text;
  for (merge.Seek(from); merge.Valid(); merge.Next()) {
    text += Text(merge.key(), merge.level(), merge.covered());
  }
  return merge.status().ok() ? text : text + merge.status().ToString();
}

TEST_CASE("LeveledMerge: entries of all levels in order, each with its level and what covers it") {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    TableFixture tables;
    std::vector<Expected> all;
    std::vector<RangeTombstone> deletions;
    std::vector<LogEntry> logged;
    std::vector<RangeTombstone> log_deletions;
    Sequence sequence = 0;
    for (const int level : {6, 1, 0, 0, kWalLevel}) {
      std::vector<TestEntry> entries;
      std::vector<RangeTombstone> own;
      for (int i = 0; i < 12; ++i) {
        const std::string key(1, static_cast<char>('a' + random() % 10));
        entries.push_back({key, ++sequence, ValueType::kValue, "v"});
        if (random() % 6 == 0) own.push_back({key, key + "zz", ++sequence});
      }
      SortEntries(*BytewiseComparator(), &entries);
      for (const TestEntry& e : entries) all.push_back({e, level});
      deletions.insert(deletions.end(), own.begin(), own.end());
      if (level != kWalLevel) {
        tables.Add(level, entries, own);
        continue;
      }
      for (const TestEntry& e : entries)
        logged.push_back({e.user_key, e.sequence, e.type, e.value});
      log_deletions = own;
    }
    std::sort(all.begin(), all.end(), [](const Expected& a, const Expected& b) {
      return EntryBefore(*BytewiseComparator(), a.entry.key(), b.entry.key());
    });
    const auto version = tables.Build();
    LeveledMerge merge(*BytewiseComparator(), *version, logged, log_deletions);
    REQUIRE(merge.Open().ok());
    // Twice from the first, then from keys.
    for (const std::optional<std::string>& from :
         {std::optional<std::string>(), std::optional<std::string>(),
          std::optional<std::string>("c"), std::optional<std::string>("cc"),
          std::optional<std::string>("zzz")}) {
      std::string expected;
      for (const Expected& e : all) {
        if (from && e.entry.user_key < *from) continue;
        bool covered = false;
        for (const RangeTombstone& t : deletions) {
          covered = covered || (t.sequence > e.entry.sequence && t.begin <= e.entry.user_key &&
                                e.entry.user_key < t.end);
        }
        expected += Text(e.entry.key(), e.level, covered);
      }
      CHECK_EQ(Walk(merge, from), expected);
    }
  }
}

TEST_CASE("LeveledMerge: nothing is nothing") {
  TableFixture tables;
  const auto version = tables.Build();
  LeveledMerge merge(*BytewiseComparator(), *version, {}, {});
  REQUIRE(merge.Open().ok());
  CHECK_EQ(Walk(merge, std::nullopt), "");
}

TEST_CASE("LeveledMerge: a table that is damaged or missing ends the walk, and is named") {
  TableFixture tables;
  tables.Add(0, {{"a", 9, ValueType::kValue, "v"}});
  const FileNumber deeper = tables.Add(6, {{"b", 3, ValueType::kValue, "v"}});
  const auto version = tables.Build();
  tables.Damage(deeper);
  LeveledMerge merge(*BytewiseComparator(), *version, {}, {});
  REQUIRE(merge.Open().ok());
  const std::string walked = Walk(merge, std::nullopt);
  CHECK_MESSAGE(walked.find(TableFileName(deeper) + "@0") != std::string::npos, walked);
  TableFixture missing;
  missing.Add(0, {{"b", 3, ValueType::kValue, "v"}});
  const auto without = missing.Build();
  missing.RemoveFiles();
  LeveledMerge gone(*BytewiseComparator(), *without, {}, {});
  CHECK(gone.Open().code() == Code::kNotFound);
}

}  // namespace
}  // namespace varve
