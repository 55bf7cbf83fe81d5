// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/text.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

using namespace std::string_literals;

TEST_CASE("EscapeForDisplay: printable UTF-8 is kept") {
  CHECK_EQ(EscapeForDisplay("key 1~"), "key 1~");
  CHECK_EQ(EscapeForDisplay("žluť 鍵 😀"), "žluť 鍵 😀");
}

TEST_CASE("EscapeForDisplay: everything else stays on one line") {
  CHECK_EQ(EscapeForDisplay("a\tb\nc\\d"), "a\\tb\\nc\\\\d");
  CHECK_EQ(EscapeForDisplay("\0\x1b\r\x7f"s), "\\x00\\x1b\\x0d\\x7f");
  CHECK_EQ(EscapeForDisplay("\u2028"), "\\xe2\\x80\\xa8");  // Line separator.
  CHECK_EQ(EscapeForDisplay("\u202e"), "\\xe2\\x80\\xae");  // Right-to-left override.
  CHECK_EQ(EscapeForDisplay("\u061c"), "\\xd8\\x9c");       // Arabic letter mark.
}

TEST_CASE("EscapeForDisplay: malformed UTF-8 is shown byte by byte") {
  CHECK_EQ(EscapeForDisplay("\xff"), "\\xff");
  CHECK_EQ(EscapeForDisplay("\xc3"), "\\xc3");  // Cut short.
  CHECK_EQ(EscapeForDisplay("\xc3("
                            "x"),
           "\\xc3(x");                                            // No continuation.
  CHECK_EQ(EscapeForDisplay("\xc0\xaf"), "\\xc0\\xaf");           // Not the shortest form.
  CHECK_EQ(EscapeForDisplay("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // A surrogate.
}

// Bytes are looked at eight at a time: each of them, at each place, among plain ones.
TEST_CASE("PlainAsciiLength: every byte at every place") {
  for (int byte = 0; byte < 256; ++byte) {
    const bool plain = byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
    for (size_t size = 1; size <= 20; ++size) {
      for (size_t at = 0; at < size; ++at) {
        std::string text(size, '~');
        text[at] = static_cast<char>(byte);
        REQUIRE_EQ(PlainAsciiLength(text), plain ? size : at);
      }
    }
  }
  CHECK_EQ(PlainAsciiLength(""), 0);
  CHECK_EQ(EscapeForDisplay("12345678\"1234567\t\"\\"), "12345678\"1234567\\t\"\\\\");
}

TEST_CASE("Hex: numbers and bytes") {
  CHECK_EQ(Hex(0), "0");
  CHECK_EQ(Hex(0xabc), "abc");
  CHECK_EQ(Hex(0xabc, 8), "00000abc");
  CHECK_EQ(Hex(~uint64_t{0}), "ffffffffffffffff");
  CHECK_EQ(HexBytes("\x00\xffk"s), "00ff6b");
  CHECK_EQ(FileOffset("000012.sst", 4096), "000012.sst@4096");
}

}  // namespace
}  // namespace varve
