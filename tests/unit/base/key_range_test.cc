// SPDX-License-Identifier: Apache-2.0
#include "core/base/keys/key_range.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/keys/key_order.h"
#include "tests/orders.h"

namespace varve {
namespace {

using namespace std::string_literals;

const std::vector<std::string> kKeys = {"",      "\0"s,    "a",          "a\xff",    "ab",
                                        "ab\0"s, "ab\xff", "ab\xff\xff", "ac",       "b",
                                        "\xfe",  "\xff",   "\xff\xff",   "\xff\xffz"};

std::vector<std::string> Within(const Comparator& comparator, const KeyRange& range) {
  const VirtualOrder order{&comparator};
  std::vector<std::string> within;
  for (const std::string& key : kKeys) {
    const bool before = range.IsBefore(order, key), behind = range.IsBehind(order, key);
    if (!before && !behind) within.push_back(key);
  }
  return within;
}

// In a function: in the tests gcc takes the text of an empty optional for used.
using Bound = std::optional<std::string>;
[[gnu::noinline]] KeyRange Between(const Bound& from, const Bound& to) { return {from, to}; }

TEST_CASE("KeyRange: all keys, unless bounds say otherwise: from is within, to is not") {
  const Comparator& order = *BytewiseComparator();
  CHECK(Within(order, KeyRange()) == kKeys);
  CHECK(Within(order, Between(std::nullopt, std::nullopt)) == kKeys);
  CHECK(Within(order, Between("ab", "ac")) ==
        std::vector{"ab"s, "ab\0"s, "ab\xff"s, "ab\xff\xff"s});
  CHECK(Within(order, Between("\xff", std::nullopt)) ==
        std::vector{"\xff"s, "\xff\xff"s, "\xff\xffz"s});
  CHECK(Within(order, Between(std::nullopt, "a")) == std::vector{""s, "\0"s});
  CHECK(Within(order, Between("", "")).empty());
  CHECK(Within(order, Between("b", "a")).empty());
  CHECK(Within(*ReverseBytewiseComparator(), Between("ac", "ab\xff")) ==
        std::vector{"ab\xff\xff"s, "ac"s});
}

TEST_CASE("KeyRange: a key is on one side at most, and on the one where it belongs") {
  const KeyRange range("ab", "ac");
  const BytewiseOrder order;
  CHECK(range.IsBefore(order, "aa"));
  CHECK_FALSE(range.IsBehind(order, "aa"));
  CHECK(range.IsBehind(order, "ac"));
  CHECK_FALSE(range.IsBefore(order, "ac"));
}

TEST_CASE("KeyRange: the keys of a prefix, and no others, in both orders that keep them together") {
  for (const std::string& prefix :
       {"a"s, "ab"s, "ab\xff"s, "b"s, "\xfe"s, "\xff"s, "\xff\xff"s, "\0"s, "none"s, ""s}) {
    CAPTURE(prefix);
    std::vector<std::string> with;
    for (const std::string& key : kKeys) {
      if (key.starts_with(prefix)) with.push_back(key);
    }
    for (const Comparator* order : {BytewiseComparator(), ReverseBytewiseComparator()}) {
      const Result<KeyRange> range = KeyRange::OfPrefix(*order, prefix);
      REQUIRE(range.ok());
      CHECK(Within(*order, *range) == with);
    }
  }
}

TEST_CASE("KeyRange: the bounds of a prefix are the narrowest") {
  const KeyRange forward = *KeyRange::OfPrefix(*BytewiseComparator(), "ab\xff");
  CHECK_EQ(*forward.lower(), "ab\xff");
  CHECK_FALSE(forward.lower_open());
  CHECK_EQ(*forward.upper(), "ac");
  CHECK_FALSE(forward.upper_closed());
  const KeyRange backward = *KeyRange::OfPrefix(*ReverseBytewiseComparator(), "ab\xff");
  CHECK_EQ(*backward.lower(), "ac");
  CHECK(backward.lower_open());
  CHECK_EQ(*backward.upper(), "ab\xff");
  CHECK(backward.upper_closed());
  // No key is behind all of these.
  CHECK_FALSE(KeyRange::OfPrefix(*BytewiseComparator(), "\xff\xff")->upper().has_value());
  CHECK_FALSE(KeyRange::OfPrefix(*ReverseBytewiseComparator(), "\xff")->lower().has_value());
}

TEST_CASE("KeyRange: another order may scatter the keys of a prefix, so it is refused") {
  const OwnOrder other;
  const Status refused = KeyRange::OfPrefix(other, "a").status();
  CHECK(refused.code() == Code::kInvalidArgument);
  CHECK_NE(refused.message().find("test.OwnOrder"), std::string_view::npos);
  // All keys have the empty prefix.
  CHECK(Within(other, *KeyRange::OfPrefix(other, "")) == kKeys);
}

}  // namespace
}  // namespace varve
