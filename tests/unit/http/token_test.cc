// SPDX-License-Identifier: Apache-2.0
#include "webview/http/token.h"

#include <doctest/doctest.h>

#include <set>

namespace varve::http {
namespace {

TEST_CASE("Token: 128 bits in hex, never the same") {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const Result<std::string> token = MakeToken();
    REQUIRE(token.ok());
    CHECK(token->size() == 32);
    CHECK(token->find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(seen.insert(*token).second);
  }
}

TEST_CASE("Token: only the same bytes are equal, and nothing equals no token") {
  CHECK(TokensEqual("abc", "abc"));
  CHECK_FALSE(TokensEqual("abc", "abd"));
  CHECK_FALSE(TokensEqual("abc", "bbc"));
  CHECK_FALSE(TokensEqual("abc", "ab"));
  CHECK_FALSE(TokensEqual("abc", "abcd"));
  CHECK_FALSE(TokensEqual("", ""));
}

}  // namespace
}  // namespace varve::http
