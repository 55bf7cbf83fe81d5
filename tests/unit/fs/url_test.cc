// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/url.h"

#include <doctest/doctest.h>

#include <string>

#include "varve/url.h"

namespace varve {
namespace {

std::string Refusal(std::string_view url) {
  const Result<UrlRoot> root = ParseUrl(url);
  return root.ok() ? "" : std::string(root.status().message());
}

TEST_CASE("what is shown of a URL has neither user nor query") {
  const auto root = ParseUrl("https://me:secret@host.example:8443/a/b//?sig=secret");
  REQUIRE(root.ok());
  CHECK(root->shown == "https://host.example:8443/a/b");
  CHECK(root->requested == root->shown);
  CHECK(root->user == "me:secret");
  CHECK(root->query == "?sig=secret");
  CHECK(root->port == 8443);
  CHECK(ParseUrl("http://h/a")->port == 80);
  CHECK(ParseUrl("https://[::1]/a")->port == 443);
  CHECK(ParseUrl("https://[::1]:99/a")->port == 99);
}

TEST_CASE("what cannot be read is refused without its secrets") {
  for (const char* url : {"ftp://h/a", "/a", "http://", "http://u:secret@/a", "http://h/a#b",
                          "http://h/../a", "http://h/a/%2e./b", "http://h/a b", "http://h:0/a",
                          "http://h:65536/a", "http://u:secret@h/x\ny"}) {
    CHECK_MESSAGE(!Refusal(url).empty(), url);
    CHECK(Refusal(url).find("secret") == std::string::npos);
  }
  CHECK(!Refusal("http://h/" + std::string(9000, 'a')).empty());
}

TEST_CASE("what is below a URL") {
  CHECK(IsAtOrBelow("http://h/a", "http://h/a"));
  CHECK(IsAtOrBelow("http://h/a/CURRENT", "http://h/a"));
  for (const char* path : {"http://h/ab", "http://h/", "http://h/a/../b", "http://h/a/%2E%2e/b",
                           "http://h/a/b?x", "http://h/a/b#x", "http://h.evil/a"}) {
    CHECK_MESSAGE(!IsAtOrBelow(path, "http://h/a"), path);
  }
  CHECK(!IsAtOrBelow("http://host.evil/", "http://host"));
}

TEST_CASE("which paths are URLs") {
  CHECK(IsUrl("s3://bucket/key"));
  CHECK_FALSE(IsUrl("./http://h"));
  CHECK_FALSE(IsUrl("httpd/db"));
}

}  // namespace
}  // namespace varve
