// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/space/space.h"

#include "tests/unit/inspect/inspected_db.h"

namespace varve {
namespace {

std::string Counts(const SpaceTotals& t) {
  return std::to_string(t.live.entries) + " " + std::to_string(t.shadowed.entries) + " " +
         std::to_string(t.tombstones.entries);
}

// The figure of space.h: L6 has k, m and z, level 0 k twice and a deletion of m.
struct Fixture : InspectedDb {
  Fixture() {
    for (const char* const key : {"k", "m", "z"}) Put(key, "old");
    Flush();
    REQUIRE(db->CompactRange({}, std::nullopt, std::nullopt).ok());
    Put("k", "7");
    const Snapshot between = db->GetSnapshot();
    REQUIRE(db->Delete({}, "m").ok());
    Put("k", "9");
    Flush();
  }
  SpaceReport Report(const SpaceOptions& options = {}) {
    auto report = ReportSpace(fs, "db", options);
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    return *std::move(report);
  }
};

TEST_CASE("ReportSpace: live, shadowed and tombstones, on each level and together") {
  Fixture t;
  const SpaceReport report = t.Report();
  REQUIRE_EQ(report.families.size(), 1);
  const SpaceFamily& family = report.families[0];
  CHECK_EQ(Counts(family.total), "2 3 1");
  REQUIRE_EQ(family.levels.size(), 2);
  CHECK_EQ(family.levels[0].level, 0);
  CHECK_EQ(Counts(family.levels[0].totals), "1 1 1");
  CHECK_EQ(family.levels[1].level, 6);
  CHECK_EQ(Counts(family.levels[1].totals), "1 2 0");
  CHECK_EQ(family.keys, 2);
  CHECK_EQ(family.skipped, 4);
}

TEST_CASE("ReportSpace: what is in the logs only has a level of its own") {
  Fixture t;
  t.Put("z", "in the log");
  const SpaceReport report = t.Report();
  const SpaceFamily& family = report.families[0];
  REQUIRE_EQ(family.levels.size(), 3);
  CHECK_EQ(family.levels[0].level, kWalLevel);
  CHECK_EQ(Counts(family.levels[0].totals), "1 0 0");
  CHECK_EQ(Counts(family.levels[2].totals), "0 3 0");
}

TEST_CASE("ReportSpace: levels, slices and prefixes each add up to the whole") {
  InspectedDb t;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 200; i += 1 + round) {
      if (i % 7 == 3) {
        REQUIRE(t.db->Delete({}, std::to_string(1000 + i)).ok());
      } else {
        t.Put(std::to_string(1000 + i), std::string(static_cast<size_t>(i), 'v'));
      }
    }
    t.Flush();
  }
  const auto report = ReportSpace(t.fs, "db", {.prefix_length = 2});
  REQUIRE(report.ok());
  const SpaceFamily& family = report->families[0];
  SpaceTotals levels, slices, prefixes;
  const auto add = [](const SpaceTotals& from, SpaceTotals* to) {
    for (auto part : {&SpaceTotals::live, &SpaceTotals::shadowed, &SpaceTotals::tombstones}) {
      (to->*part).entries += (from.*part).entries;
      (to->*part).bytes += (from.*part).bytes;
    }
  };
  for (const SpaceLevel& level : family.levels) add(level.totals, &levels);
  for (const SpaceSlice& slice : family.slices) add(slice.totals, &slices);
  for (const SpacePrefix& prefix : family.prefixes) add(prefix.totals, &prefixes);
  for (const SpaceTotals* sum : {&levels, &slices, &prefixes}) {
    CHECK_EQ(Counts(*sum), Counts(family.total));
    CHECK_EQ(sum->bytes(), family.total.bytes());
  }
  uint64_t keys = 0;
  auto it = t.db->NewIterator({});
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++keys;
  CHECK_EQ(family.keys, keys);
  CHECK_EQ(family.total.live.entries, keys);
}

TEST_CASE("ReportSpace: of a range of keys, that range") {
  Fixture t;
  CHECK_EQ(Counts(t.Report({.from = "l"}).families[0].total), "1 1 1");
  CHECK_EQ(Counts(t.Report({.to = "l"}).families[0].total), "1 2 0");
  CHECK_EQ(Counts(t.Report({.from = "m", .to = "m"}).families[0].total), "0 0 0");
}

TEST_CASE("ReportSpace: the bytes of files, and those that nothing needs") {
  Fixture t;
  t.Close();
  uint64_t tables = 0;
  for (const std::string& name : t.Tables()) tables += *t.fs.FileSize("db/" + name);
  {
    auto file = t.fs.Create("db/000999.sst", /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append("left over").ok());
  }
  const SpaceReport report = t.Report();
  REQUIRE_EQ(report.orphans.size(), 1);
  CHECK_EQ(report.orphans[0].name, "000999.sst");
  CHECK_EQ(report.orphan_bytes, 9);
  uint64_t files = 0;
  for (const SpaceLevel& level : report.families[0].levels) files += level.file_bytes;
  CHECK_EQ(files, tables);
}

TEST_CASE("ReportSpace: damage fails it, with its place: a part would look like the whole") {
  Fixture t;
  t.Close();
  const std::string damaged = t.Tables().front();
  t.Flip(damaged, 3);
  const auto report = ReportSpace(t.fs, "db", {});
  REQUIRE_FALSE(report.ok());
  CHECK(report.status().code() == Code::kCorruption);
  CHECK(report.status().message().find(damaged + "@0") != std::string::npos);
}

}  // namespace
}  // namespace varve
