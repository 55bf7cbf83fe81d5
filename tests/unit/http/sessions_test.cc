// SPDX-License-Identifier: Apache-2.0
#include "webview/http/sessions.h"

#include <doctest/doctest.h>

#include <vector>

#include "webview/http/transfer.h"

namespace varve::http {
namespace {

constexpr uint64_t kStart = 1000 * kSecond;

TEST_CASE("Sessions: both secrets are needed, and are new each time") {
  Sessions sessions;
  const SessionSecrets ada = *sessions.Begin("ada", "proof", kStart);
  const SessionSecrets bob = *sessions.Begin("bob", "proof", kStart);
  CHECK(ada.cookie.size() == 64);
  CHECK(ada.key.size() == 64);
  CHECK(ada.cookie != bob.cookie);
  CHECK(ada.key != ada.cookie);
  CHECK(sessions.Find(ada.cookie, ada.key, kStart, true)->user == "ada");
  CHECK(sessions.Find(ada.cookie, ada.key, kStart, true)->proof == "proof");
  for (const auto& [cookie, key] :
       std::vector<std::pair<std::string, std::string>>{{ada.cookie, bob.key},
                                                        {bob.cookie, ada.key},
                                                        {ada.cookie, ""},
                                                        {"", ada.key},
                                                        {ada.key, ada.cookie},
                                                        {"", ""}}) {
    CHECK_FALSE(sessions.Find(cookie, key, kStart, true));
  }
  sessions.End(ada.cookie);
  CHECK_FALSE(sessions.Find(ada.cookie, ada.key, kStart, true));
  CHECK(sessions.Find(bob.cookie, bob.key, kStart, true));
}

TEST_CASE("Sessions: end after an hour without a request, and after twelve in any case") {
  Sessions sessions;
  const SessionSecrets one = *sessions.Begin("ada", "", kStart);
  uint64_t now = kStart + kSessionIdleSeconds * kSecond - 1;
  CHECK(sessions.Find(one.cookie, one.key, now, /*used=*/false));  // A stream that goes on.
  CHECK_FALSE(sessions.Find(one.cookie, one.key, now + 1, true));
  const SessionSecrets two = *sessions.Begin("ada", "", kStart);
  for (now = kStart; now < kStart + kSessionSeconds * kSecond; now += 3000 * kSecond) {
    CHECK(sessions.Find(two.cookie, two.key, now, true));
  }
  CHECK_FALSE(sessions.Find(two.cookie, two.key, kStart + kSessionSeconds * kSecond, true));
}

TEST_CASE("Sessions: a user has a limited number of them, of which the idle ones go") {
  Sessions sessions;
  const SessionSecrets kept = *sessions.Begin("ada", "", kStart);
  const SessionSecrets idle = *sessions.Begin("ada", "", kStart + 1);
  const SessionSecrets bob = *sessions.Begin("bob", "", kStart);
  CHECK(sessions.Find(kept.cookie, kept.key, kStart + 10, true));
  for (size_t i = 2; i <= Sessions::kOfUserMax; ++i) {
    REQUIRE(sessions.Begin("ada", "", kStart + 2).ok());
  }
  CHECK(sessions.Find(kept.cookie, kept.key, kStart + 10, true));
  CHECK_FALSE(sessions.Find(idle.cookie, idle.key, kStart + 10, true));
  CHECK(sessions.Find(bob.cookie, bob.key, kStart + 10, true));
}

}  // namespace
}  // namespace varve::http
