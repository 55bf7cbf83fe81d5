// SPDX-License-Identifier: Apache-2.0
#include "webview/http/guard.h"

#include <doctest/doctest.h>

namespace varve::http {
namespace {

const std::string kToken = "00112233445566778899aabbccddeeff";

struct Asked {
  std::string method = "GET", target = "/api/v1/", host = "127.0.0.1:8420";
  std::vector<std::pair<std::string, std::string>> more = {{"authorization", "Bearer " + kToken}};
  std::string authority = "";
};

int StatusOf(const Asked& asked, bool write = false) {
  RequestHead head{.method = asked.method, .target = asked.target, .authority = asked.authority};
  head.headers = asked.more;
  head.headers.emplace_back("host", asked.host);
  Access access(kToken);
  const GuardRules rules{.hosts = AllowedHosts("", 8420), .access = &access, .write = write};
  api::Caller caller;
  const auto refusal = CheckRequest(rules, head, &caller);
  return refusal ? refusal->status : 200;
}

TEST_CASE("Guard: the three names of this machine are let in, and no other") {
  for (const char* host : {"127.0.0.1:8420", "localhost:8420", "[::1]:8420", "LOCALHOST:8420"}) {
    CHECK(StatusOf({.host = host}) == 200);
  }
  for (const char* host :
       {"", "localhost", "localhost:8421", "localhost.:8420", "localhost6:8420", "127.0.0.2:8420",
        "a@localhost:8420", "localhost:8420:8420", "evil:8420"}) {
    INFO(host);
    CHECK(StatusOf({.host = host}) == 403);
    CHECK(StatusOf({.target = "/", .host = host}) == 403);
  }
  CHECK(StatusOf({.authority = "127.0.0.1:8420"}) == 200);
  CHECK(StatusOf({.authority = "localhost:8420"}) == 403);
}

TEST_CASE("Guard: a head without a Host is refused") {
  RequestHead head{.method = "GET", .target = "/"};
  api::Caller caller;
  Access access(kToken);
  const GuardRules rules{.hosts = AllowedHosts("", 1), .access = &access};
  CHECK(CheckRequest(rules, head, &caller)->status == 403);
}

TEST_CASE("Guard: the default port may be left out, an address that is listened on is a name") {
  CHECK(AllowedHosts("", 80).size() == 6);
  CHECK(AllowedHosts("10.0.0.7", 8420).back() == "10.0.0.7:8420");
  CHECK(AllowedHosts("FE80::1", 8420).back() == "[fe80::1]:8420");
}

TEST_CASE("Guard: other sites are refused, reading included") {
  const auto with = [](std::string name, std::string value) {
    return StatusOf({.target = "/", .more = {{std::move(name), std::move(value)}}});
  };
  CHECK(with("sec-fetch-site", "same-origin") == 200);
  CHECK(with("sec-fetch-site", "none") == 200);
  CHECK(with("sec-fetch-site", "same-site") == 403);
  CHECK(with("sec-fetch-site", "cross-site") == 403);
  CHECK(with("sec-fetch-site", "") == 403);
  CHECK(with("origin", "http://127.0.0.1:8420") == 200);
  CHECK(with("origin", "http://localhost:8420") == 403);
  CHECK(with("origin", "https://127.0.0.1:8420") == 403);
  CHECK(with("origin", "null") == 403);
}

TEST_CASE("Guard: the API and the metrics ask for the token, pages do not") {
  for (const char* target : {"/api", "/api/v1/", "/api?x", "/metrics"}) {
    INFO(target);
    CHECK(StatusOf({.target = target, .more = {}}) == 401);
    CHECK(StatusOf({.target = target}) == 200);
    CHECK(StatusOf({.target = target, .more = {{"authorization", "bearer " + kToken}}}) == 200);
    CHECK(StatusOf({.target = target, .more = {{"authorization", kToken}}}) == 401);
    CHECK(StatusOf({.target = target, .more = {{"authorization", "Bearer " + kToken + "0"}}}) ==
          401);
    CHECK(StatusOf({.target = target, .more = {{"authorization", "Bearer "}}}) == 401);
  }
  CHECK(StatusOf({.target = "/", .more = {}}) == 200);
  CHECK(StatusOf({.target = "/apix", .more = {}}) == 200);  // A page, if there were one.
}

TEST_CASE("Guard: methods, changes and bodies") {
  for (const char* method : {"OPTIONS", "PUT", "TRACE", "CONNECT"})
    CHECK(StatusOf({.method = method}) == 405);
  CHECK(StatusOf({.method = "POST", .target = "/"}) == 405);
  CHECK(StatusOf({.method = "DELETE"}) == 200);  // A job; the router knows.
  CHECK(StatusOf({.method = "PATCH"}) == 403);
  CHECK(StatusOf({.method = "PATCH"}, true) == 415);
  CHECK(StatusOf({.method = "POST"}) == 415);
  Asked json{.method = "POST"};
  json.more.emplace_back("content-type", "application/json");
  CHECK(StatusOf(json) == 200);
  json.more.back().second = "text/plain";
  CHECK(StatusOf(json) == 415);
  json.more.back().second = "application/octet-stream";
  CHECK(StatusOf(json) == 403);
  CHECK(StatusOf(json, true) == 200);
  json.method = "PATCH";
  CHECK(StatusOf(json, true) == 415);
}

TEST_CASE("Guard: where nobody has a password, nobody signs in") {
  Asked asked{.method = "POST", .target = std::string(kSessionPath), .more = {}};
  asked.more.emplace_back("content-type", "application/json");
  CHECK(StatusOf(asked) == 401);
}

}  // namespace
}  // namespace varve::http
