// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/interval_list.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace varve {
namespace {

constexpr uint32_t kBegin = 100, kEntrySize = 10;  // Of the "block": entry i is at 100 + 10 i.

// Entries that share `shared` bytes with the key before and go on with `suffix`.
struct Source {
  struct Entry {
    uint32_t shared = 0;
    std::string suffix;
  };

  bool operator()(uint32_t at, BlockEntry* entry, int* value, uint32_t* next) const {
    ++parsed;
    const size_t i = (at - kBegin) / kEntrySize;
    if (i == broken) return false;
    entry->shared = entries[i].shared;
    entry->non_shared = static_cast<uint32_t>(entries[i].suffix.size());
    entry->key_suffix = entries[i].suffix.data();
    *value = static_cast<int>(i);
    *next = at + kEntrySize;
    return true;
  }
  uint32_t end() const { return kBegin + kEntrySize * static_cast<uint32_t>(entries.size()); }

  std::vector<Entry> entries;
  size_t broken = SIZE_MAX;
  mutable int parsed = 0;
};

TEST_CASE("IntervalList: the entries of an interval, last first") {
  const Source source{.entries = {{0, "apple"}, {3, "ricot"}, {0, "b"}, {1, ""}, {1, "x"}}};
  IntervalList<int> list;
  uint32_t broken = 0;
  REQUIRE(list.Fill(kBegin, source.end(), source, &broken));
  const std::vector<std::string> keys = {"apple", "appricot", "b", "b", "bx"};
  REQUIRE_EQ(list.size(), keys.size());
  for (size_t i = keys.size(); i-- > 0; list.PopBack()) {
    CHECK_EQ(list.key(), keys[i]);
    CHECK_EQ(list.back().value, static_cast<int>(i));
    CHECK_EQ(list.back().offset, kBegin + kEntrySize * i);
    CHECK_EQ(list.back().next, kBegin + kEntrySize * (i + 1));
  }
  CHECK_EQ(list.size(), 0);
}

TEST_CASE("IntervalList: as far as it is asked for") {
  const Source source{.entries = {{0, "a"}, {0, "b"}, {0, "c"}}};
  IntervalList<int> list;
  uint32_t broken = 0;
  REQUIRE(list.Fill(kBegin, kBegin + 2 * kEntrySize, source, &broken));
  CHECK_EQ(list.size(), 2);
  CHECK_EQ(list.key(), "b");
  CHECK_EQ(source.parsed, 2);
}

TEST_CASE("IntervalList: a broken entry is named") {
  IntervalList<int> list;
  uint32_t broken = 0;
  SUBCASE("one that cannot be parsed") {
    const Source source{.entries = {{0, "a"}, {0, "b"}, {0, "c"}}, .broken = 1};
    CHECK_FALSE(list.Fill(kBegin, source.end(), source, &broken));
    CHECK_EQ(broken, kBegin + kEntrySize);
  }
  SUBCASE("one that shares more than the key before has") {
    const Source source{.entries = {{0, "ab"}, {3, "c"}}};
    CHECK_FALSE(list.Fill(kBegin, source.end(), source, &broken));
    CHECK_EQ(broken, kBegin + kEntrySize);
  }
  SUBCASE("a first one that shares anything") {
    const Source source{.entries = {{1, "a"}}};
    CHECK_FALSE(list.Fill(kBegin, source.end(), source, &broken));
    CHECK_EQ(broken, kBegin);
  }
  SUBCASE("one that ends behind the end") {
    const Source source{.entries = {{0, "a"}, {0, "b"}}};
    CHECK_FALSE(list.Fill(kBegin, source.end() - 1, source, &broken));
    CHECK_EQ(broken, kBegin + kEntrySize);
  }
}

// Each key is the one before and three bytes more: together far more than their bytes.
TEST_CASE("IntervalList: of keys that are too long together it holds those at the end") {
  constexpr size_t kFirst = IntervalList<int>::kKeysMax / 4;
  Source source;
  source.entries.push_back({0, std::string(kFirst, 'k')});
  for (int i = 1; i < 10; ++i) {
    source.entries.push_back({static_cast<uint32_t>(kFirst), "_" + std::to_string(i)});
  }
  IntervalList<int> list;
  uint32_t broken = 0;
  uint32_t end = source.end();
  for (int i = 9; i >= 0;) {
    REQUIRE(list.Fill(kBegin, end, source, &broken));
    REQUIRE_GE(list.size(), 1);
    CHECK_LE(list.size(), 4);
    for (; list.size() > 0; list.PopBack(), --i) {
      const std::string tail = i == 0 ? "" : "_" + std::to_string(i);
      REQUIRE_EQ(list.key().size(), kFirst + tail.size());
      CHECK(list.key().ends_with(tail));
      CHECK_EQ(list.back().value, i);
      end = list.back().offset;
    }
  }
}

TEST_CASE("IntervalList: one key is held however long it is") {
  const Source source{
      .entries = {{0, "a"}, {0, std::string(IntervalList<int>::kKeysMax + 1, 'k')}}};
  IntervalList<int> list;
  uint32_t broken = 0;
  REQUIRE(list.Fill(kBegin, source.end(), source, &broken));
  CHECK_EQ(list.size(), 1);
  CHECK_EQ(list.key().size(), IntervalList<int>::kKeysMax + 1);
}

TEST_CASE("IntervalList: an invalid entry after keys that are too long is reported") {
  const std::string large(IntervalList<int>::kKeysMax, 'k');
  Source source{.entries = {{0, large}, {10, "x"}, {12, "y"}}};
  IntervalList<int> list;
  uint32_t broken = 0;
  CHECK_FALSE(list.Fill(kBegin, source.end(), source, &broken));
  CHECK_EQ(broken, kBegin + 2 * kEntrySize);
}

}  // namespace
}  // namespace varve
