// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/option_value.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace varve {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

double Real(const std::string& text) {
  const Result<double> value = ParseReal(text, 0, kLargest);
  CAPTURE(text);
  REQUIRE_MESSAGE(value.ok(), value.status().ToString());
  return *value;
}

TEST_CASE("ParseReal: digits with at most one point, rounded once") {
  CHECK_EQ(Real("0"), 0.0);
  CHECK_EQ(Real("10"), 10.0);
  CHECK_EQ(Real("1.5"), 1.5);
  CHECK_EQ(Real(".5"), 0.5);
  CHECK_EQ(Real("5."), 5.0);
  CHECK_EQ(Real("0.1"), 0.1);
  CHECK_EQ(Real("9.99999999999999"), 9.99999999999999);
  for (const char* wrong : {"", ".", "1.2.3", "-1", "+1", "1e3", " 1", "1 ", "0x1", "1,5", "nan"}) {
    CAPTURE(wrong);
    CHECK_EQ(ParseReal(wrong, 0, kLargest).status().code(), Code::kInvalidArgument);
  }
}

TEST_CASE("ParseReal: zeros in front of the first digit take no digit's place") {
  CHECK_EQ(Real(std::string(20, '0') + "1.5"), 1.5);
  CHECK_EQ(Real(std::string(5000, '0') + "10.25"), 10.25);
  CHECK_EQ(Real("0." + std::string(16, '0') + "25"), 0.25e-16);
  CHECK_EQ(Real(std::string(20, '0') + "." + std::string(3, '0') + "123456789012345"),
           0.000123456789012345);
  CHECK_EQ(Real("0." + std::string(5000, '0') + "1"), 0.0);
}

TEST_CASE("ParseReal: digits beyond what a double holds are left out") {
  CHECK_EQ(Real("1." + std::string(5000, '3')), 1.33333333333333);
  CHECK_EQ(Real("1234567890123456.9"), 1234567890123456.0);
  CHECK_FALSE(ParseReal(std::string(400, '9'), 0, kLargest).ok());
}

TEST_CASE("ParseReal: both bounds are allowed, and named where a value is beyond them") {
  CHECK(ParseReal("1", 1, 2.5).ok());
  CHECK(ParseReal("2.5", 1, 2.5).ok());
  for (const char* beyond : {"0.99", "2.51"}) {
    const Status status = ParseReal(beyond, 1, 2.5).status();
    CHECK_EQ(status.ToString(),
             std::string("invalid_argument: expected 1..2.5, not \"") + beyond + "\"");
  }
}

TEST_CASE("FormatReal: what it writes of up to 15 digits is read as the same number") {
  for (const double value : {0.0, 0.1, 1.0, 10.0, 2.5, 0.75, 123456.789, 1e15}) {
    CAPTURE(value);
    CHECK_EQ(Real(FormatReal(value)), value);
  }
  CHECK_EQ(FormatReal(10), "10");
  CHECK_EQ(FormatReal(0.75), "0.75");
}

TEST_CASE("ParseBool: the two words, and digits") {
  CHECK(*ParseBool("true"));
  CHECK(*ParseBool("1"));
  CHECK_FALSE(*ParseBool("false"));
  CHECK_FALSE(*ParseBool("0"));
  for (const char* wrong : {"", "True", "yes", "2", "true "}) CHECK_FALSE(ParseBool(wrong).ok());
}

TEST_CASE("ParseUnsigned and ParseSigned: units, signs, bounds") {
  CHECK_EQ(*ParseUnsigned("4k", 0, 5000), 4096);
  CHECK_EQ(*ParseUnsigned("18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
  CHECK_FALSE(ParseUnsigned("5k", 0, 5000).ok());
  CHECK_FALSE(ParseUnsigned("9", 10, 20).ok());
  CHECK_FALSE(ParseUnsigned("-1", 0, 20).ok());
  CHECK_EQ(*ParseSigned("-1", -1, 20), -1);
  CHECK_EQ(*ParseSigned("-1k", -2000, 0), -1024);
  CHECK_EQ(*ParseSigned("9223372036854775807", 0, INT64_MAX), INT64_MAX);
  CHECK_FALSE(ParseSigned("9223372036854775808", INT64_MIN, INT64_MAX).ok());
  CHECK_FALSE(ParseSigned("--1", -5, 5).ok());
  CHECK_FALSE(ParseSigned("-2", -1, 5).ok());
}

TEST_CASE("Enumerations: RocksDB's name is written, the short one is read as well") {
  for (const auto& name : NamesOf(CompressionType::kNone)) {
    CAPTURE(name.text);
    CHECK_EQ(*ParseEnum<CompressionType>(name.text), name.value);
    CHECK_EQ(*ParseEnum<CompressionType>(name.short_text), name.value);
    CHECK_EQ(FormatEnum(name.value), name.text);
  }
  CHECK_EQ(EnumRange<IndexType>(), "binary|two_level");
  CHECK_EQ(ParseEnum<IndexType>("kHashSearch").status().ToString(),
           "invalid_argument: expected binary|two_level, not kHashSearch");
  CHECK_EQ(FormatEnum(IndexType::kHash), "unsupported(1)");
}

}  // namespace
}  // namespace varve
