// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/table_totals.h"

#include "tests/unit/inspect/inspected_db.h"

namespace varve {
namespace {

TEST_CASE(
    "ReportTableTotals: each level's files, filters and codecs, families without tables too") {
  InspectedDb t;
  ColumnFamilyOptions packed = t.options.family;
  packed.table.compression = CompressionType::kZstd;
  packed.table.filter = FilterKind::kNone;
  const ColumnFamilyId other = *t.db->CreateColumnFamily("packed", packed);
  for (int i = 0; i < 100; ++i) t.Put(std::to_string(100 + i), std::string(100, 'v'));
  t.Flush();
  REQUIRE(t.db->CompactRange({}, std::nullopt, std::nullopt).ok());
  t.Put("200", "newer");
  t.Put("100", std::string(10'000, 'v'), other);
  REQUIRE(t.db->Flush().ok());
  REQUIRE(t.db->Flush({}, other).ok());
  t.Close();
  const auto report = ReportTableTotals(t.fs, "db", nullptr);
  REQUIRE_MESSAGE(report.ok(), report.status().ToString());
  CHECK(report->unreadable.empty());
  REQUIRE_EQ(report->families.size(), 2);

  const FamilyTotals& first = report->families[0];
  CHECK_EQ(first.name, "default");
  REQUIRE_EQ(first.levels.size(), 2);
  CHECK_EQ(first.levels[0].level, 0);
  CHECK_EQ(first.levels[1].level, 6);
  CHECK_EQ(first.levels[1].files, 1);
  REQUIRE_EQ(first.levels[1].codecs.size(), 1);
  const auto& [codec, raw] = *first.levels[1].codecs.begin();
  CHECK_EQ(codec, "none");
  CHECK_GE(raw.raw_bytes, 100 * 103);
  CHECK_GE(raw.stored_bytes, raw.raw_bytes);

  const FamilyTotals& second = report->families[1];
  CHECK_EQ(second.name, "packed");
  REQUIRE_EQ(second.levels.size(), 1);
  REQUIRE(second.levels[0].codecs.contains("zstd"));
  const CodecTotals& zstd = second.levels[0].codecs.at("zstd");
  CHECK_LT(zstd.stored_bytes, zstd.raw_bytes / 10);
  REQUIRE(second.levels[0].filters.contains("none"));
  CHECK_EQ(second.levels[0].filters.at("none").bytes, 0);

  uint64_t bytes = 0, files = 0;
  for (const FamilyTotals& family : report->families) {
    for (const LevelTotals& level : family.levels) {
      bytes += level.file_bytes;
      files += level.files;
      CHECK_GT(level.index_bytes, 0);
    }
  }
  uint64_t stored = 0;
  for (const std::string& name : t.Tables()) stored += *t.fs.FileSize("db/" + name);
  CHECK_EQ(bytes, stored);
  CHECK_EQ(files, t.Tables().size());
}

TEST_CASE("ReportTableTotals: a table that cannot be opened is named, the others count") {
  InspectedDb t;
  for (const char* const key : {"a", "b"}) {
    t.Put(key, "v");
    t.Flush();
  }
  t.Close();
  const std::string broken = t.Tables().front();
  t.Flip(broken, *t.fs.FileSize("db/" + broken) - 1);  // Its magic number.
  const auto report = ReportTableTotals(t.fs, "db", nullptr);
  REQUIRE(report.ok());
  REQUIRE_EQ(report->unreadable.size(), 1);
  CHECK(report->unreadable[0].find(broken) != std::string::npos);
  REQUIRE_EQ(report->families[0].levels.size(), 1);
  CHECK_EQ(report->families[0].levels[0].filters.begin()->second.files, 1);
}

TEST_CASE("ReportTableTotals: who watches may end it") {
  InspectedDb t;
  t.Put("a", "v");
  t.Flush();
  t.Close();
  CHECK_FALSE(ReportTableTotals(t.fs, "db", [](const VerifyProgress&) { return false; }).ok());
  CHECK_FALSE(ReportTableTotals(t.fs, "nowhere", nullptr).ok());
}

}  // namespace
}  // namespace varve
