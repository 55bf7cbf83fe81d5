// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block_cursor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "block_maker.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/bytes/common_prefix.h"

namespace varve {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

// Keys that share much, little and nothing with their neighbours; a few are longer than the
// cursor's own buffers.
Entries RandomEntries(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::map<std::string, std::string> entries;
  while (entries.size() < count) {
    std::string key = random() % 3 == 0 ? "" : "a common beginning ";
    for (uint32_t size = random() % 12; size > 0; --size) key += "\0ab\xff"[random() % 4];
    if (random() % 20 == 0) key += std::string(100 + random() % 200, 'z');
    entries[key] = std::string(random() % 5 == 0 ? 200 : random() % 4, 'v');
  }
  return {entries.begin(), entries.end()};
}

std::string Plain(const Entries& entries, uint32_t interval) {
  BlockBuilder builder({.restart_interval = interval});
  for (const auto& [key, value] : entries) builder.Add(key, value);
  return std::string(builder.Finish());
}

// The form with keys and values apart (block_view.h), which this engine does not write.
std::string Separated(const Entries& entries, uint32_t interval) {
  std::string keys, values, last;
  std::vector<uint32_t> restarts;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto& [key, value] = entries[i];
    const bool restart = i % interval == 0;
    if (restart) restarts.push_back(static_cast<uint32_t>(keys.size()));
    const size_t shared = restart ? 0 : CommonPrefixSize(last, key);
    AppendVarint32(&keys, static_cast<uint32_t>(shared));
    AppendVarint32(&keys, static_cast<uint32_t>(key.size() - shared));
    AppendVarint32(&keys, static_cast<uint32_t>(value.size()));
    if (restart) AppendVarint32(&keys, static_cast<uint32_t>(values.size()));
    keys += key.substr(shared);
    values += value;
    last = key;
  }
  std::string block = keys + values;
  for (const uint32_t restart : restarts) AppendFixed32(&block, restart);
  AppendFixed32(&block, static_cast<uint32_t>(keys.size()));
  AppendFixed32(&block, static_cast<uint32_t>(restarts.size()) | 1u << 28);
  return block;
}

void CheckAt(const BlockCursor& cursor, const Entries& entries, size_t index) {
  REQUIRE_EQ(cursor.valid(), index < entries.size());
  REQUIRE_FALSE(cursor.damaged());
  if (!cursor.valid()) return;
  REQUIRE(cursor.key() == entries[index].first);
  REQUIRE(cursor.value() == entries[index].second);
}

// Calls `body` with a block of these entries in each form, at several intervals.
template <typename Body>
void WithEachForm(const Entries& entries, Body body) {
  for (const uint32_t interval : {1u, 2u, 16u, 1000u}) {
    CAPTURE(interval);
    body(*BlockOf(Plain(entries, interval), BlockKind::kKeyValue));
    if (!entries.empty()) body(*BlockOf(Separated(entries, interval), BlockKind::kKeyValue));
  }
}

const auto kBehindAll = [](std::string_view) { return -1; };

TEST_CASE("BlockCursor: in an empty block every move leads nowhere, without damage") {
  const auto block = BlockOf(Plain({}, 16), BlockKind::kKeyValue);
  BlockCursor cursor(*block);
  CHECK_FALSE(cursor.SeekToFirst());
  CHECK_FALSE(cursor.SeekToLast());
  CHECK_FALSE(cursor.Seek(kBehindAll));
  CHECK_FALSE(cursor.SeekToOffset(0));
  CHECK_FALSE(cursor.valid());
  CHECK_FALSE(cursor.damaged());
}

TEST_CASE("BlockCursor: walks every entry, forwards and backwards, in each form of block") {
  for (const size_t count : {1u, 2u, 17u, 200u}) {
    const Entries entries = RandomEntries(count, static_cast<uint32_t>(count));
    WithEachForm(entries, [&](const Block& block) {
      BlockCursor cursor(block);
      size_t i = 0;
      for (bool on = cursor.SeekToFirst(); on; on = cursor.Next(), ++i) CheckAt(cursor, entries, i);
      CHECK_EQ(i, entries.size());
      CheckAt(cursor, entries, entries.size());
      for (bool on = cursor.SeekToLast(); on; on = cursor.Prev()) CheckAt(cursor, entries, --i);
      CHECK_EQ(i, 0u);
      CheckAt(cursor, entries, entries.size());
    });
  }
}

TEST_CASE("BlockCursor: turns round anywhere, and seeks to every key and between keys") {
  const Entries entries = RandomEntries(120, 7);
  WithEachForm(entries, [&](const Block& block) {
    std::mt19937 random(11);
    BlockCursor cursor(block);
    size_t at = entries.size();
    for (int step = 0; step < 3000; ++step) {
      if (at == entries.size() || random() % 8 == 0) {
        std::string target = entries[random() % entries.size()].first;
        if (random() % 2 == 0) target += '!';
        at = static_cast<size_t>(
            std::lower_bound(entries.begin(), entries.end(), std::pair(target, std::string())) -
            entries.begin());
        cursor.Seek([&](std::string_view key) { return key.compare(target); });
      } else if (random() % 2 == 0) {
        cursor.Next();
        ++at;
      } else {
        at = at == 0 ? entries.size() : at - 1;
        cursor.Prev();
      }
      CheckAt(cursor, entries, at);
    }
    CHECK_FALSE(cursor.Seek(kBehindAll));
    CHECK_FALSE(cursor.damaged());
  });
}

