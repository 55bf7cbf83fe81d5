// SPDX-License-Identifier: Apache-2.0
#include "core/repair/family_placement.h"

#include <doctest/doctest.h>

#include "tests/unit/repair/repair_phases.h"

namespace varve {
namespace {

struct Fixture : RepairPhases {
  // L<level> <number> for each table of the default family, and the note.
  std::string Placed(bool keep_levels, bool dry_run = false) {
    rescued = Rescue();
    auto result = PlaceFamilies(Job(dry_run), files, keep_levels, blobs, &rescued);
    REQUIRE_MESSAGE(result.ok(), result.status().ToString());
    placed = *std::move(result);
    std::string text;
    const Version& version = *placed.state.families.Find(ColumnFamilyId{0})->version;
    for (int level = 0; level < version.num_levels(); ++level) {
      for (const FilePtr& file : version.files(level)) {
        text += "L" + std::to_string(level) + " " + std::to_string(file->number()) + " ";
      }
    }
    return text;
  }

  RescuedTables rescued;
  PlacedFamilies placed;
};

using Names = std::vector<std::string>;

TEST_CASE("PlaceFamilies: levels of a whole MANIFEST are kept, their tables copied as they are") {
  Fixture t;
  VersionEdit::NewFile deep = t.Table(7, {PutEntry("a", 3)});
  deep.level = 4;
  t.ManifestOf({t.Table(8, {PutEntry("a", 5)}), deep});
  CHECK_EQ(t.Placed(/*keep_levels=*/true), "L0 8 L4 7 ");
  CHECK(t.placed.note.empty());
  CHECK_EQ(t.Written(), Names{"000007.sst", "000008.sst"});
  CHECK_EQ(t.Read("out/000007.sst"), t.Read("db/000007.sst"));
  CHECK_EQ(t.placed.state.counters.last_sequence, 100);  // The MANIFEST's, though no table has it.
}

TEST_CASE(
    "PlaceFamilies: tables that cannot be where the MANIFEST has them are placed anew, and named") {
  Fixture t;
  VersionEdit::NewFile a = t.Table(7, {PutEntry("a", 3), PutEntry("m", 3)});
  VersionEdit::NewFile b = t.Table(8, {PutEntry("n", 5), PutEntry("z", 5)});
  a.level = b.level = 5;
  // The MANIFEST's bounds are narrower than the table: with what it holds, it meets the other one.
  t.Table(7, {PutEntry("a", 3), PutEntry("p", 4)});
  t.ManifestOf({a, b});
  CHECK_EQ(t.Placed(/*keep_levels=*/true), "L5 8 L6 7 ");
  CHECK(t.placed.note.find("the tables of default are placed anew") != std::string::npos);
}

TEST_CASE(
    "PlaceFamilies: without a MANIFEST the newer stands above the older, others at the bottom") {
  Fixture t;
  t.Table(7, {PutEntry("a", 1), PutEntry("m", 2)});
  t.Table(8, {PutEntry("b", 3), PutEntry("c", 4)});
  t.Table(9, {PutEntry("x", 1)});
  CHECK_EQ(t.Placed(/*keep_levels=*/false), "L5 8 L6 7 L6 9 ");
  CHECK_EQ(t.placed.state.counters.last_sequence, 4);
  for (const RescuedTable& table : t.rescued.tables) {
    CHECK_EQ(t.rescued.rows[table.row].level, table.number == 8 ? 5 : 6);
  }
}

TEST_CASE("PlaceFamilies: tables whose sequences interleave are merged into a new one") {
  Fixture t;
  t.Table(7, {PutEntry("a", 1, "old"), PutEntry("b", 9)});
  t.Table(8, {PutEntry("a", 5, "new"), PutEntry("b", 3)});
  CHECK_EQ(t.Placed(/*keep_levels=*/false), "L6 9 ");
  CHECK_EQ(t.placed.next_number, 10);
  CHECK_EQ(t.Written(), Names{"000009.sst"});
  for (const RepairTable& row : t.rescued.rows) {
    CHECK(row.fate == RepairTable::Fate::kMerged);
    CHECK(row.why.find("merged into 000009.sst") != std::string::npos);
  }
}

TEST_CASE("PlaceFamilies: what was salvaged and then merged is not left behind") {
  Fixture t;
  std::vector<TestEntry> many;
  for (int i = 0; i < 100; ++i) {
    many.push_back(PutEntry(std::to_string(100 + i), i % 2 == 0 ? 9 : 1,
                            std::to_string(i * 7919) + std::string(300, 'v')));
  }
  t.Table(7, many);
  t.Table(8, {PutEntry("150", 5), PutEntry("160", 5)});
  t.Flip("000007.sst", 10);
  CHECK_EQ(t.Placed(/*keep_levels=*/false), "L6 9 ");
  CHECK_EQ(t.Written(), Names{"000009.sst"});
  // It is still told as what it is.
  CHECK(t.rescued.rows[0].fate == RepairTable::Fate::kSalvaged);
}

TEST_CASE("PlaceFamilies: a dry run writes nothing") {
  Fixture t;
  t.Table(7, {PutEntry("a", 1), PutEntry("b", 9)});
  t.Table(8, {PutEntry("a", 5), PutEntry("b", 3)});
  t.Table(9, {PutEntry("x", 2)});
  t.Placed(/*keep_levels=*/false, /*dry_run=*/true);
  CHECK(t.Written().empty());
}

}  // namespace
}  // namespace varve
