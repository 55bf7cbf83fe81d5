// SPDX-License-Identifier: Apache-2.0
#include "webview/http/password.h"

#include <doctest/doctest.h>

namespace varve::http {
namespace {

TEST_CASE("Password: a hash fits the password that it was made of, and no other") {
  const std::string password = "correct horse";
  const Result<std::string> hash = HashPassword(password);
  REQUIRE_MESSAGE(hash.ok(), hash.status().ToString());
  CHECK(IsPasswordHash(*hash));
  CHECK(hash->find("horse") == std::string::npos);
  CHECK(IsPassword(*hash, password));
  using std::string_literals::operator""s;
  for (const std::string& other : {"correct horsf"s, "correct horse "s, ""s, "correct hors"s,
                                   password + "\0"s, password + "\0x"s, std::string(300, 'x')}) {
    CHECK_FALSE(IsPassword(*hash, other));
  }
  CHECK(*HashPassword(password) != *hash);  // Another salt.
}

TEST_CASE("Password: of the known answer of another program") {
  const std::string hash =
      "$y$j9T$k2XAnEHBqQ1Ct2aMXFKNa/$5Dhj9CFJAan/x9XCJ10MyOmpce2LDHg//3FMyevTOu3";
  CHECK(IsPasswordHash(hash));
  CHECK_FALSE(IsPassword(hash, "pw"));  // It fits, and is shorter than a password may be.
}

TEST_CASE("Password: some are none, and no message says them") {
  using std::string_literals::operator""s;
  for (const std::string& password : {""s, "seven77"s, "with\0 a nul"s, std::string(257, 'x')}) {
    const Result<std::string> hash = HashPassword(password);
    REQUIRE_FALSE(hash.ok());
    CHECK(hash.status().code() == Code::kInvalidArgument);
    CHECK(std::string(hash.status().message()).find("seven77") == std::string::npos);
  }
  CHECK(HashPassword("eight888").ok());
  for (const std::string hash : {"", "$y$", "$6$salt$hash", "$y$a b", "$y$a\n", "secret"}) {
    CHECK_FALSE(IsPasswordHash(hash));
  }
  CHECK_FALSE(IsPassword("$y$nonsense", "eight888"));
  CHECK_FALSE(IsPassword("", "eight888"));
  CHECK_FALSE(IsPassword("*0", "eight888"));
}

}  // namespace
}  // namespace varve::http
