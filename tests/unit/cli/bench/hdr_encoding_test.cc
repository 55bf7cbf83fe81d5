// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/hdr_encoding.h"

#include <doctest/doctest.h>

namespace varve::cli::bench {
namespace {

void Record(Histogram& histogram, uint64_t value, int times) {
  for (int i = 0; i < times; ++i) histogram.Record(value);
}

std::string Hex(const std::string& bytes) {
  constexpr char kDigit[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char c : bytes) {
    text += kDigit[c >> 4];
    text += kDigit[c & 15];
  }
  return text;
}

}  // namespace

// The bytes are those of the Python library hdrhistogram 0.10.8, for HdrHistogram(1, 2^20 - 1, 2)
// and the same values.
TEST_CASE("HdrPayload: is what HdrHistogram's own library writes") {
  Histogram histogram;
  Record(histogram, 0, 1);
  Record(histogram, 1, 3);
  Record(histogram, 255, 2);
  Record(histogram, 256, 1);
  Record(histogram, 300, 200);
  Record(histogram, 1000, 1);
  Record(histogram, 123456, 70000);
  Record(histogram, 999999, 1);
  CHECK(Hex(HdrPayload(histogram)) ==
        "1c849313000000140000000000000002000000000000000100000000000fffff3ff0000000000000"
        "0206f9030402299003c50302eb0de0c508830602");
}

TEST_CASE("HdrEncoded: the greatest values and none at all have a form") {
  Histogram none, high;
  CHECK(Hex(HdrPayload(none)) ==
        "1c84931300000000000000000000000200000000000000010000000000"
        "0001ff3ff0000000000000");
  high.Record(~uint64_t{0} >> 1);
  CHECK(Hex(HdrPayload(high)).substr(40 * 2 - 32, 16) == "7fffffffffffffff");
  for (const Histogram* one : {&none, &high}) {
    CHECK(HdrEncoded(*one).starts_with("HISTFAAA"));
    CHECK(HdrEncoded(*one).size() % 4 == 0);
  }
}

}  // namespace varve::cli::bench
