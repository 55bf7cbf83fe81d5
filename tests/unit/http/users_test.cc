// SPDX-License-Identifier: Apache-2.0
#include "webview/http/users.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/scratch_directory.h"

namespace varve::http {
namespace {

const std::string kAda(64, 'a'), kBob(64, 'b'), kHash = "$y$j9T$salt$abc./";

std::string Refused(const std::string& text) {
  const auto users = ParseUsers(text);
  if (users.ok()) return "taken";
  const std::string said(users.status().message());
  CHECK(said.find(kAda) == std::string::npos);
  CHECK(said.find(kBob) == std::string::npos);
  CHECK(said.find(kHash) == std::string::npos);
  return said;
}

TEST_CASE("Users: a line each, with comments between") {
  const auto users =
      ParseUsers("# who\n\nada write:* token:" + kAda + "\n\t \n  bob@x-1.y_2\tpassword:" + kHash +
                 "  read:orders write:a/b\\x20c\r\n eve token:" + kBob + "\n  # end");
  REQUIRE_MESSAGE(users.ok(), users.status().ToString());
  REQUIRE(users->size() == 3);
  CHECK((*users)[0].caller.name == "ada");
  CHECK((*users)[0].caller.rights == api::Rights::All());
  CHECK((*users)[0].token == kAda);
  CHECK((*users)[1].caller.name == "bob@x-1.y_2");
  CHECK((*users)[1].password == kHash);
  CHECK((*users)[1].caller.rights.list() ==
        std::vector<api::Right>{{api::Access::kRead, "orders"}, {api::Access::kWrite, "a", "b c"}});
  CHECK((*users)[2].caller.rights == api::Rights());
  CHECK(ParseUsers("# nobody\n")->empty());
}

TEST_CASE("Users: a line is written as it is read, and taken out with no other") {
  const User bob = {.caller = {.name = "bob",
                               .rights = api::Rights(
                                   {{api::Access::kRead, "a b", "c"}, {api::Access::kWrite, "*"}})},
                    .token = kBob,
                    .password = kHash};
  const std::string line = LineOf(bob);
  const auto users = ParseUsers(line);
  REQUIRE(users.ok());
  CHECK(users->front().caller.rights == bob.caller.rights);
  CHECK(users->front().token == kBob);
  CHECK(users->front().password == kHash);
  const std::string before = "# bob\n\n", after = "bobby read:* token:" + kAda + "\n";
  CHECK(WithoutUser(before + line + after, "bob") == before + after);
  CHECK(WithoutUser(before + after, "bob") == before + after);
}

TEST_CASE("Users: what is no list of users is refused, with its line and no secret") {
  const std::string ada = "ada write:* token:" + kAda + "\n";
  CHECK(Refused(ada + "\nada read:* token:" + kBob).find("line 3: ada is there twice") !=
        std::string::npos);
  CHECK(Refused(ada + "bob read:* token:" + kAda).find("bob has the token of ada") !=
        std::string::npos);
  for (const std::string& line : std::vector<std::string>{
           "bob", "bob read:*", "bob read token:" + kBob, "bob read:* " + kBob,
           "bob all:* token:" + kBob, "bob WRITE:* token:" + kBob, "bob read:* token:short",
           "bob token:" + kBob + " token:" + kBob, "bob token:" + kBob + "0",
           "bob token:" + std::string(64, 'A'), "bob password:" + kHash + " password:" + kHash,
           "bob password:secret", "bob password:$y$" + std::string(200, 'x'),
           "bob password:$6$salt$hash", "b/b read:* token:" + kBob,
           "b\x1b"
           "b token:" +
               kBob,
           std::string(65, 'n') + " token:" + kBob}) {
    CAPTURE(line);
    CHECK(Refused(ada + line).find("line 2: ") != std::string::npos);
  }
  std::string many, rights = "bob token:" + kBob;
  for (int i = 0; i < 257; ++i) {
    many +=
        "u" + std::to_string(i) + " token:" + std::string(61, 'a') + std::to_string(100 + i) + "\n";
    rights += " read:t" + std::to_string(i);
  }
  CHECK(Refused(many).find("more than 256") != std::string::npos);
  CHECK(Refused(rights).find("at most 64 rights") != std::string::npos);
}

TEST_CASE("Users: the file is for its owner alone, and replaced as a whole") {
  const ScratchDirectory directory;
  const std::string path = directory / "users";
  REQUIRE(WriteUsersText(path, "one\n").ok());
  CHECK(*ReadUsersText(path) == "one\n");
  struct stat first, second;
  REQUIRE(stat(path.c_str(), &first) == 0);
  CHECK((first.st_mode & 0777) == 0600);
  REQUIRE(WriteUsersText(path, "two\n").ok());
  REQUIRE(stat(path.c_str(), &second) == 0);
  CHECK(first.st_ino != second.st_ino);
  CHECK(*ReadUsersText(path) == "two\n");
  chmod(path.c_str(), 0640);
  CHECK(std::string(ReadUsersText(path).status().message()).find("chmod 600") != std::string::npos);
  std::ofstream(path + ".new") << "of a writer that was killed";
  CHECK(WriteUsersText(path, "three\n").ok());
  CHECK(*ReadUsersText(path) == "three\n");
  CHECK_FALSE(ReadUsersText("/no/such/file").ok());
  CHECK_FALSE(WriteUsersText("/no/such/file", "x").ok());
}

TEST_CASE("Users: each is found by the whole of the token, and by nothing else") {
  const std::string ada(32, 'a'), bob(40, 'b');
  const std::vector<User> users = {{.caller = {.name = "ada"}, .token = HashToken(ada)},
                                   {.caller = {.name = "bob"}, .token = HashToken(bob)},
                                   {.caller = {.name = "eve"}, .password = kHash}};
  CHECK(FindByToken(users, ada) == users.data());
  CHECK(FindByToken(users, bob)->caller.name == "bob");
  for (const std::string& token : {std::string(), ada + "a", ada.substr(1), ada + bob,
                                   HashToken(ada), std::string(32, 'b'), std::string(40, 'a')}) {
    CHECK(FindByToken(users, token) == nullptr);
  }
  CHECK(FindByToken({}, ada) == nullptr);
  CHECK(FindByToken(OneUser(ada), ada)->caller.rights == api::Rights::All());
  CHECK(FindByName(users, "eve")->password == kHash);
  CHECK(FindByName(users, "ev") == nullptr);
}

}  // namespace
}  // namespace varve::http
