// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/index_heads.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "block_maker.h"
#include "core/format/internal_key.h"

namespace varve {
namespace {

struct Shape {
  bool user_keys = true;
  bool delta = true;
  uint32_t interval = 1;
};

// Handles of 95 bytes, one behind the other.
BlockHandle HandleOf(size_t i) { return {100 * i, 95}; }

IndexHeads HeadsOf(const std::vector<std::string>& keys, const Shape& shape = {}) {
  BlockBuilder builder(
      {.restart_interval = shape.interval, .delta_encode_index_values = shape.delta});
  for (size_t i = 0; i < keys.size(); ++i) {
    builder.AddIndex(shape.user_keys ? keys[i] : EncodeInternalKey({keys[i], 7, ValueType::kValue}),
                     HandleOf(i));
  }
  return IndexHeads(*BlockOf(builder.Finish(), BlockKind::kKeyValue), shape.user_keys,
                    {.delta_encoded = shape.delta});
}

// Every kind of distribution: even, in clusters, with long common beginnings, with zero bytes.
std::vector<std::string> RandomKeys(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  const std::string prefix = seed % 3 == 0 ? "" : seed % 3 == 1 ? "user:" : std::string(40, 'p');
  std::set<std::string> keys;
  while (keys.size() < count) {
    std::string key = prefix;
    if (random() % 4 == 0) {
      key += "cluster" + std::to_string(random() % (2 * count));
    } else {
      for (uint32_t size = random() % 20; size > 0; --size) {
        key += seed % 2 == 0 ? "\0ab\xff"[random() % 4] : static_cast<char>(random());
      }
    }
    keys.insert(key);
  }
  return {keys.begin(), keys.end()};
}

void CheckKey(const IndexHeads& heads, const std::vector<std::string>& keys,
              const std::string& key) {
  CAPTURE(key);
  const auto below =
      static_cast<uint32_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
  const auto not_above =
      static_cast<uint32_t>(std::upper_bound(keys.begin(), keys.end(), key) - keys.begin());
  const IndexHeads::Ties ties = heads.Search(key);
  REQUIRE_LE(ties.begin, below);    // Those before the range sort before the key,
  REQUIRE_GE(ties.end, not_above);  // those from its end on after it.
  REQUIRE_LE(ties.end, keys.size());
  const IndexHeads::Range range = heads.Narrow(key);
  REQUIRE_LE(range.left, range.right);
  REQUIRE_LE(range.left, below == 0 ? 0 : below - 1);
  REQUIRE_GE(range.right, not_above == 0 ? 0 : not_above - 1);
  REQUIRE_LT(range.right, keys.size());
  BlockHandle handle;
  switch (heads.Locate(key, &handle)) {
    case IndexHeads::Found::kHandle:
      REQUIRE_EQ(below, not_above);  // Not one of the separators.
      REQUIRE_LT(below, keys.size());
      REQUIRE_EQ(handle, HandleOf(below));
      break;
    case IndexHeads::Found::kPastEnd:
      REQUIRE_EQ(below, keys.size());
      break;
    case IndexHeads::Found::kTie:
      REQUIRE_LT(ties.begin, ties.end);
      break;
  }
  heads.PrefetchStart(key);
  heads.PrefetchEntries(key);
}

TEST_CASE("IndexHeads: searches agree with the sorted separators, for every kind of key") {
  for (const Shape& shape :
       {Shape{true, true}, Shape{true, false}, Shape{false, true}, Shape{false, false}}) {
    for (const size_t count : {2u, 3u, 31u, 32u, 33u, 500u, 3000u}) {
      for (uint32_t seed = 0; seed < 6; ++seed) {
        CAPTURE(count);
        CAPTURE(seed);
        const std::vector<std::string> keys = RandomKeys(count, seed);
        const IndexHeads heads = HeadsOf(keys, shape);
        REQUIRE_EQ(heads.size(), count);
        REQUIRE(heads.has_handles());
        REQUIRE_GE(heads.memory_bytes(), 16 * count);
        for (size_t i = 0; i < count; i += 1 + count / 200) {
          REQUIRE_EQ(heads.handle(static_cast<uint32_t>(i)), HandleOf(i));
          CheckKey(heads, keys, keys[i]);
          CheckKey(heads, keys, keys[i] + '\0');
          CheckKey(heads, keys, keys[i] + "z");
          CheckKey(heads, keys, keys[i].substr(0, keys[i].size() / 2));
        }
        for (const char* key : {"", "\xff\xff\xff", "user:", "use", "user;", "p", "q"}) {
          CheckKey(heads, keys, key);
        }
      }
    }
  }
}

TEST_CASE("IndexHeads: with fewer restart points than entries there are no handles") {
  const std::vector<std::string> keys = RandomKeys(100, 1);
  const IndexHeads heads = HeadsOf(keys, {.interval = 2});
  CHECK_EQ(heads.size(), 50u);
  CHECK_FALSE(heads.has_handles());
  for (size_t i = 0; i < keys.size(); ++i) {
    const IndexHeads::Range range = heads.Narrow(keys[i]);
    CHECK_LE(range.left, i == 0 ? 0 : (i - 1) / 2);  // The last restart point before the key.
    CHECK_GE(range.right, i / 2);
  }
}

TEST_CASE("IndexHeads: handles that do not fit a word are not kept") {
  const auto with = [](BlockHandle second) {
    BlockBuilder builder({.restart_interval = 1});
    builder.AddIndex("a", {0, 10});
    builder.AddIndex("b", second);
    return IndexHeads(*BlockOf(builder.Finish(), BlockKind::kKeyValue), true, {});
  };
  constexpr uint64_t kSize = uint64_t{1} << 24, kOffset = uint64_t{1} << 40;
  CHECK(with({kOffset - 1, kSize - 1}).has_handles());
  CHECK_EQ(with({kOffset - 1, kSize - 1}).handle(1), BlockHandle{kOffset - 1, kSize - 1});
  CHECK_FALSE(with({kOffset, 10}).has_handles());
  CHECK_FALSE(with({15, kSize}).has_handles());
  CHECK_FALSE(with({15, ~uint64_t{0}}).has_handles());
  CHECK_EQ(with({15, kSize}).size(), 2u);  // It can be searched all the same.
}

TEST_CASE("IndexHeads: none for a block of one entry or none, or in disorder, or damaged") {
  CHECK(IndexHeads().empty());
  CHECK(HeadsOf({}).empty());
  CHECK(HeadsOf({"a"}).empty());
  CHECK_FALSE(HeadsOf({"a", "b"}).empty());
  CHECK(HeadsOf({"b", "a"}).empty());
  CHECK(HeadsOf({"a", "c", "b", "d"}).empty());
  CHECK(HeadsOf({"user1", "x", "user2"}).empty());
  BlockBuilder builder({.restart_interval = 1});
  builder.AddIndex("1234567", {0, 10});  // No internal keys.
  builder.AddIndex("1234568", {15, 10});
  const auto block = BlockOf(builder.Finish(), BlockKind::kKeyValue);
  CHECK(IndexHeads(*block, false, {}).empty());
  CHECK_FALSE(IndexHeads(*block, true, {}).empty());
}

TEST_CASE("IndexHeads: equal separators tie, all of them") {
  const IndexHeads heads = HeadsOf({"a", "k", "k", "k", "z"});
  const IndexHeads::Ties ties = heads.Search("k");
  CHECK_EQ(ties.begin, 1u);
  CHECK_EQ(ties.end, 4u);
  BlockHandle handle;
  CHECK_EQ(heads.Locate("k", &handle), IndexHeads::Found::kTie);
  CHECK_EQ(heads.Locate("l", &handle), IndexHeads::Found::kHandle);
  CHECK_EQ(handle, HandleOf(4));
}

TEST_CASE("IndexHeads: with any byte changed it is searched within its bounds") {
  const std::vector<std::string> keys = RandomKeys(60, 2);
  BlockBuilder builder({.restart_interval = 1, .delta_encode_index_values = true});
  for (size_t i = 0; i < keys.size(); ++i) builder.AddIndex(keys[i], HandleOf(i));
  const std::string sound(builder.Finish());
  const size_t entries = BlockOf(sound, BlockKind::kKeyValue)->view().entries.size();
  std::mt19937 random(17);
  for (int i = 0; i < 500; ++i) {
    std::string bytes = sound;
    bytes[random() % entries] = static_cast<char>(random());
    const auto block = BlockOf(bytes, BlockKind::kKeyValue);
    const IndexHeads heads(*block, true, {.delta_encoded = true});
    if (heads.empty()) continue;
    for (const std::string& key : keys) {
      const IndexHeads::Range range = heads.Narrow(key);
      REQUIRE_LE(range.left, range.right);
      REQUIRE_LT(range.right, block->view().num_restarts);
    }
  }
}

}  // namespace
}  // namespace varve
