// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/collapsing_iterator.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/iterator/iterator_suite.h"
#include "tests/unit/iterator/vector_iterator.h"
#include "varve/comparator.h"

namespace varve {
namespace {

using enum ValueType;

std::string Stored(const char* key, char timestamp) {
  return std::string(key) + timestamp + std::string(7, '\0');
}

std::string Collapsed(std::vector<TestEntry> entries, std::vector<Sequence> snapshots,
                      char low_timestamp) {
  const Comparator& order = *BytewiseComparatorWithU64Ts();
  const Visibility visibility(std::move(snapshots), /*bottommost=*/false);
  const std::string low = low_timestamp == 0 ? "" : Stored("", low_timestamp);
  const auto it = NewCollapsingIterator(std::make_unique<VectorIterator>(order, std::move(entries)),
                                        order, visibility, low);
  std::string out;
  for (it->SeekToFirst(); it->Valid(); it->Next()) out += std::string(it->value()) + " ";
  return it->status().ok() ? out : it->status().ToString();
}

std::vector<TestEntry> Entries() {
  return {{Stored("a", 9), 30, kValue, "a9"},    {Stored("a", 7), 25, kValue, "a7"},
          {Stored("a", 5), 20, kValue, "a5"},    {Stored("a", 4), 15, kValue, "a4"},
          {Stored("b", 6), 28, kDeletion, "b6"}, {Stored("b", 2), 10, kValue, "b2"},
          {Stored("c", 6), 27, kMerge, "c6"},    {Stored("c", 3), 12, kValue, "c3"},
          {Stored("c", 1), 11, kValue, "c1"}};
}

TEST_CASE(
    "CollapsingIterator: of the versions before low the newest stays, and what it is folded "
    "onto") {
  CHECK_EQ(Collapsed(Entries(), {}, 0), "a9 a7 a5 a4 b6 b2 c6 c3 c1 ");
  CHECK_EQ(Collapsed(Entries(), {}, 1), "a9 a7 a5 a4 b6 b2 c6 c3 c1 ");
  CHECK_EQ(Collapsed(Entries(), {}, 7), "a9 a7 a5 b6 c6 c3 ");
  CHECK_EQ(Collapsed(Entries(), {}, 100), "a9 b6 c6 c3 ");
}

TEST_CASE("CollapsingIterator: what a snapshot sees stays") {
  CHECK_EQ(Collapsed(Entries(), {15}, 100), "a9 a4 b6 b2 c6 c3 ");
  CHECK_EQ(Collapsed(Entries(), {11}, 100), "a9 b6 b2 c6 c3 c1 ");
}

}  // namespace
}  // namespace varve
