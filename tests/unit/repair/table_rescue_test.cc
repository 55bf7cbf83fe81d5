// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_rescue.h"

#include <doctest/doctest.h>

#include "tests/unit/repair/repair_phases.h"

namespace varve {
namespace {

using Fate = RepairTable::Fate;

// name family fate, and the reason if there is one, a line for each row.
std::string Rows(const RescuedTables& rescued) {
  constexpr const char* kFates[] = {"kept", "salvaged", "merged", "lost", "obsolete"};
  std::string text;
  for (const RepairTable& row : rescued.rows) {
    text += row.name + " " + row.family + " " + kFates[static_cast<size_t>(row.fate)];
    if (!row.why.empty()) text += ": " + row.why;
    text += "\n";
  }
  return text;
}

// Enough for several data blocks.
std::vector<TestEntry> Many() {
  std::vector<TestEntry> entries;
  for (int i = 0; i < 100; ++i) {
    entries.push_back(
        PutEntry(std::to_string(100 + i), 5, std::to_string(i * 7919) + std::string(300, 'v')));
  }
  return entries;
}

void BuildOf(RepairPhases* t, FileNumber number, const TableOrigin& origin) {
  auto file = t->fs().Create("db/" + TableFileName(number), /*direct=*/false);
  REQUIRE(file.ok());
  TableBuilder builder(TableOptions(), *BytewiseComparator(), origin, file->get());
  REQUIRE(builder.Add({"a", number, ValueType::kValue}, "v").ok());
  REQUIRE(builder.Finish().ok());
}

TEST_CASE(
    "RescueTables: with a whole MANIFEST its tables are kept on their levels, others are not") {
  RepairPhases t;
  VersionEdit::NewFile deep = t.Table(7, {PutEntry("a", 3)});
  deep.level = 6;
  t.Table(8, {PutEntry("a", 4)});
  t.ManifestOf({t.Table(9, {PutEntry("a", 5), PutEntry("b", 5)}), deep});
  const RescuedTables rescued = t.Rescue();
  CHECK_EQ(Rows(rescued),
           "000007.sst default kept\n"
           "000008.sst default obsolete: the MANIFEST does not need it\n"
           "000009.sst default kept\n");
  REQUIRE_EQ(rescued.tables.size(), 2);
  CHECK_EQ(rescued.tables[0].number, 7);
  CHECK_EQ(*rescued.tables[0].level, 6);
  CHECK_EQ(*rescued.tables[1].level, 0);
  CHECK_EQ(rescued.rows[rescued.tables[1].row].name, "000009.sst");
  CHECK_EQ(rescued.entries, 3);
  CHECK(t.Written().empty());  // An intact table is copied when it is placed.
}

TEST_CASE("RescueTables: a table that the MANIFEST names and that is missing is lost") {
  RepairPhases t;
  t.ManifestOf({t.Table(7, {PutEntry("a", 3)})});
  REQUIRE(t.fs().Remove("db/000007.sst").ok());
  const RescuedTables rescued = t.Rescue();
  CHECK_EQ(Rows(rescued), "000007.sst default lost: is missing\n");
  CHECK(rescued.tables.empty());
}

TEST_CASE("RescueTables: a missing table of another path is not called lost") {
  RepairPhases t;
  VersionEdit::NewFile elsewhere = t.Table(7, {PutEntry("a", 3)});
  elsewhere.file.path_id = 1;
  t.ManifestOf({elsewhere});
  REQUIRE(t.fs().Remove("db/000007.sst").ok());
  const Status refused = t.TryRescue().status();
  CHECK(refused.code() == Code::kNotSupported);
  CHECK(refused.message().find("000007.sst") != std::string::npos);
}

TEST_CASE("RescueTables: of a damaged table the sound blocks are written anew, with the bill") {
  RepairPhases t;
  t.ManifestOf({t.Table(7, Many())});
  t.Flip("000007.sst", 10);
  const RescuedTables rescued = t.Rescue();
  REQUIRE_EQ(rescued.rows.size(), 1);
  const RepairTable& row = rescued.rows[0];
  CHECK(row.fate == Fate::kSalvaged);
  CHECK(row.why.find("000007.sst@0") != std::string::npos);
  REQUIRE(row.bill.has_value());
  CHECK_FALSE(row.bill->complete());
  CHECK_EQ(row.bill->entries + row.bill->entries_lost(), 100);
  CHECK_EQ(row.entries, row.bill->entries);
  CHECK_EQ(rescued.entries, row.bill->entries);
  CHECK_EQ(t.Written(), std::vector<std::string>{"000007.sst"});
  REQUIRE_EQ(rescued.tables.size(), 1);
  CHECK_EQ(rescued.tables[0].path, "out/000007.sst");
  CHECK_EQ(rescued.tables[0].survey.entries, row.bill->entries);
  CHECK_EQ(rescued.tables[0].survey.description.size, *t.fs().FileSize("out/000007.sst"));
}

TEST_CASE("RescueTables: a dry run counts the same and writes nothing") {
  RepairPhases t;
  t.ManifestOf({t.Table(7, Many()), t.Table(8, {PutEntry("a", 9)})});
  t.Flip("000007.sst", 10);
  const RescuedTables dry = t.Rescue(/*dry_run=*/true);
  CHECK(t.Written().empty());
  const RescuedTables wet = t.Rescue();
  CHECK_EQ(Rows(dry), Rows(wet));
  CHECK_EQ(dry.entries, wet.entries);
}

TEST_CASE("RescueTables: of which nothing is left is lost, and leaves no file") {
  RepairPhases t;
  t.ManifestOf({t.Table(7, {PutEntry("a", 3)})});
  t.Flip("000007.sst", 3);
  const RescuedTables rescued = t.Rescue();
  REQUIRE_EQ(rescued.rows.size(), 1);
  CHECK(rescued.rows[0].fate == Fate::kLost);
  CHECK(rescued.rows[0].bill.has_value());
  CHECK(rescued.tables.empty());
  CHECK(t.Written().empty());
}

TEST_CASE("RescueTables: without a MANIFEST families are those of the tables' properties") {
  RepairPhases t;
  TableOrigin seven, unnamed, clash;
  seven.family_id = 7;
  seven.family_name = "seven";
  clash.family_id = 7;  // As after a family was dropped and another database's table came in.
  clash.family_name = "eight";
  unnamed.family_name = "";
  BuildOf(&t, 10, seven);
  BuildOf(&t, 11, clash);
  BuildOf(&t, 12, unnamed);
  BuildOf(&t, 13, seven);
  const RescuedTables rescued = t.Rescue();
  CHECK_EQ(Rows(rescued),
           "000010.sst seven kept\n000011.sst eight kept\n"
           "000012.sst default kept\n000013.sst seven kept\n");
  REQUIRE_EQ(rescued.tables.size(), 4);
  CHECK_EQ(rescued.tables[0].family, 7);
  CHECK_EQ(rescued.tables[1].family, 8);
  CHECK_EQ(rescued.tables[2].family, 0);
  CHECK_EQ(rescued.tables[3].family, 7);
  for (const RescuedTable& table : rescued.tables) CHECK_FALSE(table.level.has_value());
  CHECK_EQ(rescued.state.families.size(), 3);
  CHECK_EQ(rescued.state.counters.max_family, 8);
}

TEST_CASE("RescueTables: who watches may cancel it") {
  RepairPhases t;
  t.ManifestOf({t.Table(7, {PutEntry("a", 3)}), t.Table(8, {PutEntry("b", 3)})});
  std::vector<uint64_t> seen;
  const auto progress = [&seen](const VerifyProgress& now) {
    seen.push_back(now.bytes_done);
    return seen.size() < 2;
  };
  CHECK(t.TryRescue(false, progress).status().code() == Code::kIoError);
  const uint64_t first = *t.fs().FileSize("db/000007.sst");
  CHECK(seen == std::vector<uint64_t>{first, first + *t.fs().FileSize("db/000008.sst")});
}

}  // namespace
}  // namespace varve