TEST_CASE("BlockCursor: offsets lead back to their entries, others to the next one") {
  const Entries entries = RandomEntries(60, 3);
  WithEachForm(entries, [&](const Block& block) {
    BlockCursor walking(block), jumping(block);
    size_t i = 0;
    uint32_t behind_last = 0;
    for (bool on = walking.SeekToFirst(); on; on = walking.Next(), ++i) {
      for (; behind_last <= walking.offset(); ++behind_last) {
        REQUIRE(jumping.SeekToOffset(behind_last));
        CheckAt(jumping, entries, i);
        REQUIRE_EQ(jumping.offset(), walking.offset());
      }
    }
    CHECK_FALSE(jumping.SeekToOffset(behind_last));
    CHECK_FALSE(jumping.damaged());
  });
}

TEST_CASE("BlockCursor: goes on from an entry that heads led to, whatever it walked before") {
  const std::vector<std::string> keys = NumberedKeys(50);
  const auto block = BlockOf(PutsOf(keys, 16), BlockKind::kData, 4096);
  for (int i = 0; i < 2; ++i) block->NoteLookup();
  REQUIRE(block->heads() != nullptr);
  BlockCursor cursor(*block);
  const auto is_at = [&](uint32_t i) { return cursor.key().substr(0, 9) == keys[i]; };
  for (uint32_t steps = 0; steps < 20; ++steps) {
    for (uint32_t entry = 1; entry + 1 < keys.size(); ++entry) {
      REQUIRE(cursor.SeekToLast());
      for (uint32_t i = 0; i < steps; ++i) REQUIRE(cursor.Prev());
      REQUIRE(cursor.SeekToEntry(*block->heads(), entry));
      REQUIRE(is_at(entry));
      REQUIRE(cursor.Prev());
      REQUIRE(is_at(entry - 1));
      REQUIRE(cursor.SeekToEntry(*block->heads(), entry));
      REQUIRE(cursor.Next());
      REQUIRE(is_at(entry + 1));
    }
  }
}

TEST_CASE("BlockCursor: what it says to be shared with the previous key is") {
  const Entries entries = RandomEntries(150, 5);
  WithEachForm(entries, [&](const Block& block) {
    BlockCursor cursor(block);
    REQUIRE(cursor.SeekToFirst());
    for (size_t i = 1; cursor.Next(); ++i) {
      REQUIRE_LE(cursor.shared(), CommonPrefixSize(entries[i - 1].first, entries[i].first));
    }
  });
}

TEST_CASE("BlockCursor: the key before stays readable during the step to the next") {
  const Entries entries = RandomEntries(150, 9);
  const auto block = BlockOf(Plain(entries, 16), BlockKind::kKeyValue);
  BlockCursor cursor(*block);
  REQUIRE(cursor.SeekToFirst());
  for (size_t i = 0; i + 1 < entries.size(); ++i) {
    const std::string_view before = cursor.key();
    REQUIRE(cursor.Next());
    REQUIRE(before == entries[i].first);
  }
}

TEST_CASE("BlockCursor: an entry that shares more than there is, or does not fit, is damage") {
  const Entries entries = {{"abc", "1"}, {"abd", "2"}, {"abe", "3"}};
  const std::string sound = Plain(entries, 16);                    // 7 + 5 + 5 bytes of entries.
  for (const size_t broken : {size_t{7}, size_t{8}, size_t{9}}) {  // Shared, unshared, value.
    std::string bytes = sound;
    bytes[broken] = '\x7f';
    const auto block = BlockOf(bytes, BlockKind::kKeyValue);
    BlockCursor cursor(*block);
    REQUIRE(cursor.SeekToFirst());
    CHECK_FALSE(cursor.Next());
    CHECK(cursor.damaged());
    CHECK_FALSE(cursor.valid());
    CHECK_EQ(cursor.offset(), 7u);
    CHECK_FALSE(cursor.SeekToLast());
    CHECK(cursor.damaged());
    CHECK_FALSE(cursor.Seek(kBehindAll));
    CHECK(cursor.damaged());
    CHECK(cursor.SeekToFirst());  // What is sound can still be read.
  }
  const auto block = BlockOf(sound);
  BlockCursor refused(*block);
  CHECK_FALSE(refused.Refuse());
  CHECK(refused.damaged());
}

TEST_CASE("BlockCursor: with any byte changed it stays within the block, and its moves end") {
  const Entries entries = RandomEntries(40, 13);
  WithEachForm(entries, [&](const Block& sound) {
    std::mt19937 random(17);
    for (int i = 0; i < 400; ++i) {
      std::string bytes(sound.bytes());
      bytes[random() % sound.view().entries.size()] = static_cast<char>(random());
      const auto block = BlockOf(bytes, BlockKind::kKeyValue);
      BlockCursor cursor(*block);
      size_t steps = 0;
      for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
        REQUIRE_LT(++steps, bytes.size());
        REQUIRE_LT(cursor.offset(), bytes.size());
      }
      for (bool on = cursor.SeekToLast(); on; on = cursor.Prev()) {
        REQUIRE_LT(++steps, 2 * bytes.size());
      }
      cursor.Seek([&](std::string_view key) { return key.compare("a common"); });
    }
  });
}

}  // namespace
}  // namespace varve
