// SPDX-License-Identifier: Apache-2.0
#include "core/repair/placement.h"

#include <doctest/doctest.h>

#include "core/format/internal_key.h"

namespace varve {
namespace {

FileDescription Table(FileNumber number, std::string_view first, std::string_view last,
                      Sequence from, Sequence to) {
  FileDescription table;
  table.number = number;
  table.smallest = EncodeInternalKey({first, to, ValueType::kValue});
  table.largest = EncodeInternalKey({last, from, ValueType::kValue});
  table.smallest_sequence = from;
  table.largest_sequence = to;
  return table;
}

Placement Place(const std::vector<FileDescription>& tables) {
  return PlaceTables(*BytewiseComparator(), tables, /*num_levels=*/4);
}

TEST_CASE("PlaceTables: tables that share no key all go to the last level") {
  const Placement placement =
      Place({Table(1, "a", "c", 1, 9), Table(2, "m", "p", 2, 8), Table(3, "d", "l", 3, 7)});
  CHECK(placement.levels == std::vector<int>{3, 3, 3});
  CHECK(placement.merges.empty());
}

TEST_CASE("PlaceTables: where keys are shared, newer sequences stand above older ones") {
  const Placement placement =
      Place({Table(7, "a", "f", 1, 9), Table(5, "d", "k", 10, 20), Table(6, "j", "z", 30, 31)});
  CHECK(placement.levels == std::vector<int>{3, 2, 1});
  CHECK(placement.merges.empty());
}

TEST_CASE("PlaceTables: tables that only a third one joins are one group") {
  const Placement placement =
      Place({Table(1, "a", "c", 5, 6), Table(2, "x", "z", 1, 2), Table(3, "b", "y", 3, 4)});
  CHECK(placement.levels == std::vector<int>{1, 3, 2});
}

TEST_CASE("PlaceTables: sequences that interleave, or meet, leave nothing but merging") {
  const Placement placement = Place({Table(1, "a", "f", 1, 9), Table(2, "d", "k", 5, 20),
                                     Table(3, "p", "q", 4, 4), Table(4, "q", "r", 4, 5)});
  CHECK(placement.levels == std::vector<int>{-1, -1, -1, -1});
  REQUIRE(placement.merges.size() == 2);
  CHECK(placement.merges[0] == std::vector<size_t>{1, 0});  // The newest number first.
  CHECK(placement.merges[1] == std::vector<size_t>{3, 2});
}

TEST_CASE("PlaceTables: more generations than levels are merged") {
  std::vector<FileDescription> tables;
  for (FileNumber i = 1; i <= 4; ++i) tables.push_back(Table(i, "a", "b", 10 * i, 10 * i + 1));
  CHECK(Place(tables).merges.size() == 1);
  tables.pop_back();
  CHECK(Place(tables).levels == std::vector<int>{3, 2, 1});
}

}  // namespace
}  // namespace varve
