// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "fixture_service.h"
#include "webview/api/jobs.h"

namespace varve::api {
namespace {

constexpr uint64_t kForever = 60'000'000;

TEST_CASE("an analysis is not there until a job has made it, and then its newest result is") {
  FixtureService fixture({"db/rocksdb-7.8.3/cursor"});
  for (const std::string name : {"space", "tombstones", "keyspace", "filters", "compression"}) {
    CAPTURE(name);
    const std::string resource = "/targets/t1/analyses/" + name;
    CHECK(fixture.Refusal(resource) == "404 analysis_not_run");
    const Response started =
        fixture.Post("/targets/t1/jobs", {{"kind", "analysis"}, {"analysis", name}});
    REQUIRE(started.status == 202);
    while (fixture.service().jobs().Step(kForever)) {
    }
    const Json result = fixture.Document(resource);
    CHECK(result["schema"] == "varve." + name + "/1");
    CHECK(result["exact"] == true);
    CHECK(result["cfs"][0]["name"] == "default");
  }
  const Response sampled = fixture.Post(
      "/targets/t1/jobs",
      {{"kind", "analysis"}, {"analysis", "space"}, {"estimate", true}, {"samples", 2}});
  REQUIRE(sampled.status == 202);
  while (fixture.service().jobs().Step(kForever)) {
  }
  CHECK(fixture.Document("/targets/t1/analyses/space")["exact"] == false);
}

TEST_CASE("an analysis that is not understood is refused") {
  FixtureService fixture({"db/rocksdb-7.8.3/cursor", "sst/r78_tiny.sst"});
  const auto status = [&](const std::string& target, const Json& body) {
    return fixture.Post("/targets/" + target + "/jobs", body).status;
  };
  CHECK(status("t1", {{"kind", "analysis"}}) == 400);
  CHECK(status("t1", {{"kind", "analysis"}, {"analysis", "everything"}}) == 400);
  CHECK(status("t1", {{"kind", "analysis"}, {"analysis", "space"}, {"samples", -1}}) == 400);
  CHECK(status("t1", {{"kind", "analysis"}, {"analysis", "space"}, {"path", "/etc"}}) == 400);
  CHECK(status("t2", {{"kind", "analysis"}, {"analysis", "space"}}) == 400);
  CHECK(status("t1", {{"kind", "salvage"}}) == 400);
  CHECK(status("t1", {{"kind", "salvage"}, {"file", "999999"}}) == 404);
  CHECK(status("t2", {{"kind", "salvage"}}) == 202);
}

}  // namespace
}  // namespace varve::api
