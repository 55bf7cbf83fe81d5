// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/approximate_size.h"

#include "tests/unit/inspect/inspected_db.h"

namespace varve {
namespace {

using Bound = std::optional<std::string>;

// Tables of the keys 000-099, 100-199 and 200-299, a thousand bytes each.
struct Fixture : InspectedDb {
  Fixture() {
    for (int i = 0; i < 300; ++i) {
      Put(Key(i), std::string(1000, 'v'));
      if (i % 100 == 99) Flush();
    }
    for (const std::string& name : Tables()) sizes.push_back(*fs.FileSize("db/" + name));
    REQUIRE_EQ(sizes.size(), 3);
  }
  static std::string Key(int i) { return std::to_string(1000 + i).substr(1); }
  ApproximateSize Measure(const Bound& from, const Bound& to) {
    const auto size = MeasureRange(fs, "db", "default", from, to);
    REQUIRE_MESSAGE(size.ok(), size.status().ToString());
    return *size;
  }
  std::vector<uint64_t> sizes;
};

TEST_CASE("MeasureRange: tables that lie within count whole, without being opened") {
  Fixture t;
  const ApproximateSize all = t.Measure({}, {});
  CHECK_EQ(all.bytes, t.sizes[0] + t.sizes[1] + t.sizes[2]);
  CHECK_EQ(all.tables, 3);
  CHECK_EQ(all.opened, 0);
  const ApproximateSize one = t.Measure("100", "200");
  CHECK_EQ(one.bytes, t.sizes[1]);
  CHECK_EQ(one.tables, 1);
  CHECK_EQ(one.opened, 0);
}

TEST_CASE("MeasureRange: nothing between the tables, beside them, or in an empty range") {
  Fixture t;
  for (const auto& [from, to] : {std::pair<Bound, Bound>{"0995", "0999"},
                                 {"300", {}},
                                 {{}, "000"},
                                 {"150", "150"},
                                 {"150", "120"}}) {
    const ApproximateSize none = t.Measure(from, to);
    CHECK_EQ(none.bytes, 0);
  }
  CHECK_EQ(t.Measure("300", {}).tables, 0);
}

TEST_CASE(
    "MeasureRange: of a table that reaches beyond, the blocks within: some 1,000 bytes a key") {
  Fixture t;
  for (int from = 0; from < 300; from += 17) {
    for (int to = from; to <= 300; to += 23) {
      CAPTURE(from);
      CAPTURE(to);
      const ApproximateSize size = t.Measure(Fixture::Key(from), Fixture::Key(to));
      const auto keys = static_cast<uint64_t>(to - from);
      // A block holds four; each table has an index and more behind its blocks.
      CHECK_LE(size.bytes, keys * 1100 + 10'000);
      CHECK_GE(size.bytes + 10'000, keys * 1000);
      CHECK_LE(size.opened, 2);
    }
  }
}

TEST_CASE("MeasureRange: a larger range is not smaller") {
  Fixture t;
  uint64_t before = 0;
  for (int to = 0; to <= 300; ++to) {
    const uint64_t bytes = t.Measure("050", Fixture::Key(to)).bytes;
    CHECK_GE(bytes, before);
    before = bytes;
  }
}

TEST_CASE("MeasureRange: what is in the logs only does not count; unknown families are refused") {
  InspectedDb t;
  t.Put("a", std::string(10'000, 'v'));
  CHECK_EQ(MeasureRange(t.fs, "db", "default", {}, {})->bytes, 0);
  CHECK_FALSE(MeasureRange(t.fs, "db", "nobody", {}, {}).ok());
  CHECK_FALSE(MeasureRange(t.fs, "nowhere", "default", {}, {}).ok());
}

}  // namespace
}  // namespace varve
