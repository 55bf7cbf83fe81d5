// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/get.h"

#include <doctest/doctest.h>

#include "core/engine/read/multiget.h"
#include "tests/unit/engine/history.h"
#include "tests/unit/engine/tree.h"

namespace varve {
namespace {

std::optional<std::string> Get(const History& history, std::string_view key, Sequence at) {
  Result<std::optional<Value>> value = GetFromView(*history.View(), {}, key, at);
  REQUIRE(value.ok());
  if (!value->has_value()) return std::nullopt;
  return (*value)->ToString();
}

TEST_CASE("GetFromView: finds the newest version at the moment, whichever memtable has it") {
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

TEST_CASE("MultiGetFromView: an empty batch has no answers") {
  History history;
  CHECK(MultiGetFromView(*history.View(), {}, {}, 0).empty());
}

}  // namespace
}  // namespace varve
