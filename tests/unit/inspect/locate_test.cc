// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/locate.h"

#include "core/format/file_name.h"
#include "tests/unit/inspect/inspected_db.h"

namespace varve {
namespace {

LocateReport Locate(InspectedDb& t, const std::string& key, std::optional<Sequence> at = {}) {
  const auto report = LocateKey(t.fs, "db", {.key = key, .at = at});
  REQUIRE_MESSAGE(report.ok(), report.status().ToString());
  return *report;
}

std::string Verdicts(const LocateReport& report) {
  std::string text;
  for (const LocatedFile& file : report.files) {
    text += "L" + std::to_string(file.level) + ":" + file.verdict + " ";
  }
  return text;
}

// From below: a and m (the last level), a range deletion over [k..p), m once more, and logs.
struct Fixture : InspectedDb {
  Fixture() {
    Put("a", "1");
    Put("m", "2");
    Flush();
    REQUIRE(db->CompactRange({}, std::nullopt, std::nullopt).ok());
    WriteBatch range;
    range.Put("k", "3");
    range.DeleteRange("k", "p");
    REQUIRE(db->Write({}, range).ok());
    Flush();
    Put("c", "5");
    Put("m", "6");
    Flush();
    Put("m", "7");
    REQUIRE(db->Delete({}, "a").ok());
  }
};

TEST_CASE("LocateKey: each table is judged, from the top, and none that has the key is left out") {
  Fixture t;
  const LocateReport m = Locate(t, "m");
  CHECK_EQ(Verdicts(m), "L0:holds L0:range_deleted L6:holds ");
  REQUIRE_EQ(m.logged.size(), 1);
  CHECK_EQ(m.logged[0].value, "7");
  CHECK_EQ(m.files[0].look.versions.at(0).value, "6");
  CHECK_EQ(m.files[2].look.versions.at(0).value, "2");
  CHECK(m.problem().ok());
  CHECK_EQ(Verdicts(Locate(t, "a")), "L0:out_of_range L0:out_of_range L6:holds ");
  CHECK_EQ(Verdicts(Locate(t, "z")), "L0:out_of_range L0:out_of_range L6:out_of_range ");
}

TEST_CASE("LocateKey: a key that is within a table's bounds and not in it") {
  Fixture t;
  const LocateReport report = Locate(t, "d");
  REQUIRE_EQ(report.files.size(), 3);
  for (const size_t i : {size_t{0}, size_t{2}}) {
    const std::string& verdict = report.files[i].verdict;
    CHECK((verdict == "filter_negative" || verdict == "not_here"));
    CHECK_FALSE(report.files[i].reason.empty());
  }
}

TEST_CASE("LocateKey: the past is what was visible then; the future is refused") {
  Fixture t;
  const LocateReport now = Locate(t, "m"), then = Locate(t, "m", 6);
  CHECK_EQ(now.at, 8);
  CHECK_EQ(then.at, 6);
  REQUIRE_EQ(now.logged.size(), 1);
  CHECK(now.logged[0].visible);
  for (const KeyVersion& version : then.logged) CHECK_FALSE(version.visible);
  CHECK(LocateKey(t.fs, "db", {.key = "m", .at = 99}).status().code() == Code::kInvalidArgument);
}

TEST_CASE("LocateKey: a damaged table is named, the others are judged all the same") {
  Fixture t;
  t.Close();
  const std::string deepest = t.Tables().front();
  t.Flip(deepest, 3);
  const LocateReport report = Locate(t, "m");
  CHECK_EQ(Verdicts(report), "L0:holds L0:range_deleted L6:unreadable ");
  CHECK(report.problem().code() == Code::kCorruption);
  CHECK(report.problem().message().find(deepest + "@0") != std::string::npos);
}

TEST_CASE("LocateKey: where a table is missing no Get answers, whatever the key: that is said") {
  Fixture t;
  t.Close();
  REQUIRE(t.fs.Remove("db/" + t.Tables().front()).ok());
  const auto report = LocateKey(t.fs, "db", {.key = "zzz"});
  REQUIRE(report.ok());
  CHECK_FALSE(report->problem().ok());
}

TEST_CASE("LocateKey: families and directories that are not there") {
  Fixture t;
  CHECK_FALSE(LocateKey(t.fs, "db", {.family = "nobody", .key = "a"}).ok());
  CHECK_FALSE(LocateKey(t.fs, "nowhere", {.key = "a"}).ok());
}

}  // namespace
}  // namespace varve
