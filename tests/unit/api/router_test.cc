// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/router.h"

#include "fixture_service.h"
#include "tests/drain_body.h"

namespace varve::api {
namespace {

constexpr const char* kDb = "db/rocksdb-7.8.3/multi_cf";
constexpr const char* kTable = "sst/r119_comp_zstd_fv7.sst";

TEST_CASE("the root lists what is open") {
  FixtureService fixture({kDb, kTable});
  const Json root = fixture.Document("/");
  REQUIRE(root["targets"].size() == 2);
  CHECK(root["targets"][0]["kind"] == "db");
  CHECK(root["targets"][1]["kind"] == "sst");
  CHECK(root["capabilities"]["write"] == false);
}

TEST_CASE("a request that makes no sense is refused with its code") {
  FixtureService fixture({kDb, kTable});
  CHECK(fixture.Refusal(Request{.target = ""}) == "400 bad_request");
  CHECK(fixture.Refusal(Request{.target = "http://x/api/v1/"}) == "400 bad_request");
  CHECK(fixture.Refusal(Request{.target = "/api/v2/"}) == "404 resource_not_found");
  CHECK(fixture.Refusal("/targets/../x") == "400 bad_request");
  CHECK(fixture.Refusal("/targets/%2e%2e/x") == "400 bad_request");
  CHECK(fixture.Refusal("/targets/t9") == "404 target_not_found");
  CHECK(fixture.Refusal("/targets/t1/files/999999") == "404 file_not_found");
  CHECK(fixture.Refusal("/targets/t1/cfs/none") == "404 cf_not_found");
  CHECK(fixture.Refusal("/targets/t1/files?levl=1") == "400 bad_request");
  CHECK(fixture.Refusal("/targets/t1/files?level=-1") == "400 bad_request");
  CHECK(fixture.Refusal("/targets/t1/files?level=1&level=1") == "400 bad_request");
  CHECK(fixture.Refusal("/targets/t1/files?overlaps_from=hex:z") == "400 bad_key_literal");
  CHECK(fixture.Refusal("/targets/t1/files?page_token=AAAA") == "400 page_token_mismatch");
  CHECK(fixture.Refusal("/schema/varve.nothing/1") == "404 schema_not_found");
}

TEST_CASE("a wrong method is told the right ones") {
  FixtureService fixture({kDb});
  const Response response = fixture.Ask({.method = "POST", .target = "/api/v1/targets/t1/files"});
  CHECK(response.status == 405);
  const std::string* allow = FindHeader(response.headers, "allow");
  REQUIRE(allow != nullptr);
  CHECK(*allow == "GET, HEAD");
}

TEST_CASE("HEAD has the headers of GET and no body") {
  FixtureService fixture({kDb});
  const Response response = fixture.Ask({.method = "HEAD", .target = "/api/v1/targets/t1"});
  CHECK(response.status == 200);
  CHECK(response.body.empty());
}

TEST_CASE("pages of one row make the whole list") {
  FixtureService fixture({kTable});
  const Json whole = fixture.Document("/targets/t1/files/0/entries?page_size=10000&limit=40");
  Json rows = Json::array();
  std::string token;
  for (int i = 0; i < 40; ++i) {
    const Json page = fixture.Document("/targets/t1/files/0/entries?page_size=1" +
                                       (token.empty() ? "" : "&page_token=" + token));
    REQUIRE(page["entries"].size() == 1);
    rows.push_back(page["entries"][0]);
    token = page["next_page_token"];
  }
  CHECK(rows == whole["entries"]);
}

TEST_CASE("JSON lines end with a trailer that counts them") {
  FixtureService fixture({kTable});
  Response response = fixture.Lines("/targets/t1/files/0/entries?limit=3");
  const std::string body = DrainBody(&response);
  CHECK(body.ends_with("{\"end\":true,\"count\":3,\"complete\":false}\n"));
}

}  // namespace
}  // namespace varve::api
