// SPDX-License-Identifier: Apache-2.0
#include "webview/http/users.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/scratch_directory.h"

namespace varve::http {
namespace {

const std::string kAda(32, 'a'), kBob(40, 'b');

Result<std::vector<User>> Read(const std::string& text, mode_t mode = 0600) {
  const ScratchDirectory directory;
  const std::string path = directory / "users";
  std::ofstream(path) << text;
  chmod(path.c_str(), mode);
  return ReadUsers(path);
}

std::string Refused(const std::string& text, mode_t mode = 0600) {
  const auto users = Read(text, mode);
  if (users.ok()) return "taken";
  const std::string said(users.status().message());
  CHECK(said.find(kAda) == std::string::npos);
  CHECK(said.find(kBob) == std::string::npos);
  return said;
}

TEST_CASE("Users: a line each, with comments between") {
  const auto users = Read("# who\n\nada write " + kAda +
                          "\n\t \n  bob@x-1.y_2\t"
                          "read   " +
                          kBob + "\r\n  # end");
  REQUIRE_MESSAGE(users.ok(), users.status().ToString());
  REQUIRE(users->size() == 2);
  CHECK((*users)[0].caller.name == "ada");
  CHECK((*users)[0].caller.write);
  CHECK((*users)[1].caller.name == "bob@x-1.y_2");
  CHECK_FALSE((*users)[1].caller.write);
  CHECK((*users)[1].token == kBob);
}

TEST_CASE("Users: what is no list of users is refused, with its line and no token") {
  const std::string ada = "ada write " + kAda + "\n";
  CHECK(Refused(ada, 0640).find("chmod 600") != std::string::npos);
  CHECK(Refused("# nobody\n").find("no user") != std::string::npos);
  CHECK(Refused(ada + "\nada read " + kBob).find("line 3: ada is there twice") !=
        std::string::npos);
  CHECK(Refused(ada + "bob read " + kAda).find("bob has the token of ada") != std::string::npos);
  for (const std::string& line : std::vector<std::string>{
           "bob", "bob read", "bob " + kBob, "bob read " + kBob + " x", "bob all " + kBob,
           "bob WRITE " + kBob, "bob read short", "bob read " + std::string(257, 'x'),
           "bob read " + kBob + "\xff", "b/b read " + kBob,
           "b\x1b"
           "b read " +
               kBob,
           std::string(65, 'n') + " read " + kBob, kBob + " " + kBob + " read"}) {
    CAPTURE(line);
    CHECK(Refused(ada + line).find("line 2: ") != std::string::npos);
  }
  std::string many;
  for (int i = 0; i < 257; ++i) {
    many += "u" + std::to_string(i) + " read " + std::string(32, 'x') + std::to_string(i) + "\n";
  }
  CHECK(Refused(many).find("more than 256") != std::string::npos);
  CHECK_FALSE(ReadUsers("/no/such/file").ok());
}

TEST_CASE("Users: each is found by the whole of the token, and by nothing else") {
  const std::vector<User> users = {{{"ada", true}, kAda}, {{"bob", false}, kBob}};
  CHECK(FindUser(users, kAda) == users.data());
  CHECK(FindUser(users, kBob)->caller.name == "bob");
  for (const std::string& token : {std::string(), kAda + "a", kAda.substr(1), kAda + kBob,
                                   std::string(32, 'b'), std::string(40, 'a')}) {
    CHECK(FindUser(users, token) == nullptr);
  }
  CHECK(FindUser({}, kAda) == nullptr);
  CHECK(FindUser(OneUser(kAda), kAda)->caller.write);
}

}  // namespace
}  // namespace varve::http
