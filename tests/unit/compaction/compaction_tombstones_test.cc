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

CompactionTombstones Gather(const Visibility& visibility, const std::vector<Input>& inputs) {
  CompactionTombstones all(*BytewiseComparator(), &visibility);
  for (const Input& input : inputs) {
    const FragmentedTombstones list(*BytewiseComparator(), input.tombstones);
    REQUIRE(all.Add(list, input.smallest, input.largest).ok());
  }
  all.Finish();
  return all;
}

TEST_CASE("CompactionTombstones: each output carries its part") {
  const Visibility visibility({10}, false);
  const auto all = Gather(visibility, {{{{"a", "h", 9}}, {}, {}}, {{{"f", "t", 12}}, {}, {}}});
  CHECK_EQ(Show(all.Within(std::nullopt, "k")), "[a,f)@9 [f,h)@12 [f,h)@9 [h,k)@12 ");
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
  CHECK_EQ(all.dropped(), 1);
  const Visibility alone({}, true);
  CHECK(Gather(alone, {{{{"a", "z", 9}}, {}, {}}}).empty());
}

}  // namespace
}  // namespace varve
