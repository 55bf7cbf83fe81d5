// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/quantity.h"

#include <doctest/doctest.h>

#include <string_view>

namespace varve {
namespace {

TEST_CASE("ParseDecimal: digits and nothing else") {
  CHECK(ParseDecimal("0") == 0);
  CHECK(ParseDecimal("007") == 7);
  CHECK(ParseDecimal("18446744073709551615") == UINT64_MAX);
  for (const std::string_view text :
       {"", " 1", "1 ", "-1", "+1", "0x1", "1k", "1.0", "18446744073709551616"}) {
    CHECK_FALSE(ParseDecimal(text));
  }
}

TEST_CASE("ParseByteSize: bare letters and iB are powers of 1024, B alone is of 1000") {
  CHECK(ParseByteSize("0") == 0);
  CHECK(ParseByteSize("512") == 512);
  CHECK(ParseByteSize("512B") == 512);
  CHECK(ParseByteSize("64K") == 64 << 10);
  CHECK(ParseByteSize("64k") == 64 << 10);
  CHECK(ParseByteSize("64MiB") == 64 << 20);
  CHECK(ParseByteSize("64mib") == 64 << 20);
  CHECK(ParseByteSize("64MB") == 64'000'000);
  CHECK(ParseByteSize("3T") == uint64_t{3} << 40);
  CHECK(ParseByteSize("18446744073709551615") == UINT64_MAX);
}

TEST_CASE("ParseCount: letters are powers of 1000, and units of bytes are refused") {
  CHECK(ParseCount("1M") == 1'000'000);
  CHECK(ParseCount("10k") == 10'000);
  CHECK(ParseCount("7") == 7);
  for (const std::string_view text : {"1MB", "1MiB", "1B", "1Mi"}) CHECK_FALSE(ParseCount(text));
}

TEST_CASE("Quantities: malformed and too large ones are refused") {
  for (const std::string_view text : {"", "K", "MB", "iB", "64iB", "64Mi", "64BB", "6 4", " 64",
                                      "-1", "+1", "0x10", "1.5M", "1KK", "18446744073709551616"}) {
    CHECK_MESSAGE(!ParseByteSize(text), text);
    CHECK_MESSAGE(!ParseCount(text), text);
  }
  CHECK_FALSE(ParseByteSize("16777216T"));
  CHECK(ParseByteSize("16777215T") == UINT64_MAX - ((uint64_t{1} << 40) - 1));
  CHECK_FALSE(ParseCount("18446745T"));
}

}  // namespace
}  // namespace varve
