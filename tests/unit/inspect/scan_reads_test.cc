// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/scan_reads.h"

#include <doctest/doctest.h>

#include "core/inspect/table/table_report.h"
#include "varve/environment.h"

namespace varve {
namespace {

const std::string kTable = std::string(VARVE_FIXTURES) + "/sst/r119_superalign.sst";

ScanReadsReport Reads(ScanReadahead mode, uint64_t entries) {
  const auto report = ReportScanReads(*NativeEnvironment().file_system, kTable,
                                      {.mode = mode, .initial_window = 8 << 10}, entries);
  REQUIRE_MESSAGE(report.ok(), report.status().ToString());
  return *report;
}

TEST_CASE("ReportScanReads: without reading ahead each block is read by itself") {
  const ScanReadsReport report = Reads(ScanReadahead::kOff, 1'000'000);
  CHECK(report.reads.size() == 100);  // As the properties say of data blocks.
  for (size_t i = 1; i < report.reads.size(); ++i) {
    CHECK(report.reads[i].offset > report.reads[i - 1].offset);
  }
}

TEST_CASE("ReportScanReads: windows double while the scan goes on") {
  const ScanReadsReport report = Reads(ScanReadahead::kDoubling, 1'000'000);
  REQUIRE(report.reads.size() > 4);
  REQUIRE(report.reads.size() < 20);
  // Two single blocks, then 8 KiB, 16 KiB ...; what is left of a window is not read again.
  CHECK(report.reads[1].size < (8 << 10));
  for (size_t i = 4; i + 1 < report.reads.size(); ++i) {
    CHECK(report.reads[i].size > report.reads[i - 1].size);
  }
  // A scan that ends early has read little.
  const ScanReadsReport little = Reads(ScanReadahead::kDoubling, 3);
  CHECK(little.entries == 3);
  CHECK(little.reads.size() < 3);
}

TEST_CASE("ReportScanReads: adaptive windows are never larger than what was consumed, and ahead") {
  const ScanReadsReport report = Reads(ScanReadahead::kAdaptive, 1'000'000);
  CHECK_EQ(report.entries, Reads(ScanReadahead::kOff, 1'000'000).entries);
  REQUIRE(report.reads.size() > 4);
  CHECK_FALSE(report.reads[0].ahead);
  size_t ahead = 0;
  uint64_t read = report.reads[0].size, end = 0;
  for (size_t i = 1; i < report.reads.size(); ++i) {
    CAPTURE(i);
    const ScanReadsReport::FileRead& one = report.reads[i];
    CHECK_EQ(one.offset % 512, 0);
    CHECK(one.size <= read + 2 * 4096);  // And the blocks at its ends, in whole sectors.
    CHECK(one.offset >= end);
    read += one.size;
    end = one.offset;
    ahead += one.ahead ? 1 : 0;
  }
  CHECK(ahead > 1);
  // Of a block that nothing follows, nothing is read ahead.
  const ScanReadsReport little = Reads(ScanReadahead::kAdaptive, 1);
  CHECK_EQ(little.reads.size(), 1);
  CHECK_FALSE(little.reads[0].ahead);
}

}  // namespace
}  // namespace varve
