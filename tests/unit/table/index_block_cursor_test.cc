// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/index_block_cursor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "block_maker.h"
#include "core/base/keys/key_order.h"

namespace varve {
namespace {

struct Separator {
  std::string user_key;
  Sequence sequence = 0;
  BlockHandle handle;

  InternalKey key() const { return {user_key, sequence, ValueType::kValue}; }
};

// Ascending separators; some handles do not follow the one before.
std::vector<Separator> RandomSeparators(size_t count, bool versions, uint32_t seed) {
  std::mt19937 random(seed);
  std::set<std::string> keys;
  while (keys.size() < count) {
    std::string key = random() % 3 == 0 ? "" : "a common beginning ";
    for (uint32_t size = random() % 9; size > 0; --size) key += "\0ab\xff"[random() % 4];
    keys.insert(key);
  }
  std::vector<Separator> separators;
  uint64_t offset = 0;
  for (const std::string& key : keys) {
    for (Sequence n = versions ? 1 + random() % 3 : 1; n > 0; --n) {
      if (random() % 6 == 0) offset += 100;
      const BlockHandle handle{offset, random() % 10'000};
      offset = handle.end();
      separators.push_back({key, 10 * n, handle});
    }
  }
  return separators;
}

struct Shape {
  bool user_keys;
  bool delta;
  uint32_t interval;
  bool first_keys = false;

  IndexEncoding encoding() const {
    return {.user_keys = user_keys,
            .values = {.delta_encoded = delta, .has_first_key = first_keys}};
  }
};
const Shape kShapes[] = {{true, true, 1},      {true, true, 4},  {true, false, 1},
                         {false, true, 1},     {false, true, 3}, {false, false, 16},
                         {true, true, 2, true}};

std::shared_ptr<Block> BlockFor(const Shape& shape, const std::vector<Separator>& separators) {
  BlockBuilder builder(
      {.restart_interval = shape.interval, .delta_encode_index_values = shape.delta});
  for (const Separator& s : separators) {
    const std::string first = "first of " + s.user_key;
    builder.AddIndex(shape.user_keys ? s.user_key : EncodeInternalKey(s.key()), s.handle,
                     shape.first_keys ? first : "");
  }
  return BlockOf(builder.Finish(), BlockKind::kKeyValue);
}

void CheckAt(const IndexBlockCursor& cursor, const Shape& shape,
             const std::vector<Separator>& separators, size_t index) {
  REQUIRE_EQ(cursor.valid(), index < separators.size());
  REQUIRE_FALSE(cursor.damaged());
  if (!cursor.valid()) return;
  const Separator& s = separators[index];
  REQUIRE(cursor.key() == (shape.user_keys ? s.user_key : EncodeInternalKey(s.key())));
  REQUIRE(cursor.handle() == s.handle);
  if (shape.first_keys) REQUIRE(cursor.first_key() == "first of " + s.user_key);
}

// The first separator that is not before the target.
size_t Expected(const Shape& shape, const std::vector<Separator>& separators,
                const InternalKey& target) {
  size_t i = 0;
  for (; i < separators.size(); ++i) {
    const InternalKey key = separators[i].key();
    const int c = shape.user_keys ? key.user_key.compare(target.user_key)
                                  : CompareInternalKeys(BytewiseOrder{}, key, target);
    if (c >= 0) break;
  }
  return i;
}

TEST_CASE("IndexBlockCursor: walks and seeks in every form of index block") {
  for (const Shape& shape : kShapes) {
    for (const size_t count : {1u, 2u, 30u, 200u}) {
      CAPTURE(shape.user_keys);
      CAPTURE(shape.delta);
      CAPTURE(shape.interval);
      const auto separators =
          RandomSeparators(count, !shape.user_keys, static_cast<uint32_t>(count));
      const auto block = BlockFor(shape, separators);
      IndexBlockCursor cursor;
      cursor.Attach(*block, shape.encoding());
      CHECK_FALSE(cursor.valid());
      size_t i = 0;
      for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
        CheckAt(cursor, shape, separators, i++);
      }
      CHECK_EQ(i, separators.size());
      for (bool on = cursor.SeekToLast(); on; on = cursor.Prev()) {
        CheckAt(cursor, shape, separators, --i);
      }
      CHECK_EQ(i, 0u);
      std::mt19937 random(7);
      size_t at = separators.size();
      for (int step = 0; step < 1000; ++step) {
        if (at == separators.size() || random() % 5 == 0) {
          const Separator& s = separators[random() % separators.size()];
          const std::string user_key = random() % 3 == 0 ? s.user_key + "!" : s.user_key;
          const InternalKey target{user_key, s.sequence + random() % 3 - 1, ValueType::kMaxForSeek};
          at = Expected(shape, separators, target);
          cursor.Seek(BytewiseOrder{}, target);
        } else if (random() % 2 == 0) {
          cursor.Next();
          ++at;
        } else {
          cursor.Prev();
          at = at == 0 ? separators.size() : at - 1;
        }
        CheckAt(cursor, shape, separators, at);
      }
    }
  }
}

TEST_CASE("IndexBlockCursor: in an empty block every move leads nowhere, without damage") {
  const auto block = BlockFor(kShapes[0], {});
  IndexBlockCursor cursor;
  cursor.Attach(*block, kShapes[0].encoding());
  CHECK_FALSE(cursor.SeekToFirst());
  CHECK_FALSE(cursor.SeekToLast());
  CHECK_FALSE(cursor.Seek(BytewiseOrder{}, LookupKey("k", kMaxSequence)));
  CHECK_FALSE(cursor.damaged());
}

TEST_CASE("IndexBlockCursor: a separator too short for its packed part is damage, not a key") {
  BlockBuilder builder({.restart_interval = 1});
  builder.AddIndex("1234567", {0, 10});
  builder.AddIndex("123456789", {15, 10});
  const auto block = BlockOf(builder.Finish(), BlockKind::kKeyValue);
  IndexBlockCursor cursor;
  cursor.Attach(*block, {.user_keys = false, .values = {}});
  CHECK_FALSE(cursor.Seek(BytewiseOrder{}, LookupKey("0", 1)));
  CHECK(cursor.damaged());
  CHECK_FALSE(cursor.valid());
  cursor.Attach(*block, {.user_keys = true, .values = {}});
  CHECK(cursor.Seek(BytewiseOrder{}, LookupKey("0", 1)));  // As a user key it is one.
}

TEST_CASE("IndexBlockCursor: with bytes changed it stays within the block, and its moves end") {
  for (const Shape& shape : kShapes) {
    const auto separators = RandomSeparators(30, !shape.user_keys, 5);
    const auto sound = BlockFor(shape, separators);
    std::mt19937 random(17);
    for (int i = 0; i < 300; ++i) {
      std::string bytes(sound->bytes());
      for (uint32_t n = 1 + random() % 2; n > 0; --n) {
        bytes[random() % sound->view().entries.size()] = static_cast<char>(random());
      }
      const auto block = BlockOf(bytes, BlockKind::kKeyValue);
      IndexBlockCursor cursor;
      cursor.Attach(*block, shape.encoding());
      size_t steps = 0;
      for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
        REQUIRE_LT(++steps, bytes.size());
        REQUIRE_LE(cursor.offset(), bytes.size());
      }
      for (bool on = cursor.SeekToLast(); on; on = cursor.Prev()) {
        REQUIRE_LT(++steps, 2 * bytes.size());
      }
      cursor.Seek(BytewiseOrder{}, LookupKey("a common", 5));
    }
  }
}

TEST_CASE(
    "CompareSeparator: by user key, then newest first; a bare user key ties with all versions") {
  const InternalKey target{"k", 5, ValueType::kValue};
  const auto compare = [&](const InternalKey& stored) {
    return CompareSeparator(BytewiseOrder{}, EncodeInternalKey(stored), false, target);
  };
  CHECK_LT(compare({"j", 5, ValueType::kValue}), 0);
  CHECK_GT(compare({"l", 5, ValueType::kValue}), 0);
  CHECK_LT(compare({"k", 6, ValueType::kValue}), 0);
  CHECK_EQ(compare({"k", 5, ValueType::kValue}), 0);
  CHECK_GT(compare({"k", 5, ValueType::kDeletion}), 0);
  CHECK_EQ(CompareSeparator(BytewiseOrder{}, "k", true, target), 0);
  CHECK_GT(CompareSeparator(ReverseBytewiseOrder{}, "j", true, target), 0);
}

}  // namespace
}  // namespace varve
