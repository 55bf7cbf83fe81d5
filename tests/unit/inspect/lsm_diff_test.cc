// SPDX-License-Identifier: Apache-2.0
// Over reports of real databases: lsm_report_test.cc.
#include "core/inspect/lsm/lsm_diff.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

namespace varve {
namespace {

FileReport File(FileNumber number, int level, uint64_t size, std::string unique_id = "") {
  FileReport file;
  file.number = number;
  file.level = level;
  file.size = size;
  file.unique_id = std::move(unique_id);
  return file;
}

LsmReport Report(const std::map<std::string, std::vector<FileReport>>& families) {
  LsmReport report;
  for (const auto& [name, files] : families) {
    FamilyReport& family = report.families.emplace_back();
    family.name = name;
    for (int level = 0; level < 7; ++level) {
      LevelReport& at = family.levels.emplace_back();
      at.level = level;
      for (const FileReport& file : files) {
        if (file.level != level) continue;
        at.files.push_back(file);
        at.bytes += file.size;
      }
    }
  }
  return report;
}

std::string Numbers(const std::vector<FileReport>& files) {
  std::string text;
  for (const FileReport& file : files) {
    text += "L" + std::to_string(file.level) + "/" + std::to_string(file.number) + " ";
  }
  return text;
}

TEST_CASE("DiffLsm: a report and itself") {
  const LsmReport a = Report({{"default", {File(7, 0, 10), File(8, 6, 20)}}, {"empty", {}}});
  const auto diffs = DiffLsm(a, a);
  REQUIRE_EQ(diffs.size(), 2);
  CHECK(diffs[0].equal());
  CHECK_EQ(diffs[0].same, 2);
  CHECK(diffs[1].equal());
  CHECK(diffs[1].levels.empty());
}

TEST_CASE("DiffLsm: files that came, went and moved, and what that makes of the levels") {
  const LsmReport a = Report({{"default", {File(7, 0, 10), File(8, 0, 20), File(9, 6, 30)}}});
  const LsmReport b = Report({{"default", {File(8, 5, 20), File(9, 6, 30), File(10, 0, 40)}}});
  const FamilyDiff diff = DiffLsm(a, b)[0];
  CHECK_FALSE(diff.equal());
  CHECK_EQ(Numbers(diff.only_a), "L0/7 ");
  CHECK_EQ(Numbers(diff.only_b), "L0/10 ");
  CHECK_EQ(diff.same, 1);
  REQUIRE_EQ(diff.moved.size(), 1);
  CHECK_EQ(diff.moved[0].a.level, 0);
  CHECK_EQ(diff.moved[0].b.level, 5);
  REQUIRE_EQ(diff.levels.size(), 3);
  CHECK_EQ(diff.levels[0].level, 0);
  CHECK_EQ(diff.levels[0].files_a, 2);
  CHECK_EQ(diff.levels[0].files_b, 1);
  CHECK_EQ(diff.levels[0].bytes_a, 30);
  CHECK_EQ(diff.levels[0].bytes_b, 40);
  CHECK_EQ(diff.levels[1].level, 5);
  CHECK_EQ(diff.levels[2].level, 6);
}

TEST_CASE("DiffLsm: a unique id tells a copy from another file of the same number") {
  const LsmReport a = Report({{"default", {File(7, 6, 10, "id"), File(8, 6, 20, "x")}}});
  const LsmReport b = Report({{"default", {File(70, 6, 10, "id"), File(8, 6, 20, "y")}}});
  const FamilyDiff diff = DiffLsm(a, b)[0];
  REQUIRE_EQ(diff.moved.size(), 1);
  CHECK_EQ(diff.moved[0].a.number, 7);
  CHECK_EQ(diff.moved[0].b.number, 70);
  CHECK_EQ(Numbers(diff.only_a), "L6/8 ");
  CHECK_EQ(Numbers(diff.only_b), "L6/8 ");
}

TEST_CASE("DiffLsm: without ids, the same number with another size is another file") {
  const FamilyDiff diff =
      DiffLsm(Report({{"default", {File(7, 6, 10)}}}), Report({{"default", {File(7, 6, 11)}}}))[0];
  CHECK_EQ(Numbers(diff.only_a), "L6/7 ");
  CHECK_EQ(Numbers(diff.only_b), "L6/7 ");
  CHECK_EQ(diff.same, 0);
}

TEST_CASE("DiffLsm: families of one side only, those of A first") {
  const auto diffs = DiffLsm(Report({{"a", {File(7, 0, 1)}}, {"both", {}}}),
                             Report({{"both", {}}, {"b", {File(8, 0, 1)}}}));
  REQUIRE_EQ(diffs.size(), 3);
  CHECK_EQ(diffs[0].name, "a");
  CHECK((diffs[0].in_a && !diffs[0].in_b));
  CHECK_EQ(Numbers(diffs[0].only_a), "L0/7 ");
  CHECK_EQ(diffs[1].name, "both");
  CHECK(diffs[1].equal());
  CHECK_EQ(diffs[2].name, "b");
  CHECK_FALSE(diffs[2].equal());
}

TEST_CASE("DiffLsm: the way back is the way there, turned around; nothing is counted twice") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto some = [&] {
      std::map<FileNumber, FileReport> files;
      for (uint64_t i = random() % 12; i > 0; --i) {
        const FileNumber number = 1 + random() % 12;
        files[number] = File(number, static_cast<int>(random() % 3), 10 + random() % 2);
      }
      std::vector<FileReport> list;
      for (const auto& [number, file] : files) list.push_back(file);
      return Report({{"default", list}});
    };
    const LsmReport a = some(), b = some();
    const FamilyDiff there = DiffLsm(a, b)[0], back = DiffLsm(b, a)[0];
    CHECK_EQ(there.same, back.same);
    CHECK_EQ(there.moved.size(), back.moved.size());
    CHECK_EQ(Numbers(there.only_a).size(), Numbers(back.only_b).size());
    CHECK_EQ(Numbers(there.only_b).size(), Numbers(back.only_a).size());
    uint64_t files_a = 0;
    for (const LevelDelta& level : there.levels) files_a += level.files_a;
    CHECK_EQ(there.same + there.moved.size() + there.only_a.size(), files_a);
  }
}

}  // namespace
}  // namespace varve
