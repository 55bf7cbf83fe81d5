// SPDX-License-Identifier: Apache-2.0
// Who asks. Over sockets: tests/security/users_test.py.
#include "webview/http/access.h"

#include <doctest/doctest.h>

#include "tests/scratch_directory.h"
#include "webview/api/json/json.h"
#include "webview/http/password.h"

namespace varve::http {
namespace {

const std::string kToken(32, 't'), kPassword = "correct horse", kOther = "battery staple";

struct Served {
  Served() {
    Write("ada read:* password:" + *HashPassword(kPassword) +
          "\nbob write:* token:" + HashToken(kToken) + "\n");
    auto opened = Access::OfFile(path, [this](const std::string& text) { told.push_back(text); });
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    access = *std::move(opened);
    access->SetPort(8420);
  }
  void Write(const std::string& text) const { REQUIRE(WriteUsersText(path, text).ok()); }
  api::Response SignIn(const std::string& name, const std::string& password,
                       const std::string& address = "here") const {
    return access->SignIn(api::Dump({{"name", name}, {"password", password}}), address);
  }
  // Headers of a session that begins.
  RequestHead Session() const {
    const api::Response response = SignIn("ada", kPassword);
    REQUIRE(response.status == 201);
    const std::string* set = api::FindHeader(response.headers, "Set-Cookie");
    RequestHead head{.method = "GET", .target = "/api/v1/"};
    head.headers = {
        {"authorization", "Session " + api::ParseJson(response.body)["key"].get<std::string>()},
        {"cookie", "x=y; " + set->substr(0, set->find(';'))}};
    return head;
  }
  std::string NameOf(const RequestHead& head) const {
    api::Caller caller;
    return access->Identify(head, true, &caller) ? "" : caller.name;
  }

