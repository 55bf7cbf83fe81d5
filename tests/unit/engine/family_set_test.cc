// SPDX-License-Identifier: Apache-2.0
#include "core/engine/family_set.h"

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "tests/unit/engine/engine_parts.h"

namespace varve {
namespace {

struct Fixture : ContextFixture {
  Family* Add(ColumnFamilyId id) {
    context.AssertNotShared();
    return families.Add(NewFamily(id, {}));
  }
  void Drop(Family* family) {
    context.AssertNotShared();
    family->Drop(EmptyVersion(*BytewiseComparator(), context.tables.get(), {}));
  }
  std::vector<ColumnFamilyId> Ids() const {
    std::vector<ColumnFamilyId> ids;
    for (const Family* family : families.all()) ids.push_back(family->id());
    return ids;
  }
  FamilySet families;
};

TEST_CASE("FamilySet: it finds what was added, and nothing else") {
  Fixture t;
  CHECK(t.families.Find(0) == nullptr);
  CHECK(t.families.all().empty());
  Family* const sparse = t.Add(1'000'000);
  Family* const first = t.Add(0);  // Out of order, as a MANIFEST may list them.
  CHECK(t.families.Find(0) == first);
  CHECK(t.families.Find(1'000'000) == sparse);
  for (const ColumnFamilyId id : {ColumnFamilyId{1}, ColumnFamilyId{999'999},
                                  ColumnFamilyId{1'000'001}, ~ColumnFamilyId{0}}) {
    CHECK(t.families.Find(id) == nullptr);
  }
  CHECK(t.Ids() == std::vector<ColumnFamilyId>{0, 1'000'000});
}

TEST_CASE("FamilySet: a family stays where it is while the set grows, and so does an old view") {
  Fixture t;
  Family* const first = t.Add(0);
  const std::span<Family* const> seen = t.families.all();
  for (ColumnFamilyId id = 1; id < 100; ++id) t.Add(id);
  CHECK(t.families.Find(0) == first);
  REQUIRE_EQ(seen.size(), 1);
  CHECK(seen[0] == first);
  CHECK_EQ(t.families.all().size(), 100);
}

TEST_CASE("FamilySet: against a map, with ids in any order and families that are dropped") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Fixture t;
    std::mt19937_64 random(seed);
    std::map<ColumnFamilyId, Family*> alive;
    std::map<ColumnFamilyId, Family*> dropped;
    ColumnFamilyId ascending = 0;
    for (int step = 0; step < 60; ++step) {
      ColumnFamilyId id = ascending++;
      if (random() % 4 == 0) id = 1000 + static_cast<ColumnFamilyId>(random() % 1000);
      if (alive.contains(id) || dropped.contains(id)) continue;
      alive[id] = t.Add(id);
      if (random() % 3 == 0) {
        const auto victim =
            std::next(alive.begin(), static_cast<ptrdiff_t>(random() % alive.size()));
        t.Drop(victim->second);
        dropped.insert(*victim);
        alive.erase(victim);
      }
      const std::vector<ColumnFamilyId> ids = t.Ids();
      REQUIRE(std::is_sorted(ids.begin(), ids.end()));
      for (const auto& [key, family] : alive) REQUIRE(t.families.Find(key) == family);
      // A dropped one may still be found, but as what it is.
      for (const auto& [key, family] : dropped) {
        const Family* const found = t.families.Find(key);
        REQUIRE((found == nullptr || (found == family && found->dropped())));
      }
    }
  }
}

TEST_CASE("FamilySet: the ids of dropped families do not pile up") {
  Fixture t;
  for (ColumnFamilyId id = 0; id < 1000; ++id) {
    Family* const family = t.Add(id);
    if (id % 100 != 0) t.Drop(family);
  }
  CHECK_LT(t.families.all().size(), 60);
  for (ColumnFamilyId id = 0; id < 1000; id += 100) CHECK(t.families.Find(id) != nullptr);
}

TEST_CASE("FamilySet: readers find every family that they were told of, while others are added") {
  Fixture t;
  constexpr ColumnFamilyId kFamilies = 300;
  std::atomic<ColumnFamilyId> added{0};
  std::atomic<int> missed{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      for (ColumnFamilyId known = 0; known < kFamilies; known = added) {
        for (ColumnFamilyId id = 0; id < known; ++id) {
          const Family* const family = t.families.Find(id);
          if (family == nullptr || family->id() != id) ++missed;
        }
      }
    });
  }
  for (ColumnFamilyId id = 0; id < kFamilies; ++id) {
    t.Add(id);
    added = id + 1;
  }
  for (std::thread& reader : readers) reader.join();
  CHECK_EQ(missed, 0);
}

}  // namespace
}  // namespace varve
