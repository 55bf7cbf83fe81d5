// SPDX-License-Identifier: Apache-2.0
#include "webview/http/throttle.h"

#include <doctest/doctest.h>

namespace varve::http {
namespace {

constexpr uint64_t kStart = 1'000'000'000, kSecond = 1'000'000;

TEST_CASE("Throttle: a few a minute of a name, from wherever") {
  Throttle throttle;
  for (size_t i = 0; i < Throttle::kOfNameMax; ++i) {
    CHECK(throttle.Try("ada", "host" + std::to_string(i), kStart + i * kSecond) == 0);
  }
  CHECK(throttle.Try("ada", "elsewhere", kStart + 10 * kSecond) == 50);
  CHECK(throttle.Try("bob", "elsewhere", kStart + 10 * kSecond) == 0);
  CHECK(throttle.Try("ada", "elsewhere", kStart + 60 * kSecond - 1) == 1);
  CHECK(throttle.Try("ada", "elsewhere", kStart + 60 * kSecond) == 0);
  CHECK(throttle.Try("ada", "elsewhere", kStart + 60 * kSecond) == 1);
}

TEST_CASE("Throttle: more of an address, of whatever names") {
  Throttle throttle;
  for (size_t i = 0; i < Throttle::kOfAddressMax; ++i) {
    CHECK(throttle.Try("name" + std::to_string(i), "host", kStart) == 0);
  }
  CHECK(throttle.Try("another", "host", kStart) == 60);
  CHECK(throttle.Try("another", "another", kStart) == 0);
}

TEST_CASE("Throttle: right ones do not count") {
  Throttle throttle;
  for (int i = 0; i < 100; ++i) {
    CHECK(throttle.Try("ada", "host", kStart + 7) == 0);
    throttle.TakeBack("ada", "host", kStart + 7);
  }
  throttle.TakeBack("bob", "host", kStart);
}

TEST_CASE("Throttle: it does not remember without end") {
  Throttle throttle;
  for (size_t i = 0; i < Throttle::kKeysMax; ++i) {
    const std::string of = std::to_string(i);
    CHECK(throttle.Try("name" + of, "host" + of, kStart) == 0);
  }
  CHECK(throttle.Try("new", "host1", kStart) > 0);
  CHECK(throttle.Try("name1", "new", kStart) > 0);
  CHECK(throttle.Try("name1", "host1", kStart) == 0);
  CHECK(throttle.Try("new", "new", kStart + Throttle::kWindowMicros) == 0);
}

}  // namespace
}  // namespace varve::http
