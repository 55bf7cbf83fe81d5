// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/verify/reported_key.h"

#include <doctest/doctest.h>

#include "core/inspect/verify/findings.h"

namespace varve {
namespace {

TEST_CASE("reported keys: short ones are whole, long ones enclose what they stand for") {
  const std::string whole(kReportedKeySizeMax, 'k'), longer = whole + "k";
  CHECK(ReportedFrom(whole) == whole);
  CHECK(ReportedTo(whole) == whole);
  CHECK(ReportedFrom(longer) <= longer);
  CHECK(ReportedFrom(longer).size() == kReportedKeySizeMax);
  REQUIRE(ReportedTo(longer));
  CHECK(*ReportedTo(longer) >= longer);
  CHECK(ReportedTo(longer)->size() <= kReportedKeySizeMax);
  const std::string ends_high = "a" + std::string(1000, '\xff');
  CHECK(ReportedTo(ends_high) == "b");
  CHECK_FALSE(ReportedTo(std::string(1000, '\xff')));
}

TEST_CASE("Findings: what a report keeps does not grow with the keys that it names") {
  VerifyReport report;
  const VerifyProgressFn nobody;
  Findings findings(&report, nobody);
  const std::string key(1 << 20, 'k');
  for (int i = 0; i < 100; ++i) {
    findings.Add({.layer = "block", .what = key, .key_from = key, .key_to = key});
  }
  REQUIRE(report.findings.size() == 100);
  for (const Finding& finding : report.findings) {
    CHECK(finding.what.size() <= kFindingTextMax);
    CHECK(finding.key_from->size() <= kReportedKeySizeMax);
    CHECK(finding.key_to->size() <= kReportedKeySizeMax);
  }
}

}  // namespace
}  // namespace varve
