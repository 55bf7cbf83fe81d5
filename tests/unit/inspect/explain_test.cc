// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/explain.h"

#include <random>

#include "tests/unit/inspect/inspected_db.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

// Puts, deletions, operands and range deletions in logs, level 0 and a lower level.
struct Fixture : InspectedDb {
  Fixture() {
    options.family.merge_operator = MergeOperatorByName("stringappend");
    db.reset();
    auto opened = DB::Open(options, "db");
    REQUIRE(opened.ok());
    db = *std::move(opened);
    std::mt19937_64 random(7);
    for (int i = 0; i < 400; ++i) {
      const std::string key = Key(static_cast<int>(random() % 40));
      const std::string value = "v" + std::to_string(i);
      WriteBatch batch;
      switch (random() % 6) {
        case 0:
          batch.Delete(key);
          break;
        case 1:
          batch.Merge(key, value);
          break;
        case 2:
          batch.DeleteRange(key, key + "5");
          break;
        default:
          batch.Put(key, value);
      }
      REQUIRE(db->Write({}, batch).ok());
      if (i % 100 == 99 && i < 399) Flush();
      if (i == 150) REQUIRE(db->CompactRange({}, std::nullopt, std::nullopt).ok());
    }
  }
  static std::string Key(int i) { return std::to_string(100 + i); }
  ExplainedGet Explain(const std::string& key, std::optional<Sequence> at = {}) {
    const auto explained = ExplainGet(fs, "db", {.key = key, .at = at});
    REQUIRE_MESSAGE(explained.ok(), explained.status().ToString());
    return *explained;
  }
  std::string Get(const std::string& key) {
    const auto value = db->Get({}, key);
    REQUIRE(value.ok());
    return value->has_value() ? (*value)->ToString() : "none";
  }
};

std::string Answer(const ExplainedGet& get) {
  if (!get.failure.ok()) return get.failure.ToString();
  return get.found ? get.value : "none";
}

TEST_CASE("ExplainGet: its answer is a Get's, for every key, there or not") {
  Fixture t;
  int found = 0;
  for (int i = -2; i < 45; ++i) {
    CAPTURE(i);
    const ExplainedGet explained = t.Explain(Fixture::Key(i));
    CHECK_EQ(Answer(explained), t.Get(Fixture::Key(i)));
    CHECK_EQ(explained.at, 400);
    found += explained.found ? 1 : 0;
  }
  CHECK_GT(found, 15);
}

TEST_CASE("ExplainGet: the steps go from the memtable down, and end where the answer is") {
  Fixture t;
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    const ExplainedGet explained = t.Explain(Fixture::Key(i));
    REQUIRE_FALSE(explained.steps.empty());
    CHECK_EQ(explained.steps.front().source, "memtable");
    int level = 0;
    for (size_t step = 1; step < explained.steps.size(); ++step) {
      CHECK_EQ(explained.steps[step].source, "file");
      CHECK_GE(explained.steps[step].level, level);
      level = explained.steps[step].level;
      // A range deletion over the key ends the search, except in a level that cuts a key.
      const ExplainStep& before = explained.steps[step - 1];
      if (before.look.covered_by != 0) CHECK((level > 0 && before.level == level));
    }
    const std::string& last = explained.steps.back().verdict;
    if (explained.found && !explained.merged) CHECK_EQ(last, "hit");
    if (explained.file != 0 && explained.found) {
      CHECK(std::any_of(explained.steps.begin(), explained.steps.end(),
                        [&](const ExplainStep& step) { return step.file == explained.file; }));
    }
  }
}

TEST_CASE("ExplainMultiGet: each key has the answer that it has alone, in the order of asking") {
  Fixture t;
  const std::vector<std::string> keys = {"139", "100", "nothing", "100", "117"};
  const auto batch = ExplainMultiGet(t.fs, "db", {}, keys);
  REQUIRE_MESSAGE(batch.ok(), batch.status().ToString());
  REQUIRE_EQ(batch->keys.size(), keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    CHECK_EQ(batch->keys[i].key, keys[i]);
    CHECK_EQ(Answer(batch->keys[i]), t.Get(keys[i]));
  }
}

TEST_CASE("ExplainGet: damage on the way is the Get's failure, with its place") {
  InspectedDb t;
  t.Put("a", "1");
  t.Put("c", "1");
  t.Flush();
  t.Close();
  const std::string table = t.Tables().front();
  t.Flip(table, 3);
  const auto explained = ExplainGet(t.fs, "db", {.key = "a"});
  REQUIRE(explained.ok());
  CHECK(explained->failure.code() == Code::kCorruption);
  CHECK(explained->failure.message().find(table + "@0") != std::string::npos);
  CHECK_EQ(explained->steps.back().verdict, "unreadable");
  CHECK_EQ(Answer(*ExplainGet(t.fs, "db", {.key = "z"})), "none");  // Beside it.
}

TEST_CASE(
    "ExplainGet: a sequence that is yet to come, and families that are not there, are refused") {
  InspectedDb t;
  t.Put("a", "1");
  CHECK(ExplainGet(t.fs, "db", {.key = "a", .at = 9}).status().code() == Code::kInvalidArgument);
  CHECK_FALSE(ExplainGet(t.fs, "db", {.family = "nobody", .key = "a"}).ok());
  CHECK_EQ(Answer(*ExplainGet(t.fs, "db", {.key = "a", .at = 0})), "none");
}

}  // namespace
}  // namespace varve
