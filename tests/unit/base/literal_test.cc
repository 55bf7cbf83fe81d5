// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/literal.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/base/text/text.h"

namespace varve {
namespace {

std::string Bytes(Encoding encoding, std::string_view text) {
  const Result<std::string> bytes = Decode(encoding, text);
  return bytes.ok() ? *bytes : bytes.status().ToString();
}

std::string AllBytes() {
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  return all;
}

TEST_CASE("Decode: hex in either case, whole bytes") {
  CHECK_EQ(Bytes(Encoding::kHex, ""), "");
  CHECK_EQ(Bytes(Encoding::kHex, "6b31"), "k1");
  CHECK_EQ(Bytes(Encoding::kHex, "0aFf"), "\x0a\xff");
  CHECK_EQ(Bytes(Encoding::kHex, HexBytes(AllBytes())), AllBytes());
  CHECK_EQ(Bytes(Encoding::kHex, "6"), "invalid_argument: hex has an odd number of digits");
  CHECK_EQ(Bytes(Encoding::kHex, "6b3g"), "invalid_argument: '3g' is not hex");
}

TEST_CASE("Decode: base64 with and without padding") {
  CHECK_EQ(Bytes(Encoding::kB64, ""), "");
  CHECK_EQ(Bytes(Encoding::kB64, "azE="), "k1");
  CHECK_EQ(Bytes(Encoding::kB64, "azE"), "k1");
  CHECK_EQ(Bytes(Encoding::kB64, "a2V5"), "key");
  CHECK_EQ(Bytes(Encoding::kB64, "+/+/"), "\xfb\xff\xbf");
  CHECK_EQ(Bytes(Encoding::kB64, "a"), "invalid_argument: base64 is cut short");
  CHECK_EQ(Bytes(Encoding::kB64, "az E"), "invalid_argument: ' ' is not base64");
  CHECK_EQ(Bytes(Encoding::kB64, "a=zE"), "invalid_argument: '=' is not base64");
}

TEST_CASE("Decode: a number is eight bytes, the largest first") {
  CHECK_EQ(Bytes(Encoding::kU64be, "42"), std::string("\0\0\0\0\0\0\0\x2a", 8));
  CHECK_EQ(Bytes(Encoding::kU64be, "18446744073709551615"), std::string(8, '\xff'));
  CHECK_EQ(Bytes(Encoding::kU64be, "18446744073709551616"),
           "invalid_argument: '18446744073709551616' is not an unsigned 64-bit number");
  CHECK_FALSE(Decode(Encoding::kU64be, "-1").ok());
  CHECK_FALSE(Decode(Encoding::kU64be, "").ok());
}

TEST_CASE("Unescape: undoes what is escaped for display, for every byte") {
  CHECK_EQ(*Unescape(EscapeForDisplay(AllBytes())), AllBytes());
  CHECK_EQ(*Unescape("a\\tb\\n\\r\\\\\\x41"), "a\tb\n\r\\A");
  CHECK_EQ(*Unescape("\\0"), std::string(1, '\0'));
  CHECK_EQ(Bytes(Encoding::kEsc, "\\"), "invalid_argument: a backslash ends the text");
  CHECK_EQ(Bytes(Encoding::kEsc, "\\q"), "invalid_argument: \\q is not an escape");
  for (const char* cut : {"\\x", "\\x4", "\\xg0", "\\x0g"}) {
    CHECK_EQ(Bytes(Encoding::kEsc, cut), "invalid_argument: \\x needs two hex digits");
  }
}

TEST_CASE("DecodeLiteral: a prefix says the encoding, else it is the one for bare text") {
  CHECK_EQ(*DecodeLiteral("hex:6b31", Encoding::kUtf8), "k1");
  CHECK_EQ(*DecodeLiteral("b64:azE=", Encoding::kUtf8), "k1");
  CHECK_EQ(*DecodeLiteral("esc:k\\x31", Encoding::kUtf8), "k1");
  CHECK_EQ(*DecodeLiteral("u64be:1", Encoding::kUtf8), std::string("\0\0\0\0\0\0\0\1", 8));
  CHECK_EQ(*DecodeLiteral("utf8:hex:6b31", Encoding::kHex), "hex:6b31");
  CHECK_EQ(*DecodeLiteral("6b31", Encoding::kUtf8), "6b31");
  CHECK_EQ(*DecodeLiteral("6b31", Encoding::kHex), "k1");
  CHECK_EQ(*DecodeLiteral("HEX:6b31", Encoding::kUtf8), "HEX:6b31");
}

TEST_CASE("EncodingByName: the names of the prefixes") {
  CHECK(EncodingByName("hex") == Encoding::kHex);
  CHECK(EncodingByName("b64") == Encoding::kB64);
  CHECK(EncodingByName("esc") == Encoding::kEsc);
  CHECK(EncodingByName("u64be") == Encoding::kU64be);
  CHECK(EncodingByName("utf8") == Encoding::kUtf8);
  CHECK(EncodingByName("anything") == Encoding::kUtf8);
}

}  // namespace
}  // namespace varve
