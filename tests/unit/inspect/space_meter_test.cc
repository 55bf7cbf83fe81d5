// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/space/space_meter.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

// Entries as "k@9:put", "k@8:put!" (under a newer range deletion), told to a meter in that order.
struct Stretch {
  explicit Stretch(SpaceOptions o = {}) : options(std::move(o)), meter(options, &family) {}

  void Add(const std::string& key, Sequence sequence, ValueType type, bool covered = false) {
    meter.Add({key, sequence, type}, "vv", covered);
  }
  std::string Counts() const {
    const SpaceTotals& t = family.total;
    return std::to_string(t.live.entries) + " " + std::to_string(t.shadowed.entries) + " " +
           std::to_string(t.tombstones.entries);
  }

  SpaceOptions options;
  SpaceFamily family;
  SpaceMeter meter;
};

TEST_CASE("SpaceMeter: of the versions of a key only the newest is live") {
  Stretch stretch;
  stretch.Add("a", 9, ValueType::kValue);
  stretch.Add("a", 8, ValueType::kDeletion);
  stretch.Add("a", 7, ValueType::kValue);
  stretch.Add("b", 3, ValueType::kValue);
  CHECK(stretch.Counts() == "2 2 0");
  CHECK(stretch.family.total.live.bytes == 2 * (1 + 8 + 2));
  CHECK(stretch.family.keys == 2);
  CHECK(stretch.family.skipped == 2);
}

TEST_CASE("SpaceMeter: a deletion is a tombstone, and what it hides is shadowed") {
  Stretch stretch;
  stretch.Add("a", 9, ValueType::kDeletion);
  stretch.Add("a", 7, ValueType::kValue);
  stretch.Add("b", 6, ValueType::kSingleDeletion);
  stretch.Add("b", 5, ValueType::kValue);
  CHECK(stretch.Counts() == "0 2 2");
  CHECK(stretch.family.keys == 0);
}

TEST_CASE("SpaceMeter: operands are live down to their base") {
  Stretch stretch;
  stretch.Add("a", 9, ValueType::kMerge);
  stretch.Add("a", 8, ValueType::kMerge);
  stretch.Add("a", 7, ValueType::kValue);
  stretch.Add("a", 6, ValueType::kValue);
  CHECK(stretch.Counts() == "3 1 0");
  CHECK(stretch.family.merge_operands.entries == 2);
  CHECK(stretch.family.keys == 1);
}

TEST_CASE("SpaceMeter: what a range deletion covers is shadowed with all below it") {
  Stretch stretch;
  stretch.Add("a", 9, ValueType::kValue);
  stretch.Add("b", 8, ValueType::kValue, true);
  stretch.Add("b", 7, ValueType::kValue, true);
  stretch.Add("c", 6, ValueType::kMerge);
  stretch.Add("c", 5, ValueType::kValue, true);
  CHECK(stretch.Counts() == "2 3 0");
}

TEST_CASE("SpaceMeter: runs of entries that a scan steps over, longest first") {
  Stretch stretch;
  stretch.Add("a", 9, ValueType::kValue);
  stretch.Add("a", 8, ValueType::kValue);
  stretch.Add("b", 7, ValueType::kValue);
  for (const char* key : {"c", "d", "e"}) stretch.Add(key, 5, ValueType::kDeletion);
  stretch.Add("f", 4, ValueType::kValue);
  stretch.Add("g", 4, ValueType::kDeletion);
  stretch.Add("g", 3, ValueType::kValue);
  stretch.meter.Finish();
  const std::vector<SkipRun>& runs = stretch.family.longest_runs;
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].skipped == 3);
  CHECK(runs[0].tombstones == 3);
  CHECK(runs[0].after == "b");
  CHECK(runs[0].before == "f");
  CHECK(runs[1].skipped == 2);
  CHECK_FALSE(runs[1].before.has_value());
  CHECK(runs[2].skipped == 1);
}

TEST_CASE("SpaceMeter: however many prefixes there are, the largest are kept") {
  Stretch stretch({.prefix_length = 5});
  for (int i = 0; i < 5000; ++i) {
    std::string key = std::to_string(10000 + i);
    for (int n = 0; n <= (i % 1000 == 0 ? 20 : 0); ++n) {
      stretch.Add(key + static_cast<char>('a' + n), 1, ValueType::kValue);
    }
  }
  stretch.meter.Finish();
  REQUIRE(stretch.family.prefixes.size() == kSpacePrefixesMax);
  CHECK_FALSE(stretch.family.prefixes_complete);
  for (int i = 0; i < 5; ++i) {
    CHECK(stretch.family.prefixes[i].prefix == std::to_string(10000 + 1000 * i));
    CHECK(stretch.family.prefixes[i].totals.live.entries == 21);
  }
}

}  // namespace
}  // namespace varve