  const ScratchDirectory directory;
  const std::string path = directory / "users";
  std::vector<std::string> told;
  std::unique_ptr<Access> access;
};

TEST_CASE("Access: a session needs its cookie and its key") {
  const Served served;
  const RequestHead head = served.Session();
  CHECK(served.NameOf(head) == "ada");
  const std::string authorization = head.headers[0].second, cookie = head.headers[1].second;
  for (const auto& headers : std::vector<std::vector<std::pair<std::string, std::string>>>{
           {},
           {{"cookie", cookie}},
           {{"authorization", authorization}},
           {{"authorization", "Session "}, {"cookie", cookie}},
           {{"authorization", "Session"}, {"cookie", cookie}},
           {{"authorization", "Bearer " + authorization.substr(8)}, {"cookie", cookie}},
           {{"authorization", authorization}, {"cookie", cookie + "; " + cookie}},
           {{"authorization", authorization}, {"cookie", cookie + "0"}},
           {{"authorization", authorization},
            {"cookie", "varve-session-8421" + cookie.substr(22)}}}) {
    RequestHead other = head;
    other.headers = headers;
    api::Caller caller;
    const auto refusal = served.access->Identify(other, true, &caller);
    REQUIRE(refusal);
    CHECK(refusal->status == 401);
    CHECK(refusal->sign_in);
  }
  CHECK(served.NameOf(served.Session()) == "ada");
  served.access->SignOut(head);
  CHECK(served.NameOf(head).empty());
}

TEST_CASE("Access: the cookie is for this API of this origin alone") {
  const Served served;
  const api::Response response = served.SignIn("ada", kPassword);
  const std::string cookie = *api::FindHeader(response.headers, "Set-Cookie");
  CHECK(cookie.starts_with("varve-session-8420="));
  for (const char* part : {"; HttpOnly", "; SameSite=Strict", "; Path=/api/", "; Max-Age=43200"}) {
    CHECK(cookie.find(part) != std::string::npos);
  }
  CHECK(cookie.find("Domain") == std::string::npos);
  CHECK(response.body.find(cookie.substr(19, 64)) == std::string::npos);
}

TEST_CASE("Access: unknown names and wrong passwords get the same answer, a few times") {
  const Served served;
  for (size_t i = 0; i < Throttle::kOfNameMax; ++i) {
    const api::Response wrong = served.SignIn("ada", kOther),
                        unknown = served.SignIn("zoe", kOther);
    CHECK(wrong.status == 401);
    CHECK(wrong.body == unknown.body);
    CHECK(wrong.body.find(kOther) == std::string::npos);
    CHECK(unknown.body.find("zoe") == std::string::npos);
  }
  for (const char* name : {"ada", "zoe"}) {
    const api::Response often = served.SignIn(name, kPassword);
    CHECK(often.status == 429);
    CHECK(api::FindHeader(often.headers, "Retry-After") != nullptr);
  }
  CHECK(served.SignIn("bob", kOther).status == 401);  // Has no password.
  CHECK(served.SignIn("bob", "").status == 401);
}

TEST_CASE("Access: what is no name and password is told nothing of them") {
  const Served served;
  for (const std::string body :
       {"", "{}", "[]", R"({"name":"ada"})", R"({"name":"ada","password":7})",
        R"({"name":"ada","password":"correct horse","more":1})",
        R"({"name":"ada","password":"correct horse","password":"x"})", R"({"correct horse":1})"}) {
    const api::Response response = served.access->SignIn(body, "here");
    CHECK(response.status == 400);
    CHECK(response.body.find("correct") == std::string::npos);
  }
}

TEST_CASE("Access: a new file counts at once, for sessions as well; one without sense does not") {
  Served served;
  const RequestHead head = served.Session();
  RequestHead bob{.method = "GET", .target = "/api/v1/"};
  bob.headers = {{"authorization", "Bearer " + kToken}};
  api::Caller ada;
  CHECK_FALSE(served.access->Identify(head, true, &ada));
  CHECK(served.access->IsStill(head, ada));
  CHECK(served.NameOf(bob) == "bob");
  const std::string before = *ReadUsersText(served.path);

  served.Write("what is this\n");
  CHECK(served.NameOf(bob) == "bob");
  CHECK(served.NameOf(head) == "ada");
  REQUIRE(served.told.size() == 1);  // Once, however often somebody asks.
  CHECK(served.told[0].find("line 1: ") != std::string::npos);
  std::remove(served.path.c_str());
  CHECK(served.NameOf(bob) == "bob");
  CHECK(served.told.size() == 2);

  served.Write(WithoutUser(before, "bob"));
  CHECK(served.NameOf(bob).empty());
  CHECK(served.NameOf(head) == "ada");
  CHECK(served.access->IsStill(head, ada));
  std::string less = WithoutUser(before, "bob");
  less.replace(less.find("read:*"), 6, "read:x");
  served.Write(less);
  CHECK_FALSE(served.access->IsStill(head, ada));  // A stream that it has ends.
  CHECK(served.NameOf(head) == "ada");
  served.Write("ada read:* password:" + *HashPassword(kPassword) + "\n");  // Another salt.
  CHECK(served.NameOf(head).empty());
  served.Write(before);
  CHECK(served.NameOf(head).empty());  // What has ended does not come back.
  CHECK(served.NameOf(bob) == "bob");
  served.Write("");
  CHECK(served.NameOf(head).empty());
  CHECK(served.NameOf(bob).empty());
  CHECK(served.told.size() == 2);
}

TEST_CASE("Access: a file that makes no sense, or has no users, begins nothing") {
  const ScratchDirectory directory;
  const std::string path = directory / "users";
  CHECK_FALSE(Access::OfFile(path, nullptr).ok());
  REQUIRE(WriteUsersText(path, "# nobody\n").ok());
  CHECK(std::string(Access::OfFile(path, nullptr).status().message()).find("no user") !=
        std::string::npos);
  REQUIRE(WriteUsersText(path, "ada\n").ok());
  CHECK_FALSE(Access::OfFile(path, nullptr).ok());
}

TEST_CASE("Access: only POST and DELETE of the one path are about sessions") {
  const Served served;
  const auto is = [&](const std::string& method, const std::string& target) {
    return served.access->IsAboutSession({.method = method, .target = target});
  };
  CHECK(is("POST", "/api/v1/session"));
  CHECK(is("DELETE", "/api/v1/session?x"));
  for (const char* target : {"/api/v1/session/", "/api/v1//session", "/api/v1/s%65ssion",
                             "/API/v1/session", "/api/v1/x/../session", "/api/v1/sessions"}) {
    CHECK_FALSE(is("POST", target));
  }
  CHECK_FALSE(is("GET", "/api/v1/session"));
  CHECK_FALSE(Access(kToken).IsAboutSession({.method = "POST", .target = "/api/v1/session"}));
}

}  // namespace
}  // namespace varve::http
