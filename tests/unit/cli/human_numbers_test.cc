// SPDX-License-Identifier: Apache-2.0
#include "cli/output/human_numbers.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "cli/output/counted.h"

namespace varve::cli {
namespace {

TEST_CASE("HumanBytes: the largest unit of which there is one") {
  CHECK(HumanBytes(0) == "0 B");
  CHECK(HumanBytes(1023) == "1023 B");
  CHECK(HumanBytes(1024) == "1.0 KiB");
  CHECK(HumanBytes(uint64_t{3} << 29) == "1.5 GiB");
  CHECK(HumanBytes(uint64_t{5000} << 40) == "5000.0 TiB");
}

TEST_CASE("HumanCount: groups of three digits") {
  CHECK(HumanCount(0) == "0");
  CHECK(HumanCount(999) == "999");
  CHECK(HumanCount(1000) == "1,000");
  CHECK(HumanCount(UINT64_MAX) == "18,446,744,073,709,551,615");
}

TEST_CASE("HumanRatio and HumanShare are rounded") {
  CHECK(HumanRatio(0.749) == "0.75");
  CHECK(HumanShare(0.1234) == "12.3 %");
  CHECK(HumanShare(1) == "100.0 %");
}

TEST_CASE("HumanAge: one unit, that fits") {
  CHECK(HumanAge(0) == "0 s");
  CHECK(HumanAge(119) == "119 s");
  CHECK(HumanAge(120) == "2 min");
  CHECK(HumanAge(3 * 3600) == "3 h");
  CHECK(HumanAge(49 * 3600) == "2 d");
}

TEST_CASE("Counted: the noun agrees with the number") {
  CHECK(Counted(1, "table") == "1 table");
  CHECK(Counted(1234, "table") == "1,234 tables");
  CHECK(CountedEntries(1) == "1 entry");
  CHECK(CountedEntries(0) == "0 entries");
}

}  // namespace
}  // namespace varve::cli
