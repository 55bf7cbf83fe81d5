// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/iterator_bounds.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/keys/key_order.h"
#include "tests/orders.h"

namespace varve {
namespace {

const std::vector<std::string> kKeys = {"",   "a",    "ab",   "ab\xff",   "abc",
                                        "ac", "\xfe", "\xff", "\xff\xff", "\xff\xffz"};

// Those of kKeys that are within.
std::vector<std::string> Within(const Comparator& comparator, const ReadOptions& options) {
  const Result<IteratorBounds> bounds = IteratorBounds::Create(comparator, options);
  REQUIRE(bounds.ok());
  const VirtualOrder order{&comparator};
  const KeyBounds superset = bounds->Superset();
  std::vector<std::string> within;
  for (const std::string& key : kKeys) {
    if (bounds->IsBefore(order, key) || bounds->IsBehind(order, key)) continue;
    within.push_back(key);
    // No table that has the key may be left out.
    if (superset.lower) CHECK_LE(order(*superset.lower, key), 0);
    if (superset.upper) CHECK_LT(order(key, *superset.upper), 0);
  }
  return within;
}

std::vector<std::string> WithPrefix(const std::string& prefix) {
  std::vector<std::string> with;
  for (const std::string& key : kKeys) {
    if (key.starts_with(prefix)) with.push_back(key);
  }
  return with;
}

TEST_CASE("IteratorBounds: without any, all keys are within") {
  CHECK(Within(*BytewiseComparator(), {}) == kKeys);
  CHECK(Within(*ReverseBytewiseComparator(), {}) == kKeys);
}

TEST_CASE("IteratorBounds: the lower bound is within, the upper one is not") {
  CHECK(Within(*BytewiseComparator(), {.lower_bound = "ab", .upper_bound = "ac"}) ==
        std::vector<std::string>{"ab", "ab\xff", "abc"});
  CHECK(Within(*ReverseBytewiseComparator(), {.lower_bound = "ac", .upper_bound = "ab"}) ==
        std::vector<std::string>{"ab\xff", "abc", "ac"});
  const OwnOrder other;
  CHECK(Within(other, {.lower_bound = "b", .upper_bound = "b"}).empty());
}

TEST_CASE("IteratorBounds: a prefix is the range of its keys, in either order") {
  for (const Comparator* order : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    for (const std::string prefix : {"", "a", "ab", "ab\xff", "b", "\xff", "\xff\xff", "\xfe"}) {
      CAPTURE(prefix);
      CHECK(Within(*order, {.prefix = prefix}) == WithPrefix(prefix));
    }
  }
}

TEST_CASE("IteratorBounds: a prefix takes the place of bounds") {
  CHECK(Within(*BytewiseComparator(), {.lower_bound = "x", .upper_bound = "y", .prefix = "ab"}) ==
        WithPrefix("ab"));
}

TEST_CASE("IteratorBounds: an order that may scatter a prefix refuses all but the empty one") {
  const OwnOrder other;
  CHECK_EQ(IteratorBounds::Create(other, {.prefix = "a"}).status().code(), Code::kInvalidArgument);
  CHECK(Within(other, {.prefix = ""}) == kKeys);
}

TEST_CASE("IteratorBounds: they keep their bytes") {
  std::string lower = "lower bound that is not short";
  const auto bounds = IteratorBounds::Create(*BytewiseComparator(), {.lower_bound = lower});
  lower.assign(lower.size(), 'x');
  CHECK_EQ(*bounds->lower(), "lower bound that is not short");
}

}  // namespace
}  // namespace varve
