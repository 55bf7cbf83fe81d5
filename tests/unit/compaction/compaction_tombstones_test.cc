// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/compaction_tombstones.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

std::string Show(const std::vector<RangeTombstone>& tombstones) {
  std::string out;
  for (const RangeTombstone& t : tombstones) {
    out += "[" + t.begin + "," + t.end + ")@" + std::to_string(t.sequence) + " ";
  }
  return out;
}

struct Input {
  std::vector<RangeTombstone> tombstones;
  std::optional<InternalKey> smallest, largest;
};

Status Gather(const Comparator* order, const std::vector<Input>& inputs,
              CompactionTombstones* all) {
  for (const Input& input : inputs) {
    const FragmentedTombstones list(*order, input.tombstones);
    all->Add(list, input.smallest, input.largest);
  }
  return all->Finish();
}

CompactionTombstones Gather(const Visibility& visibility, const std::vector<Input>& inputs) {
  CompactionTombstones all(*BytewiseComparator(), &visibility);
  REQUIRE(Gather(BytewiseComparator(), inputs, &all).ok());
  return all;
}

TEST_CASE("CompactionTombstones: each output carries its part") {
  const Visibility visibility({10}, false);
  const auto all = Gather(visibility, {{{{"a", "h", 9}}, {}, {}}, {{{"f", "t", 12}}, {}, {}}});
  CHECK_EQ(Show(all.Within(std::nullopt, "k")), "[a,h)@9 [f,k)@12 ");
  CHECK_EQ(Show(all.Within("k", std::nullopt)), "[k,t)@12 ");
  CHECK_EQ(Show(all.Within("t", std::nullopt)), "");
}

TEST_CASE("CompactionTombstones: what lies outside its table does not count") {
  const Visibility visibility({}, false);
  const InternalKey smallest{"c", 9, ValueType::kRangeDeletion};
  const InternalKey sentinel{"m", kMaxSequence, ValueType::kRangeDeletion};
  const InternalKey point{"m", 5, ValueType::kValue};
  CHECK_EQ(Show(Gather(visibility, {{{{"a", "z", 9}}, smallest, sentinel}})
                    .Within(std::nullopt, std::nullopt)),
           "[c,m)@9 ");
  CHECK_EQ(Gather(visibility, {{{{"a", "z", 9}}, smallest, point}})
               .Within(std::nullopt, std::nullopt)[0]
               .end,
           std::string("m\0", 2));
}

TEST_CASE("CompactionTombstones: one sequence a stripe stays, and parts alike become one") {
  const Visibility visibility({5}, false);
  const auto all =
      Gather(visibility, {{{{"a", "z", 9}, {"c", "d", 7}, {"a", "z", 3}, {"a", "z", 2}}, {}, {}}});
  CHECK_EQ(Show(all.Within(std::nullopt, std::nullopt)), "[a,z)@9 [a,z)@3 ");
}

TEST_CASE("CompactionTombstones: at the bottom those that every snapshot sees go") {
  const Visibility visibility({5}, true);
  const auto all = Gather(visibility, {{{{"a", "z", 9}, {"a", "z", 5}}, {}, {}}});
  CHECK_EQ(Show(all.Within(std::nullopt, std::nullopt)), "[a,z)@9 ");
  const Visibility alone({}, true);
  CHECK(Gather(alone, {{{{"a", "z", 9}}, {}, {}}}).empty());
}

TEST_CASE("CompactionTombstones: what overlaps in one stripe is carried once") {
  const Visibility visibility({}, false);
  std::vector<RangeTombstone> nested;
  constexpr Sequence kCount = 50'000;
  for (Sequence s = 1; s <= kCount; ++s) {
    nested.push_back({std::to_string(1'000'000 + s), std::to_string(2'000'000 - s), s});
  }
  const auto all = Gather(visibility, {{nested, {}, {}}});
  const auto carried = all.Within(std::nullopt, std::nullopt);
  REQUIRE_EQ(carried.size(), 2 * kCount - 1);
  CHECK_EQ(carried[kCount - 1].sequence, kCount);
  for (size_t i = 1; i < carried.size(); ++i) REQUIRE_EQ(carried[i - 1].end, carried[i].begin);
  CHECK_EQ(Show(all.Within("1000001", "1000003")), "[1000001,1000002)@1 [1000002,1000003)@2 ");
}

TEST_CASE("CompactionTombstones: many stripes do not multiply what is carried") {
  std::vector<Sequence> snapshots;
  std::vector<RangeTombstone> nested;
  constexpr Sequence kCount = 3000;
  for (Sequence s = 1; s <= kCount; ++s) {
    snapshots.push_back(s);
    nested.push_back({std::to_string(1'000'000 + s), std::to_string(2'000'000 - s), s});
  }
  const Visibility visibility(snapshots, false);
  const auto all = Gather(visibility, {{nested, {}, {}}});
  CHECK_EQ(all.Within(std::nullopt, std::nullopt).size(), kCount);
}

// In any order but the bytewise one no key is known to come just behind another.
TEST_CASE("CompactionTombstones: a table ends between the versions of a key, in reverse order") {
  const Comparator* const reverse = ReverseBytewiseComparator();
  const InternalKey end_of_first{"k", 10, ValueType::kValue};
  const InternalKey begin_of_second{"k", 9, ValueType::kValue};
  const Input first{
      {{"z", "a", 20}}, InternalKey{"z", 20, ValueType::kRangeDeletion}, end_of_first};
  const InternalKey sentinel{"a", kMaxSequence, ValueType::kRangeDeletion};
  const Visibility visibility({15}, false);
  SUBCASE("the next table carries the tombstone on") {
    CompactionTombstones all(*reverse, &visibility);
    REQUIRE(Gather(reverse, {first, {{{"z", "a", 20}}, begin_of_second, sentinel}}, &all).ok());
    CHECK_EQ(Show(all.Within(std::nullopt, std::nullopt)), "[z,a)@20 ");
  }
  SUBCASE("a newer one of the same stripe hides as much") {
    CompactionTombstones all(*reverse, &visibility);
    REQUIRE(Gather(reverse, {first, {{{"k", "b", 22}}, begin_of_second, sentinel}}, &all).ok());
    CHECK_EQ(Show(all.Within(std::nullopt, std::nullopt)), "[z,k)@20 [k,b)@22 ");
  }
  SUBCASE("one of another stripe does not") {
    CompactionTombstones all(*reverse, &visibility);
    const Status refused =
        Gather(reverse, {first, {{{"k", "b", 14}}, begin_of_second, sentinel}}, &all);
    CHECK_EQ(refused.code(), Code::kNotSupported);
  }
  SUBCASE("nor does one that ends before the key") {
    CompactionTombstones all(*reverse, &visibility);
    const Status refused = Gather(reverse, {first, {{{"p", "k", 20}}, {}, {}}}, &all);
    CHECK_EQ(refused.code(), Code::kNotSupported);
  }
  SUBCASE("what every snapshot sees goes at the bottom, and its end with it") {
    const Visibility bottommost({}, true);
    CompactionTombstones all(*reverse, &bottommost);
    REQUIRE(Gather(reverse, {first}, &all).ok());
    CHECK(all.empty());
  }
}

}  // namespace
}  // namespace varve
