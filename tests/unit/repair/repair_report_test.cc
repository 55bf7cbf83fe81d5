// SPDX-License-Identifier: Apache-2.0
#include "core/repair/repair_report.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

using Fate = RepairTable::Fate;

RepairReport Of(const std::vector<RepairTable>& tables) {
  RepairReport report;
  report.tables = tables;
  return report;
}

// `saved` of ten entries; a block of the table's, or of its index, is damaged.
RepairTable Salvaged(uint64_t saved, bool of_data = true) {
  RepairTable table{.name = "7.sst", .family = "default", .fate = Fate::kSalvaged};
  table.bill = SalvageReport();
  table.bill->entries = saved;
  table.bill->entries_expected = 10;
  table.bill->losses = {{.what = "checksum", .data = of_data}};
  return table;
}

TEST_CASE("RepairReport: it is complete unless a table is lost, or a part of one") {
  CHECK(Of({}).complete());
  for (const Fate fate : {Fate::kKept, Fate::kMerged, Fate::kObsolete}) {
    CHECK(Of({{.name = "7.sst", .family = "default", .fate = fate}}).complete());
  }
  CHECK_FALSE(Of({{.name = "7.sst", .family = "default", .fate = Fate::kLost}}).complete());
  CHECK_FALSE(Of({Salvaged(9)}).complete());
  CHECK_FALSE(Of({{.name = "6.sst", .family = "default"}, Salvaged(9)}).complete());
  // What was damaged could be made anew.
  CHECK(Of({Salvaged(10)}).complete());
  CHECK(Of({Salvaged(9, /*of_data=*/false)}).complete());
}

TEST_CASE("RepairReport: a merged table that was salvaged before counts by its bill") {
  RepairTable table = Salvaged(9);
  table.fate = Fate::kMerged;
  CHECK_FALSE(Of({table}).complete());
}

TEST_CASE(
    "RepairReport: flushed logs are brought only if the MANIFEST is not whole and data is lost") {
  for (const bool whole : {false, true}) {
    for (const bool lost : {false, true}) {
      for (const bool logs : {false, true}) {
        RepairReport report = Of({Salvaged(lost ? 9 : 10)});
        report.manifest_whole = whole;
        if (logs) report.logs = {"000006.log"};
        CHECK_EQ(report.brings_flushed_logs(), !whole && lost && logs);
      }
    }
  }
}

}  // namespace
}  // namespace varve
