// SPDX-License-Identifier: Apache-2.0
#include "webview/http/token.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
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

TEST_CASE("Token: a file of it must be private and hold enough") {
  const std::string path =
      std::filesystem::temp_directory_path() / ("token-" + std::to_string(getpid()));
  const auto read = [&](const std::string& text, mode_t mode) {
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    const auto token = TokenFromFile(path);
    std::filesystem::remove(path);
    return token.ok() ? *token : token.status().ToString();
  };
  const std::string good(32, 'x');
  CHECK(read(good + "\n", 0600) == good);
  CHECK(read(good + "\r\nmore\n", 0400) == good);
  CHECK(read(good, 0644).find("chmod 600") != std::string::npos);
  CHECK(read("short\n", 0600).find("32 to 256") != std::string::npos);
  CHECK(read(good + " x\n", 0600).find("32 to 256") != std::string::npos);
  CHECK(read("", 0600).find("no token in it") != std::string::npos);
  CHECK_FALSE(TokenFromFile("/no/such/file").ok());
}

}  // namespace
}  // namespace varve::http
