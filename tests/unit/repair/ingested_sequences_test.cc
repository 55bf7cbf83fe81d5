// SPDX-License-Identifier: Apache-2.0
#include "core/repair/ingested_sequences.h"

#include <doctest/doctest.h>

#include "tests/unit/repair/repair_phases.h"

namespace varve {
namespace {

struct Fixture : RepairPhases {
  void Ingested(FileNumber number, const std::vector<TestEntry>& entries) {
    auto file = fs().Create("db/" + TableFileName(number), /*direct=*/false);
    REQUIRE(file.ok());
    TableOrigin origin;
    origin.for_ingestion = true;
    TableBuilder builder(TableOptions(), *BytewiseComparator(), origin, file->get());
    for (const TestEntry& e : entries) REQUIRE(builder.Add(e.key(), e.value).ok());
    REQUIRE(builder.Finish().ok());
  }
  // number:smallest..largest sequence, and "!" if the row says so.
  std::string Assigned() {
    RescuedTables rescued = Rescue();
    REQUIRE(AssignIngestedSequences(fs(), blobs, &rescued).ok());
    std::string text;
    for (const RescuedTable& table : rescued.tables) {
      const FileDescription& said = table.survey.description;
      CHECK_EQ(said.number, table.number);
      const bool noted = rescued.rows[table.row].why.find("taken to have sequence " +
                                                          std::to_string(said.largest_sequence)) !=
                         std::string::npos;
      text += std::to_string(table.number) + ":" + std::to_string(said.smallest_sequence) + ".." +
              std::to_string(said.largest_sequence) + (noted ? "! " : " ");
      // What reads see.
      const auto it = table.survey.reader->NewIterator({});
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        CHECK_GE(it->key().sequence, said.smallest_sequence);
        CHECK_LE(it->key().sequence, said.largest_sequence);
      }
    }
    return text;
  }
};

TEST_CASE("AssignIngestedSequences: each follows all tables with smaller numbers") {
  Fixture t;
  t.Ingested(6, {PutEntry("a", 0), PutEntry("b", 0)});
  t.Table(7, {PutEntry("a", 9), PutEntry("b", 4)});
  t.Ingested(8, {PutEntry("a", 0)});
  t.Ingested(9, {PutEntry("a", 0)});
  t.Table(10, {PutEntry("a", 20)});
  t.Ingested(11, {PutEntry("a", 0)});
  CHECK_EQ(t.Assigned(), "6:1..1! 7:4..9 8:10..10! 9:11..11! 10:20..20 11:21..21! ");
}

TEST_CASE("AssignIngestedSequences: an older table by number does not go back") {
  Fixture t;
  t.Table(7, {PutEntry("a", 30)});
  t.Table(8, {PutEntry("a", 9)});  // Compacted from older ones.
  t.Ingested(9, {PutEntry("b", 0)});
  CHECK_EQ(t.Assigned(), "7:30..30 8:9..9 9:31..31! ");
}

TEST_CASE("AssignIngestedSequences: tables that were not ingested stay as they are") {
  Fixture t;
  t.Table(7, {PutEntry("a", 0)});  // Compacted until its sequence went.
  CHECK_EQ(t.Assigned(), "7:0..0 ");
}

TEST_CASE("AssignIngestedSequences: entries that have sequences of their own get the one as well") {
  Fixture t;
  t.Ingested(7, {PutEntry("a", 0), PutEntry("b", 7)});
  CHECK_EQ(t.Assigned(), "7:1..1! ");
}

}  // namespace
}  // namespace varve
