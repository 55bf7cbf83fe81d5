// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/grades.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

namespace varve {
namespace {

std::vector<std::string> ChoicesOf(const GradeRow& row) {
  std::vector<std::string> choices(1);
  for (const char c : row.range) {
    if (c == '|') {
      choices.emplace_back();
    } else {
      choices.back() += c;
    }
  }
  return choices;
}

TEST_CASE("GradeTable: every row has a name of its own, choices and a sentence") {
  std::set<std::string_view> names;
  for (const GradeRow& row : GradeTable()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_EQ(FindGrade(row.name), &row);
    CHECK_GE(ChoicesOf(row).size(), 2u);
    CHECK(row.help.ends_with('.'));
  }
  for (const char* none : {"", "multi", "multiget_", "Multiget"}) {
    CHECK_EQ(FindGrade(none), nullptr);
  }
}

TEST_CASE("GradeTable: every member of Grades has a row") {
  CHECK_EQ(GradeTable().size(), sizeof(Grades));  // Each member is one byte.
}

TEST_CASE("GradeTable: the default of each is its last choice") {
  for (const GradeRow& row : GradeTable()) {
    CAPTURE(row.name);
    CHECK_EQ(row.get(Grades()), ChoicesOf(row).back());
  }
}

TEST_CASE("GradeTable: a row takes each of its choices and changes its own member alone") {
  for (const GradeRow& row : GradeTable()) {
    for (const std::string& choice : ChoicesOf(row)) {
      CAPTURE(choice);
      Grades grades;
      REQUIRE(row.set(&grades, choice).ok());
      CHECK_EQ(row.get(grades), choice);
      for (const GradeRow& other : GradeTable()) {
        if (&other != &row) CHECK_EQ(other.get(grades), other.get(Grades()));
      }
    }
  }
}

TEST_CASE("GradeTable: another word is refused, names the choices, and changes nothing") {
  for (const GradeRow& row : GradeTable()) {
    for (const char* bad : {"", "fastest", "0", " per_key"}) {
      Grades grades;
      const Status refused = row.set(&grades, bad);
      CHECK_EQ(refused.code(), Code::kInvalidArgument);
      CHECK_EQ(refused.message(),
               "expected " + std::string(row.range) + ", not " + std::string(bad));
      CHECK_EQ(row.get(grades), row.get(Grades()));
    }
  }
}

}  // namespace
}  // namespace varve
