// SPDX-License-Identifier: Apache-2.0
#include "core/format/value/wide_columns.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kVersion1 =
    "\x01\x02\x00\x03\x01"
    "a\x02"
    "defAA"sv;
constexpr std::string_view kVersion2 =
    "\x02\x02\x02\x02\x01\x01\x11\x00\x01\x03\x02"
    "adefAA"sv;

TEST_CASE("WideColumns: both versions decode to their columns") {
  const Result<std::vector<WideColumn>> one = DecodeWideColumns(kVersion1);
  REQUIRE(one.ok());
  CHECK(*one == std::vector<WideColumn>{{"", "def"}, {"a", "AA"}});
  const Result<std::vector<WideColumn>> two = DecodeWideColumns(kVersion2);
  REQUIRE(two.ok());
  CHECK(*two == std::vector<WideColumn>{{"", "def"}, {"a", "AA", ValueType::kBlobIndex}});
}

TEST_CASE("WideColumns: the nameless column is the plain value") {
  CHECK(*DefaultColumn(kVersion1) == "def");
  CHECK(*DefaultColumn(kVersion2) == "def");
  CHECK(*DefaultColumn("\x01\x00"sv) == "");
  CHECK(*DefaultColumn("\x01\x01\x01"
                       "a\x02"
                       "AA"sv) == "");
  CHECK(DefaultColumn("\x02\x01\x01\x01\x00\x11\x00\x03"
                      "def"sv)
            .status()
            .code() == Code::kNotSupported);
}

TEST_CASE("WideColumns: an entity cut or extended anywhere is corruption") {
  for (const std::string_view entity : {kVersion1, kVersion2}) {
    for (size_t size = 0; size < entity.size(); ++size) {
      CHECK(DecodeWideColumns(entity.substr(0, size)).status().code() == Code::kCorruption);
    }
    CHECK(!DecodeWideColumns(std::string(entity) + "x").ok());
  }
}

TEST_CASE("WideColumns: hostile counts, disorder and unknown kinds are refused") {
  CHECK(!DecodeWideColumns("\x01\xff\xff\xff\xff\x0f\x00"sv).ok());
  CHECK(!DecodeWideColumns("\x02\xff\xff\xff\xff\x0f\x00\x00\x00"sv).ok());
  CHECK(!DecodeWideColumns("\x01\x02\x01"
                           "b\x01\x01"
                           "a\x01"
                           "12"sv)
             .ok());
  CHECK(!DecodeWideColumns("\x01\x02\x01"
                           "a\x01\x01"
                           "a\x01"
                           "12"sv)
             .ok());
  CHECK(!DecodeWideColumns("\x02\x01\x01\x01\x00\x02\x00\x03"
                           "def"sv)
             .ok());
  CHECK(!DecodeWideColumns("\x02\x01\x02\x01\x00\x01\x00\x00\x03"
                           "def"sv)
             .ok());
  CHECK(DecodeWideColumns("\x03\x00"sv).status().code() == Code::kNotSupported);
}

}  // namespace
}  // namespace varve
