// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/get.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "core/engine/read/db_iterator.h"
#include "core/engine/read/multiget.h"
#include "tests/unit/engine/history.h"
#include "tests/unit/engine/inline_db.h"
#include "tests/unit/engine/tree.h"

namespace varve {
namespace {

std::optional<std::string> Get(const History& history, std::string_view key, Sequence at) {
  Result<std::optional<Value>> value = GetFromView(*history.View(), {}, key, at);
  REQUIRE(value.ok());
  if (!value->has_value()) return std::nullopt;
  return (*value)->ToString();
}

TEST_CASE("GetFromView: finds the newest version at the sequence number, in any memtable") {
  History history;
  const Sequence first = history.Put("a", "1");
  history.Seal();
  const Sequence second = history.Put("a", "2");
  const Sequence third = history.Delete("a");
  CHECK(Get(history, "a", 0) == std::nullopt);
  CHECK(Get(history, "a", first) == "1");
  CHECK(Get(history, "a", second) == "2");
  CHECK(Get(history, "a", third) == std::nullopt);
  CHECK(Get(history, "b", third) == std::nullopt);
}

TEST_CASE(
    "NewestSequence: of a put, a merge operand, a deletion, a range deletion, in any memtable") {
  History history;
  const auto newest = [&](std::string_view key) {
    const Result<Sequence> sequence = NewestSequence(*history.View(), key, kMaxSequence - 1);
    REQUIRE(sequence.ok());
    return *sequence;
  };
  CHECK_EQ(newest("a"), 0);
  const Sequence put = history.Put("a", "1");
  CHECK_EQ(newest("a"), put);
  history.Seal();
  CHECK_EQ(newest("a"), put);
  const Sequence deleted = history.Delete("a");
  CHECK_EQ(newest("a"), deleted);
  history.Seal();
  const Sequence merged = history.Merge("a", "+");
  CHECK_EQ(newest("a"), merged);
  CHECK_EQ(newest("b"), 0);
  const Sequence range = history.DeleteRange("b", "c");
  CHECK_EQ(newest("b"), range);
  CHECK_EQ(newest("c"), 0);
}

// Of a snapshot that knew the key, a compaction keeps what ended it; a key that came and went after
// a snapshot is as if it had never been there.
TEST_CASE("NewestSequence: a snapshot keeps the changes of what it shows") {
  InlineDb database;
  database.Open();
  DB& db = *database.db;
  REQUIRE(db.Put({}, "known", "1").ok());
  const Snapshot snapshot = db.GetSnapshot();
  REQUIRE(db.Delete({}, "known").ok());
  for (const char* key : {"new", "passing"}) REQUIRE(db.Put({}, key, "1").ok());
  REQUIRE(db.Delete({}, "passing").ok());
  REQUIRE(db.CompactRange({.force_bottommost = true}, {}, {}).ok());
  CHECK_GT(*db.NewestSequence("known"), snapshot.sequence());
  CHECK_GT(*db.NewestSequence("new"), snapshot.sequence());
  CHECK_EQ(*db.NewestSequence("passing"), 0);
}

TEST_CASE("GetFromView: a value outlives the view it came from") {
  std::optional<Value> value;
  {
    History history;
    history.Put("a", std::string(100, 'x'));
    value = *GetFromView(*history.View(), {}, "a", history.last());
  }
  CHECK(value->view() == std::string(100, 'x'));
}

TEST_CASE("GetFromView: operands without a known operator are refused, not shown as values") {
  History history;
  history.Merge("a", "1");
  auto view = std::make_shared<ReadView>(*history.View());
  view->merge_operator = nullptr;
  CHECK(GetFromView(*view, {}, "a", history.last()).status().code() == Code::kNotSupported);
}

TEST_CASE("GetFromView and MultiGetFromView: random histories agree with the model") {
  for (uint32_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    History history(seed % 3 == 0 ? ReverseBytewiseComparator() : BytewiseComparator());
    history.AddRandom(random, 300, 60);
    const Sequence at = random() % (history.last() + 1);
    std::vector<std::string> keys;
    for (int i = 0; i < 100; ++i) keys.push_back(History::RandomKey(random, 70));
    const std::vector<std::string_view> batch(keys.begin(), keys.end());
    const auto values = MultiGetFromView(*history.View(), {}, batch, at);
    REQUIRE(values.size() == keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      const std::optional<std::string> expected = history.Expected(keys[i], at);
      REQUIRE(Get(history, keys[i], at) == expected);
      REQUIRE(values[i].ok());
      REQUIRE((*values[i]).has_value() == expected.has_value());
      if (expected.has_value()) REQUIRE((*values[i])->view() == *expected);
    }
  }
}

TEST_CASE("GetFromView and MultiGetFromView: the same over memtables, level-0 tables and levels") {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    History history(seed % 3 == 0 ? ReverseBytewiseComparator() : BytewiseComparator());
    history.AddRandom(random, 400, 60);
    Tree tree(history);
    const auto view = tree.View(random);
    const Sequence at = random() % (history.last() + 1);
    std::vector<std::string> keys;
    for (int i = 0; i < 100; ++i) keys.push_back(History::RandomKey(random, 70));
    const std::vector<std::string_view> batch(keys.begin(), keys.end());
    const auto each = MultiGetFromView(*view, {}, batch, at, {.mode = MultiGetMode::kPerKey});
    const auto grouped = MultiGetFromView(*view, {}, batch, at, {.mode = MultiGetMode::kGrouped});
    const auto piped = MultiGetFromView(*view, {}, batch, at, {.mode = MultiGetMode::kPipeline});
    for (size_t i = 0; i < keys.size(); ++i) {
      CAPTURE(keys[i]);
      const std::optional<std::string> expected = history.Expected(keys[i], at);
      for (const auto& value : {each[i], grouped[i], piped[i]}) {
        REQUIRE(value.ok());
        REQUIRE((*value).has_value() == expected.has_value());
        if (expected.has_value()) REQUIRE((*value)->view() == *expected);
      }
    }
  }
}

// All of the history, in one of the ways that open tables.
bool ReadsAll(const History& history, const std::shared_ptr<const ReadView>& view, size_t way) {
  const Entries expected = history.ExpectedEntries(history.last());
  if (way == 0) {
    return std::ranges::all_of(expected, [&](const auto& entry) {
      const auto value = GetFromView(*view, {}, entry.first, history.last());
      return value.ok() && value->has_value() && (*value)->view() == entry.second;
    });
  }
  if (way == 1) {
    const auto it = DbIterator::Create(view, history.last(), {});
    size_t found = 0;
    for (it->SeekToFirst(); it->Valid() && found < expected.size(); it->Next(), ++found) {
      if (it->key() != expected[found].first || it->value() != expected[found].second) return false;
    }
    return it->status().ok() && !it->Valid() && found == expected.size();
  }
  std::vector<std::string_view> keys;
  for (const auto& entry : expected) keys.push_back(entry.first);
  const auto mode =
      std::array{MultiGetMode::kPerKey, MultiGetMode::kGrouped, MultiGetMode::kPipeline}.at(way -
                                                                                            2);
  const auto values = MultiGetFromView(*view, {}, keys, history.last(), {.mode = mode});
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!values[i].ok() || !values[i]->has_value()) return false;
    if ((*values[i])->view() != expected[i].second) return false;
  }
  return true;
}

// The test hands nothing from one thread to the other: what the second may see of the tables that
// the first has opened is the engine's to see to. With tsan, anything that is missing is a race,
// each time.
TEST_CASE("GetFromView and others: a table that one thread opened is whole for the next one") {
  constexpr size_t kWays = 5;
  for (size_t pair = 0; pair < kWays * kWays; ++pair) {
    CAPTURE(pair);
    std::mt19937 random(static_cast<uint32_t>(pair));
    History history;
    history.AddRandom(random, 400, 60);
    Tree tree(history);
    const auto view = tree.View(random);
    std::atomic<bool> opened{false};
    bool first = false, second = false;
    std::thread opener([&] {
      first = ReadsAll(history, view, pair / kWays);
      opened.store(true, std::memory_order_relaxed);
    });
    std::thread reader([&] {
      while (!opened.load(std::memory_order_relaxed)) std::this_thread::yield();
      second = ReadsAll(history, view, pair % kWays);
    });
    opener.join();
    reader.join();
    CHECK(first);
    CHECK(second);
  }
}

TEST_CASE("MultiGetFromView: an empty batch has no answers") {
  History history;
  CHECK(MultiGetFromView(*history.View(), {}, {}, 0).empty());
}

}  // namespace
}  // namespace varve
