// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/prefix_extractor.h"

#include <doctest/doctest.h>

namespace varve {

TEST_CASE("PrefixExtractor: a fixed prefix exists only for keys that are long enough") {
  const auto fixed = PrefixExtractor::FromName("rocksdb.FixedPrefix.3");
  REQUIRE(fixed.has_value());
  CHECK(fixed->Prefix("abcdef") == "abc");
  CHECK(fixed->Prefix("abc") == "abc");
  CHECK_FALSE(fixed->Prefix("ab").has_value());
  CHECK(fixed->name() == "rocksdb.FixedPrefix.3");
}

TEST_CASE("PrefixExtractor: a capped prefix and the identity exist for every key") {
  const auto capped = PrefixExtractor::FromName("rocksdb.CappedPrefix.8");
  REQUIRE(capped.has_value());
  CHECK(capped->Prefix("abc") == "abc");
  CHECK(capped->Prefix("0123456789") == "01234567");
  CHECK(capped->Prefix("") == "");
  const auto noop = PrefixExtractor::FromName("rocksdb.Noop");
  REQUIRE(noop.has_value());
  CHECK(noop->Prefix("0123456789") == "0123456789");
  CHECK(noop->name() == "rocksdb.Noop");
}

TEST_CASE("PrefixExtractor: names that are not exactly known are none") {
  for (const char* name :
       {"", "nullptr", "rocksdb.FixedPrefix", "rocksdb.FixedPrefix.", "rocksdb.FixedPrefix.x",
        "rocksdb.FixedPrefix.3x", "rocksdb.FixedPrefix.-1", "rocksdb.FixedPrefix. 3",
        "rocksdb.CappedPrefix.99999999999999999999", "my.Extractor"}) {
    CHECK_FALSE(PrefixExtractor::FromName(name).has_value());
  }
}

}  // namespace varve
