// SPDX-License-Identifier: Apache-2.0
#include "core/repair/new_manifest.h"

#include <doctest/doctest.h>

#include "core/format/log/write_batch_format.h"
#include "core/version/manifest_reader.h"
#include "tests/unit/repair/repair_phases.h"
#include "varve/write_batch.h"

namespace varve {
namespace {

// Table 7 has a log's newest entry, sequence 3; the log after it has sequence 4.
struct Fixture : RepairPhases {
  Fixture() {
    Table(7, {PutEntry("a", 1), PutEntry("b", 3)});
    AddLog(6, 3);
    AddLog(8, 4);
  }
  void AddLog(FileNumber number, Sequence sequence) {
    auto file = fs().Create("db/" + WalFileName(number), /*direct=*/false);
    REQUIRE(file.ok());
    WriteBatch batch;
    batch.Put("b", "v");
    StampBatch(&batch.mutable_bytes(), sequence);
    REQUIRE(LogWriter(*std::move(file)).Append(batch.bytes()).ok());
  }
  // The log number that the default family gets.
  uint64_t WrittenLogNumber(RepairReport report) {
    RescuedTables rescued = Rescue();
    report.logs = {"000006.log", "000008.log"};
    auto placed = PlaceFamilies(Job(), files, /*keep_levels=*/false, blobs, &rescued);
    REQUIRE(placed.ok());
    placed->state.families.Find(ColumnFamilyId{0})->log_number = stored_log_number;
    placed->state.counters.min_log_number_to_keep = stored_log_to_keep;
    number = placed->next_number;
    const Status written = WriteNewManifest(Job(), rescued, report, *std::move(placed));
    REQUIRE_MESSAGE(written.ok(), written.ToString());
    auto read = ReadManifest(fs(), "out", Options(), nullptr);
    REQUIRE_MESSAGE(read.ok(), read.status().ToString());
    state = read->state;
    CHECK_EQ(read->number, number);
    CHECK_GT(state.counters.next_file_number, number);
    CHECK_EQ(state.families.Find(ColumnFamilyId{0})->version->TotalFiles(), 1);
    return state.families.Find(ColumnFamilyId{0})->log_number;
  }

  uint64_t stored_log_number = 0, stored_log_to_keep = 0;
  FileNumber number = 0;
  DatabaseState state;
};

RepairReport With(bool whole, bool lost) {
  RepairReport report;
  report.manifest_whole = whole;
  if (lost) {
    report.tables.push_back(
        {.name = "5.sst", .family = "default", .fate = RepairTable::Fate::kLost});
  }
  return report;
}

TEST_CASE("WriteNewManifest: it is what CURRENT names, and numbers go on behind it") {
  Fixture t;
  t.WrittenLogNumber(With(/*whole=*/true, /*lost=*/false));
  CHECK_EQ(t.Read("out/CURRENT"), ManifestFileName(t.number) + "\n");
  CHECK_EQ(t.state.counters.last_sequence, 3);
  CHECK_EQ(t.state.counters.prev_log_number, 0);
}

TEST_CASE("WriteNewManifest: a whole MANIFEST knows which logs are needed") {
  for (const bool lost : {false, true}) {
    Fixture t;
    t.stored_log_number = 6;
    CHECK_EQ(t.WrittenLogNumber(With(/*whole=*/true, lost)), 6);
  }
}

// Two-phase commits may need a log that all families are past: what was prepared in it is not
// committed yet, or is, in a later log.
TEST_CASE("WriteNewManifest: the logs that the MANIFEST keeps are kept") {
  Fixture t;
  t.stored_log_number = 8;
  t.stored_log_to_keep = 6;
  CHECK_EQ(t.WrittenLogNumber(With(/*whole=*/true, /*lost=*/false)), 8);
  CHECK_EQ(t.state.counters.min_log_number_to_keep, 6);
}

TEST_CASE("WriteNewManifest: without a whole MANIFEST all logs are kept, behind tables too") {
  for (const bool lost : {false, true}) {
    CAPTURE(lost);
    Fixture t;
    t.stored_log_number = 8;
    t.stored_log_to_keep = 8;
    t.WrittenLogNumber(With(/*whole=*/false, lost));
    CHECK_LE(t.state.counters.min_log_number_to_keep, 6);
    CHECK_LE(t.state.MinLogToReplay(), 6);
  }
}

TEST_CASE("WriteNewManifest: without one, a log that is in tables is not replayed once more") {
  Fixture t;
  CHECK_EQ(t.WrittenLogNumber(With(/*whole=*/false, /*lost=*/false)), 7);
}

TEST_CASE("WriteNewManifest: what the cut MANIFEST said of a later log counts") {
  Fixture t;
  t.stored_log_number = 8;
  CHECK_EQ(t.WrittenLogNumber(With(/*whole=*/false, /*lost=*/false)), 8);
}

TEST_CASE("WriteNewManifest: where data was lost, flushed logs may have it: none is passed over") {
  Fixture t;
  t.stored_log_number = 8;
  CHECK_EQ(t.WrittenLogNumber(With(/*whole=*/false, /*lost=*/true)), 0);
}

}  // namespace
}  // namespace varve
