// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/memtable_search.h"

#include <doctest/doctest.h>

#include <cstdio>

namespace varve {
namespace {

std::string Key(int i) {
  char text[16];
  std::snprintf(text, sizeof(text), "key%06d", i);
  return text;
}

std::vector<LogEntry> Entries(int count) {
  std::vector<LogEntry> entries;
  for (int i = 0; i < count; ++i) {
    entries.push_back({.key = Key(i), .sequence = 1, .value = "v"});
  }
  return entries;
}

std::vector<std::string> Every(int step, int from, int count) {
  std::vector<std::string> keys;
  for (int i = 0; i < count; ++i) keys.push_back(Key(from + i * step));
  return keys;
}

TEST_CASE("CountMemtableSearch: a finger spares neighbours the way down") {
  const auto entries = Entries(4000);
  const Comparator& order = *BytewiseComparator();
  const MemtableSearch near = CountMemtableSearch(order, entries, Every(1, 2000, 16));
  CHECK(near.entries == 4000);
  // In the tree, a leaf and the inner nodes above it: 4000 entries need two or three levels of
  // these.
  CHECK(near.visited_tree >= 16 * 3);
  CHECK(near.visited_tree <= 16 * 4);
  // A key from the top costs some 4/3 log4(4000) * 2 comparisons or so, beside the one before a
  // few.
  CHECK(near.visited_per_key > 16 * 8);
  CHECK(near.visited_finger < near.visited_per_key / 2);
  // What is far apart shares little; nothing is shared by one key.
  const MemtableSearch far = CountMemtableSearch(order, entries, Every(250, 0, 16));
  CHECK(far.visited_finger > near.visited_finger);
  const MemtableSearch one = CountMemtableSearch(order, entries, Every(1, 2000, 1));
  CHECK(one.visited_finger >= one.visited_per_key);
}

TEST_CASE("CountMemtableSearch: an empty memtable is visited nowhere") {
  const MemtableSearch none = CountMemtableSearch(*BytewiseComparator(), {}, {"a", "b"});
  CHECK(none.entries == 0);
  CHECK(none.visited_tree == 0);
  CHECK(none.visited_per_key == 0);
  CHECK(none.visited_finger == 0);
}

}  // namespace
}  // namespace varve
