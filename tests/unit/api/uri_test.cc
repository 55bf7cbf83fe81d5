// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/uri.h"

#include <doctest/doctest.h>

#include <random>

namespace varve::api {
namespace {

TEST_CASE("a target is taken apart and decoded once") {
  const Answer<Uri> uri = ParseTarget("/a%2Fb/c+d/?key=esc:a%5Cx00&empty=&flag&x=%2525");
  REQUIRE(uri.ok());
  CHECK(uri->path == std::vector<std::string>{"a/b", "c+d"});
  using Pair = std::pair<std::string, std::string>;
  CHECK(uri->query ==
        std::vector<Pair>{{"key", "esc:a\\x00"}, {"empty", ""}, {"flag", ""}, {"x", "%25"}});
}

TEST_CASE("what could be read in two ways is refused") {
  for (const std::string target :
       {"", "x", "//", "/a//b", "/a/../b", "/a/%2e%2e/b", "/.", "/a#b", "/a b", "/a%", "/a%2",
        "/a%zz", "/a?x=%g0", "/a\\b", "/a\x01", "/a\x7f", "http://host/", "*"}) {
    CAPTURE(target);
    CHECK(!ParseTarget(target).ok());
  }
  CHECK(!ParseTarget(std::string("/a\0b", 4)).ok());
}

TEST_CASE("any bytes come through encoding and back") {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    std::string bytes(1 + random() % 20, 'x');
    for (char& c : bytes) c = static_cast<char>(random());
    const std::string text = PercentEncode(bytes);
    const Answer<Uri> uri = ParseTarget("/a?" + text + "=" + text);
    REQUIRE(uri.ok());
    CHECK(uri->query[0].first == bytes);
    CHECK(uri->query[0].second == bytes);
  }
}

}  // namespace
}  // namespace varve::api
