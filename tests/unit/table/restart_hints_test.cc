// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/restart_hints.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "block_maker.h"

namespace varve {
namespace {

RestartHints HintsOf(const std::string& bytes) {
  const Result<BlockView> view = ParseBlock(bytes);
  REQUIRE(view.ok());
  return RestartHints(*view);
}

// A restart point for each key.
RestartHints HintsOfKeys(const std::vector<std::string>& keys) { return HintsOf(PutsOf(keys, 1)); }

// restart_hints.h: a range with the last restart key before `key`, or the first one. As versions of
// the key itself may be on either side of what is looked for, those must be in it, too.
void CheckNarrow(const RestartHints& hints, const std::vector<std::string>& restarts,
                 const std::string& key) {
  const RestartHints::Range range = hints.Narrow(key);
  const auto below = static_cast<uint32_t>(std::lower_bound(restarts.begin(), restarts.end(), key) -
                                           restarts.begin());
  const auto not_above = static_cast<uint32_t>(
      std::upper_bound(restarts.begin(), restarts.end(), key) - restarts.begin());
  CAPTURE(key);
  REQUIRE_LE(range.left, range.right);
  REQUIRE_LT(range.right, restarts.size());
  REQUIRE_LE(range.left, below == 0 ? 0 : below - 1);
  REQUIRE_GE(range.right, not_above == 0 ? 0 : not_above - 1);
}

TEST_CASE("RestartHints: the range holds the restart point that a search wants, for every key") {
  std::mt19937 random(7);
  for (const size_t count : {1u, 2u, 6u, 7u, 8u, 15u, 100u}) {
    for (const std::string& prefix : {std::string(), std::string("user:"), std::string(32, 'p')}) {
      for (int round = 0; round < 20; ++round) {
        std::set<std::string> set;
        while (set.size() < count) {
          std::string key = prefix;
          for (uint32_t size = random() % 14; size > 0; --size) key += "\0ab\xff"[random() % 4];
          set.insert(key);
        }
        const std::vector<std::string> keys(set.begin(), set.end());
        const RestartHints hints = HintsOfKeys(keys);
        CHECK_FALSE(hints.disordered());
        if (hints.empty()) continue;  // The keys share more than 32 bytes by chance.
        CHECK_EQ(hints.complete(), count <= 7);
        for (const std::string& key : keys) {
          CheckNarrow(hints, keys, key);
          CheckNarrow(hints, keys, key + '\0');
          CheckNarrow(hints, keys, key.substr(0, key.size() / 2));
        }
        for (const char* key : {"", "\xff\xff", "use", "user:", "user;"})
          CheckNarrow(hints, keys, key);
      }
    }
  }
}

TEST_CASE("RestartHints: many restart points narrow to a few") {
  const std::vector<std::string> keys = NumberedKeys(700);
  const RestartHints hints = HintsOfKeys(keys);
  REQUIRE_FALSE(hints.empty());
  for (const std::string& key : keys) {
    const RestartHints::Range range = hints.Narrow(key);
    CHECK_LE(range.right - range.left, 2 * 700u / 7);
  }
}

TEST_CASE("RestartHints: complete ones have each restart point's offset") {
  const std::string bytes = PutsOf(NumberedKeys(100), 16);  // Seven restart points.
  const Result<BlockView> view = ParseBlock(bytes);
  const RestartHints hints = HintsOf(bytes);
  REQUIRE(hints.complete());
  for (uint32_t i = 0; i < view->num_restarts; ++i) {
    CHECK_EQ(hints.offset(i), view->restart_offset(i));
  }
}

TEST_CASE("RestartHints: none for an empty block, a large one, or keys that share too much") {
  CHECK(RestartHints().empty());
  CHECK(HintsOf(PutsOf({}, 16)).empty());
  BlockBuilder large({.restart_interval = 1});
  large.Add({"a", 7, ValueType::kValue}, std::string(65'000, 'v'));
  CHECK_FALSE(HintsOf(std::string(large.Finish())).empty());
  large.Reset();
  large.Add({"a", 7, ValueType::kValue}, std::string(66'000, 'v'));
  CHECK(HintsOf(std::string(large.Finish())).empty());
  const std::string shared(32, 'p');
  CHECK_FALSE(HintsOfKeys({shared + "a", shared + "b"}).empty());
  CHECK(HintsOfKeys({shared + "pa", shared + "pb"}).empty());
  CHECK_FALSE(HintsOfKeys({shared + "pa", shared + "pb"}).disordered());
}

TEST_CASE("RestartHints: none for what is no internal key, which is for readers to report") {
  BlockBuilder builder({.restart_interval = 1});
  builder.Add("1234567", "");  // Without the packed part's eighth byte.
  builder.Add("123456789", "");
  const RestartHints hints = HintsOf(std::string(builder.Finish()));
  CHECK(hints.empty());
  CHECK_FALSE(hints.disordered());
  std::string broken = PutsOf({"a", "b"}, 1);
  broken[0] = '\x05';  // The first entry shares with nobody.
  CHECK(HintsOf(broken).empty());
}

TEST_CASE("RestartHints: keys that do not ascend are said to be in disorder") {
  for (const std::vector<std::string>& keys : {std::vector<std::string>{"b", "a"},
                                               {"a", "c", "b", "d"},
                                               {"user1", "xuser", "user2"},
                                               {"a", "b", "z", "c"}}) {
    const RestartHints hints = HintsOfKeys(keys);
    CHECK(hints.disordered());
    CHECK(hints.empty());
  }
}

}  // namespace
}  // namespace varve
