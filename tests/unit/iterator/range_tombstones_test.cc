// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/range_tombstones.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "core/base/keys/key_order.h"

namespace varve {
namespace {

const Comparator& Forward() { return *BytewiseComparator(); }

std::shared_ptr<const FragmentedTombstones> Listed(std::vector<RangeTombstone> tombstones) {
  return std::make_shared<const FragmentedTombstones>(Forward(), std::move(tombstones));
}

// Each fragment with the sequences over it, found as readers of the past would.
std::string Show(const FragmentedTombstones& list) {
  std::string out;
  for (size_t i = 0; i < list.fragments(); ++i) {
    std::string sequences;
    for (Sequence at = kMaxSequence; (at = list.NewestOver(i, at)) != 0; --at) {
      sequences += std::to_string(at) + ",";
    }
    if (sequences.empty()) continue;
    sequences.back() = ' ';
    out += "[" + list.cuts()[i] + "," + list.cuts()[i + 1] + ")@" + sequences;
  }
  return out;
}

TEST_CASE("FragmentedTombstones: overlapping tombstones are cut at each other's ends") {
  CHECK_EQ(Show(*Listed({{"a", "m", 9}, {"k", "t", 12}})), "[a,k)@9 [k,m)@12,9 [m,t)@12 ");
}

TEST_CASE("FragmentedTombstones: the parts of a cut tombstone are joined again") {
  CHECK_EQ(Show(*Listed({{"c", "e", 5}, {"a", "c", 5}})), "[a,e)@5 ");
  CHECK_EQ(Show(*Listed({{"c", "e", 5}, {"a", "b", 5}})), "[a,b)@5 [c,e)@5 ");
}

TEST_CASE("FragmentedTombstones: empty and inverted tombstones vanish") {
  CHECK(Listed({{"a", "a", 5}, {"c", "b", 6}})->empty());
}

TEST_CASE("FragmentedTombstones: a snapshot sees the newest tombstone not newer than itself") {
  const auto list = Listed({{"a", "m", 9}, {"k", "t", 12}});
  CHECK_EQ(list->NewestCovering("k", 20), 12);
  CHECK_EQ(list->NewestCovering("k", 11), 9);
  CHECK_EQ(list->NewestCovering("k", 8), 0);
  CHECK_EQ(list->NewestCovering("t", 20), 0);
  CHECK_EQ(list->NewestCovering("", 20), 0);
}

TEST_CASE("FragmentedTombstones: gives the tombstones back, parts joined") {
  const auto list = Listed({{"k", "t", 12}, {"c", "e", 5}, {"a", "c", 5}, {"a", "b", 7}});
  std::string all;
  for (size_t i = 0; i < list->size(); ++i) {
    const FragmentedTombstones::Tombstone t = list->tombstone(i);
    all.append("[").append(t.begin).append(",").append(t.end).append(")@");
    all += std::to_string(t.sequence) + " ";
  }
  CHECK_EQ(all, "[a,b)@7 [a,e)@5 [k,t)@12 ");
}

// Each lies within the one before, or around it: as fragments with a list of sequences each they
// would take gigabytes and minutes.
TEST_CASE("FragmentedTombstones: many around each other") {
  constexpr Sequence kCount = 100'000;
  for (const bool outer_newer : {false, true}) {
    CAPTURE(outer_newer);
    std::vector<RangeTombstone> tombstones;
    const auto key = [](uint64_t n) {
      std::string digits = std::to_string(n);
      return std::string(8 - digits.size(), '0') + digits;
    };
    for (Sequence s = 1; s <= kCount; ++s) {
      const uint64_t inset = outer_newer ? kCount - s : s - 1;
      tombstones.push_back({key(inset), key(3 * kCount - inset), s});
    }
    const auto list = Listed(std::move(tombstones));
    CHECK_EQ(list->fragments(), 2 * kCount - 1);
    // The middle is under all of them, the outermost fragments under one.
    for (const Sequence at : {Sequence{1}, kCount / 3, kCount, kMaxSequence}) {
      CHECK_EQ(list->NewestCovering(key(3 * kCount / 2), at), std::min(at, kCount));
      CHECK_EQ(list->NewestCovering(key(0), at),
               outer_newer ? (at < kCount ? 0 : kCount) : Sequence{1});
    }
  }
}

// One lower-case letter, or two.
std::string RandomKey(std::mt19937_64& random) {
  std::string key(1, static_cast<char>('a' + random() % 12));
  if (random() % 2 == 0) key += static_cast<char>('a' + random() % 3);
  return key;
}

std::vector<RangeTombstone> RandomTombstones(std::mt19937_64& random, size_t count) {
  std::vector<RangeTombstone> tombstones;
  for (size_t i = 0; i < count; ++i) {
    tombstones.push_back({RandomKey(random), RandomKey(random), 1 + random() % 50});
  }
  return tombstones;
}

Sequence NewestByHand(const Comparator& order, const std::vector<RangeTombstone>& tombstones,
                      std::string_view key, Sequence snapshot) {
  Sequence newest = 0;
  for (const RangeTombstone& t : tombstones) {
    if (order.Compare(t.begin, key) <= 0 && order.Compare(key, t.end) < 0 &&
        t.sequence <= snapshot) {
      newest = std::max(newest, t.sequence);
    }
  }
  return newest;
}

TEST_CASE("FragmentedTombstones: answers as a look at every tombstone would") {
  for (const Comparator* order : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    for (uint64_t seed = 1; seed <= 100; ++seed) {
      CAPTURE(seed);
      std::mt19937_64 random(seed);
      const auto tombstones = RandomTombstones(random, seed % 20);
      const FragmentedTombstones list(*order, tombstones);
      for (int i = 0; i < 100; ++i) {
        const std::string key = RandomKey(random);
        const Sequence snapshot = random() % 60;
        REQUIRE_EQ(list.NewestCovering(key, snapshot),
                   NewestByHand(*order, tombstones, key, snapshot));
      }
    }
  }
}

TEST_CASE("TombstoneCollector: hides what is older and visible at the snapshot, no more") {
  TombstoneCollector collector(Forward(), 20);
  collector.Add(0, Listed({{"b", "d", 10}, {"b", "d", 30}}), std::nullopt, std::nullopt);
  CHECK(collector.Covers({"b", 9, ValueType::kValue}));
  CHECK_FALSE(collector.Covers({"b", 10, ValueType::kValue}));
  CHECK_FALSE(collector.Covers({"b", 15, ValueType::kValue}));
  CHECK_FALSE(collector.Covers({"d", 9, ValueType::kValue}));
}

TEST_CASE("TombstoneCollector: a table's tombstones end at its sentinel") {
  TombstoneCollector collector(Forward(), kMaxSequence);
  collector.Add(5, Listed({{"a", "z", 10}}), InternalKey{"c", 10, ValueType::kRangeDeletion},
                InternalKey{"m", kMaxSequence, ValueType::kRangeDeletion});
  CHECK_FALSE(collector.Covers({"b", 1, ValueType::kValue}));
  CHECK(collector.Covers({"c", 1, ValueType::kValue}));
  CHECK(collector.Covers({"lzz", 1, ValueType::kValue}));
  CHECK_FALSE(collector.Covers({"m", 1, ValueType::kValue}));
}

TEST_CASE("TombstoneCollector: a bound between the versions of a key separates them") {
  TombstoneCollector collector(Forward(), kMaxSequence);
  collector.Add(5, Listed({{"a", "z", 10}}), InternalKey{"c", 7, ValueType::kValue},
                InternalKey{"m", 5, ValueType::kValue});
  CHECK_FALSE(collector.Covers({"c", 8, ValueType::kValue}));
  CHECK(collector.Covers({"c", 7, ValueType::kValue}));
  CHECK(collector.Covers({"c", 6, ValueType::kValue}));
  CHECK(collector.Covers({"m", 6, ValueType::kValue}));
  CHECK(collector.Covers({"m", 5, ValueType::kValue}));
  CHECK_FALSE(collector.Covers({"m", 4, ValueType::kValue}));
}

TEST_CASE("TombstoneCollector: a table is added once, memtables as often as they come") {
  TombstoneCollector collector(Forward(), kMaxSequence);
  collector.Add(5, Listed({{"a", "c", 10}}), std::nullopt, std::nullopt);
  collector.Add(5, Listed({{"x", "z", 10}}), std::nullopt, std::nullopt);
  CHECK_FALSE(collector.Covers({"x", 1, ValueType::kValue}));
  collector.Add(0, Listed({{"k", "l", 10}}), std::nullopt, std::nullopt);
  collector.Add(0, Listed({{"x", "z", 10}}), std::nullopt, std::nullopt);
  CHECK(collector.Covers({"x", 1, ValueType::kValue}));
  collector.Clear();
  CHECK(collector.empty());
  CHECK_FALSE(collector.Covers({"x", 1, ValueType::kValue}));
}

// Levels of files that do not overlap, some of which meet amid the versions of a key, level 0, and
// memtables, added in any order.
TEST_CASE("TombstoneCollector: runs of files change no answer") {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    struct Clipped {
      std::vector<RangeTombstone> tombstones;
      std::optional<InternalKey> smallest, largest;
    };
    std::vector<std::string> names;  // What bounds point to.
    for (int i = 0; i < 400; ++i) names.push_back(RandomKey(random));
    const auto bound_at = [&](size_t i) {
      const bool exclusive = random() % 3 == 0;
      return InternalKey{names[i], exclusive ? kMaxSequence : random() % 50,
                         exclusive ? ValueType::kRangeDeletion : ValueType::kValue};
    };
    const auto before = [](const InternalKey& a, const InternalKey& b) {
      return CompareInternalKeys(BytewiseOrder{}, a, b) < 0;
    };
    std::vector<Clipped> files;
    for (int level = 0; level < 3; ++level) {
      std::vector<InternalKey> bounds;
      for (int i = 0; i < 24; ++i) bounds.push_back(bound_at(random() % names.size()));
      std::sort(bounds.begin(), bounds.end(), before);
      for (size_t i = 0; i + 1 < bounds.size(); i += 2) {
        files.push_back({RandomTombstones(random, 4), bounds[i], bounds[i + 1]});
      }
    }
    for (int i = 0; i < 2; ++i) files.push_back({RandomTombstones(random, 6), {}, {}});
    std::shuffle(files.begin(), files.end(), random);
    TombstoneCollector collector(Forward(), 40);
    uint64_t source = 1;
    for (const Clipped& file : files) {
      collector.Add(source++, Listed(file.tombstones), file.smallest, file.largest);
    }
    std::vector<std::string> keys;
    for (int i = 0; i < 300; ++i) keys.push_back(names[random() % names.size()]);
    std::sort(keys.begin(), keys.begin() + 100);
    std::sort(keys.begin() + 100, keys.begin() + 200, std::greater<>());
    for (const std::string& key : keys) {
      const InternalKey entry{key, random() % 50, ValueType::kValue};
      Sequence newest = 0;
      for (const Clipped& file : files) {
        if (file.smallest && before(entry, *file.smallest)) continue;
        if (file.largest && before(*file.largest, entry)) continue;
        newest = std::max(newest, NewestByHand(Forward(), file.tombstones, key, 40));
      }
      REQUIRE_EQ(collector.NewestCovering(entry), newest);
    }
  }
}

TEST_CASE("TombstoneCollector: remembering the last fragment changes no answer") {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    std::vector<RangeTombstone> all;
    TombstoneCollector collector(Forward(), 40);
    for (int list = 0; list < 3; ++list) {
      auto tombstones = RandomTombstones(random, 10);
      all.insert(all.end(), tombstones.begin(), tombstones.end());
      collector.Add(0, Listed(std::move(tombstones)), std::nullopt, std::nullopt);
    }
    std::vector<std::string> keys;
    for (int i = 0; i < 300; ++i) keys.push_back(RandomKey(random));
    // Mostly forward, then backward, then wild.
    std::sort(keys.begin(), keys.begin() + 100);
    std::sort(keys.begin() + 100, keys.begin() + 200, std::greater<>());
    for (const std::string& key : keys) {
      const InternalKey entry{key, random() % 50, ValueType::kValue};
      const Sequence newest = NewestByHand(Forward(), all, key, 40);
      REQUIRE_EQ(collector.NewestCovering(entry), newest);
      REQUIRE_EQ(collector.Covers(entry), newest > entry.sequence);
    }
  }
}

}  // namespace
}  // namespace varve
