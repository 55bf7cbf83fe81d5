// SPDX-License-Identifier: Apache-2.0
// Beside a writer: wal_report_test.cc.
#include "core/inspect/wal/recovery_report.h"

#include "tests/unit/inspect/inspected_db.h"

namespace varve {
namespace {

// Three batches in a log that is needed, and no process.
struct Fixture : InspectedDb {
  Fixture() {
    for (const char* const key : {"a", "b", "c"}) Put(key, std::string(100, 'v'));
    Close();
    const auto entries = fs.List("db");
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.ends_with(".log")) log = entry.name;
    }
    REQUIRE_FALSE(log.empty());
    size = *fs.FileSize("db/" + log);
  }
  RecoveryReport Report() {
    const auto report = ReportRecovery(fs, "db");
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    return *report;
  }
  // What an opening reports.
  RecoveryReport Opened() {
    RecoveryReport report;
    const auto reader = DB::OpenReadOnly(options, "db", &report);
    REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
    return report;
  }
  std::string log;
  uint64_t size = 0;
};

TEST_CASE("ReportRecovery: sound logs are counted, and nothing is lost") {
  Fixture t;
  const RecoveryReport report = t.Report();
  CHECK_EQ(report.wal_records, 3);
  CHECK_EQ(report.wal_bytes, t.size);
  CHECK(report.losses.empty());
}

TEST_CASE("ReportRecovery: cut at any length it says what an opening would") {
  Fixture t;
  for (uint64_t size = t.size; size > 0; size -= std::min<uint64_t>(size, 7)) {
    CAPTURE(size);
    REQUIRE(t.fs.Truncate("db/" + t.log, size).ok());
    const RecoveryReport report = t.Report(), opened = t.Opened();
    CHECK_EQ(report.wal_records, opened.wal_records);
    CHECK_EQ(report.losses.size(), opened.losses.size());
    CHECK_EQ(report.damaged(), opened.damaged());
    CHECK_FALSE(report.damaged());  // A crash leaves such a log.
  }
}

TEST_CASE("ReportRecovery: a changed byte costs nothing unsaid; the loss has a place") {
  Fixture t;
  for (size_t at = 0; at < t.size; at += 11) {
    CAPTURE(at);
    t.Flip(t.log, at);
    const RecoveryReport report = t.Report(), opened = t.Opened();
    CHECK_EQ(report.wal_records, opened.wal_records);
    CHECK_EQ(report.damaged(), opened.damaged());
    if (report.wal_records < 3) {
      REQUIRE_FALSE(report.losses.empty());
      CHECK(DescribeLoss(report.losses[0]).starts_with(t.log));
    }
    t.Flip(t.log, at);
  }
}

TEST_CASE("SurveyLogs: logs are judged without the rest of the database") {
  Fixture t;
  t.Flip(t.log, 10);
  REQUIRE(t.fs.Remove("db/CURRENT").ok());
  RecoveryReport report;
  REQUIRE(SurveyLogs(t.fs, "db", {t.log}, WalRecoveryMode::kSkipAnyCorrupted, &report).ok());
  CHECK_FALSE(report.losses.empty());
  CHECK_FALSE(ReportRecovery(t.fs, "db").ok());
}

}  // namespace
}  // namespace varve
