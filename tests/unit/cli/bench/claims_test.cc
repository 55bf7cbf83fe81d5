// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/claims.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace varve::cli::bench {
namespace {

const Claim& ClaimNamed(std::string_view name) {
  const auto table = ClaimTable();
  const auto claim =
      std::find_if(table.begin(), table.end(), [&](const Claim& one) { return one.name == name; });
  REQUIRE(claim != table.end());
  return *claim;
}

TEST_CASE("ClaimTable: every claim has points, and a baseline") {
  for (const Claim& claim : ClaimTable()) {
    CAPTURE(claim.name);
    CHECK_FALSE(claim.points.empty());
    CHECK(std::count_if(claim.grades.begin(), claim.grades.end(),
                        [](const Claim::Grade& grade) { return grade.name == "off"; }) == 1);
  }
}

TEST_CASE("BuildTable: the index has the form that the point says, and takes its place") {
  const Claim& claim = ClaimNamed("point-index-build");
  for (const Claim::Point& point : claim.points) {
    CAPTURE(point.label);
    const auto off = BuildTable(point, claim.grades.front(), {1000, 1000}, 0);
    const auto on = BuildTable(point, claim.grades.back(), {1000, 1000}, 0);
    REQUIRE_MESSAGE(on.ok(), on.status().ToString());
    CHECK(off->found == 1000);
    CHECK(on->found == 1000);
    CHECK(on->rate > 0);
    CHECK(on->table_bytes > off->table_bytes);
    Claim::Point wrong = point;
    wrong.flags[1] = "another";
    CHECK(BuildTable(wrong, claim.grades.back(), {1000, 1000}, 0).status().code() ==
          Code::kNotSupported);
  }
  const Claim::Point scattered = {"too far apart", {"1000000000", "piecewise"}};
  CHECK(BuildTable(scattered, claim.grades.back(), {1000, 1000}, 0)
            .status()
            .message()
            .starts_with("its point index is none, not piecewise: keys lie too far apart"));
}

}  // namespace
}  // namespace varve::cli::bench
