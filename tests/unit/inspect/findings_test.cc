// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/verify/findings.h"

#include <doctest/doctest.h>

#include "core/inspect/verify/reported_key.h"

namespace varve {
namespace {

using Severity = Finding::Severity;

struct Fixture {
  VerifyReport report;
  VerifyProgressFn progress;
  Findings findings{&report, progress};
  const Finding& last() const { return report.findings.back(); }
};

TEST_CASE("Findings: the place in an error's message becomes the finding's place") {
  Fixture t;
  t.findings.AddFailure("block", "7.sst", Status::Corruption("000007.sst@4096: checksum is 1"), "a",
                        "b");
  CHECK(t.last().severity == Severity::kError);
  CHECK_EQ(t.last().layer, "block");
  CHECK_EQ(t.last().file, "7.sst");
  CHECK_EQ(t.last().offset.value_or(0), 4096);
  CHECK_EQ(t.last().what, "checksum is 1");
  CHECK_EQ(t.last().key_from.value_or(""), "a");
  CHECK_EQ(t.last().key_to.value_or(""), "b");
}

TEST_CASE("Findings: what is no place stays in the message") {
  for (const char* const message :
       {"no place at all", "file: but no offset", "a@b: c", "a@99999999999999999999: c", "a@1 b",
        "key \"x@1\" is: wrong", "@", ": @5"}) {
    CAPTURE(message);
    Fixture t;
    t.findings.AddFailure("table", "f", Status::Corruption(message));
    CHECK_FALSE(t.last().offset.has_value());
    CHECK_EQ(t.last().what, message);
  }
}

TEST_CASE("Findings: the severity is that of the code") {
  Fixture t;
  t.findings.AddFailure("l", "f", Status::NotSupported("x"));
  CHECK(t.last().severity == Severity::kNotChecked);
  t.findings.AddFailure("l", "f", Status::IoError("x"));
  CHECK(t.last().severity == Severity::kUnreadable);
  for (const Status& status : {Status::Corruption("x"), Status::NotFound("x"), Status::Busy("x")}) {
    t.findings.AddFailure("l", "f", status);
    CHECK(t.last().severity == Severity::kError);
  }
  t.findings.AddFailureOf("the filter", "l", "f", Status::Corruption("f@7: is cut"));
  CHECK_EQ(t.last().what, "the filter: is cut");
  CHECK_EQ(t.last().offset.value_or(0), 7);
}

TEST_CASE("Findings: text is cut, keys so that the range encloses what it did") {
  Fixture t;
  const std::string key(10'000, 'k');
  t.findings.Add({.what = std::string(10'000, 'x'), .key_from = key, .key_to = key});
  CHECK_EQ(t.last().what.size(), kFindingTextMax);
  REQUIRE(t.last().key_from.has_value());
  CHECK_LE(t.last().key_from->size(), kReportedKeySizeMax);
  CHECK_LE(*t.last().key_from, key);
  REQUIRE(t.last().key_to.has_value());
  CHECK_LE(t.last().key_to->size(), kReportedKeySizeMax);
  CHECK_GE(*t.last().key_to, key);
}

TEST_CASE(
    "Findings: however many there are, a report keeps so many, and says once that more were") {
  Fixture t;
  for (size_t i = 0; i < kFindingsMax; ++i) t.findings.Warn("l", "f", std::to_string(i));
  CHECK_EQ(t.report.findings.size(), kFindingsMax);
  CHECK(t.report.clean());
  for (int i = 0; i < 100; ++i) t.findings.Warn("l", "f", "one more");
  CHECK_EQ(t.report.findings.size(), kFindingsMax + 1);
  CHECK_EQ(t.last().what, "more findings than are kept");
  CHECK_FALSE(t.report.clean());  // What they were nobody knows.
}

TEST_CASE("VerifyReport: the worst finding decides") {
  Fixture t;
  CHECK(t.report.clean());
  t.findings.Warn("l", "f", "x");
  CHECK(t.report.clean());
  t.findings.NotChecked("l", "f", "x");
  CHECK(t.report.worst() == Severity::kNotChecked);
  CHECK_FALSE(t.report.clean());
  t.findings.Error("l", "f", std::nullopt, "x");
  t.findings.AddFailure("l", "f", Status::IoError("x"));
  CHECK(t.report.worst() == Severity::kError);
  CHECK_EQ(t.report.Count(Severity::kError), 1);
  CHECK_EQ(t.report.Count(Severity::kWarning), 1);
}

TEST_CASE("Findings: progress is told what is done, of what there is, and may end it") {
  VerifyReport report;
  report.bytes = 30;
  VerifyProgress seen;
  bool go_on = true;
  const VerifyProgressFn progress = [&](const VerifyProgress& now) {
    seen = now;
    return go_on;
  };
  Findings findings(&report, progress);
  findings.bytes_total = 100;
  CHECK(findings.Continue());
  CHECK_EQ(seen.bytes_done, 30);
  CHECK_EQ(seen.bytes_total, 100);
  go_on = false;
  CHECK_FALSE(findings.Continue());
  CHECK(Fixture().findings.Continue());
}

}  // namespace
}  // namespace varve
