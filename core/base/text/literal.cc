// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/literal.h"

#include <array>
#include <cstdint>
#include <utility>

#include "core/base/text/quantity.h"

namespace varve {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<std::string> DecodeHex(std::string_view text) {
  if (text.size() % 2 != 0) return Status::InvalidArgument("hex has an odd number of digits");
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = HexDigit(text[i]), low = HexDigit(text[i + 1]);
    if (high < 0 || low < 0) {
      return Status::InvalidArgument("'" + std::string(text.substr(i, 2)) + "' is not hex");
    }
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

int Base64Digit(char c) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const size_t digit = kDigits.find(c);
  return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

Result<std::string> DecodeBase64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = Base64Digit(c);
    if (digit < 0) return Status::InvalidArgument(std::string("'") + c + "' is not base64");
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<char>(bits >> count & 0xFF));
    }
  }
  if (count >= 6) return Status::InvalidArgument("base64 is cut short");
  return bytes;
}

Result<std::string> DecodeU64be(std::string_view text) {
  std::optional<uint64_t> number = ParseDecimal(text);
  if (!number) {
    return Status::InvalidArgument("'" + std::string(text) + "' is not an unsigned 64-bit number");
  }
  std::string bytes(8, '\0');
  for (int i = 7; i >= 0; --i, *number >>= 8) bytes[i] = static_cast<char>(*number & 0xFF);
  return bytes;
}

}  // namespace

Encoding EncodingByName(std::string_view name) {
  if (name == "hex") return Encoding::kHex;
  if (name == "b64") return Encoding::kB64;
  if (name == "esc") return Encoding::kEsc;
  if (name == "u64be") return Encoding::kU64be;
  return Encoding::kUtf8;
}

Result<std::string> Unescape(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes.push_back(text[i]);
      continue;
    }
    const char kind = ++i < text.size() ? text[i] : '\0';
    switch (kind) {
      case 't':
        bytes.push_back('\t');
        break;
      case 'n':
        bytes.push_back('\n');
        break;
      case 'r':
        bytes.push_back('\r');
        break;
      case '0':
        bytes.push_back('\0');
        break;
      case '\\':
        bytes.push_back('\\');
        break;
      case 'x': {
        const int high = i + 1 < text.size() ? HexDigit(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
        if (high < 0 || low < 0) return Status::InvalidArgument("\\x needs two hex digits");
        bytes.push_back(static_cast<char>(high << 4 | low));
        i += 2;
        break;
      }
      default:
        return Status::InvalidArgument(kind == '\0'
                                           ? std::string("a backslash ends the text")
                                           : std::string("\\") + kind + " is not an escape");
    }
  }
  return bytes;
}

Result<std::string> Decode(Encoding encoding, std::string_view text) {
  switch (encoding) {
    case Encoding::kUtf8:
      return std::string(text);
    case Encoding::kHex:
      return DecodeHex(text);
    case Encoding::kB64:
      return DecodeBase64(text);
    case Encoding::kEsc:
      return Unescape(text);
    case Encoding::kU64be:
      return DecodeU64be(text);
  }
  return Status::InvalidArgument("unknown encoding");
}

Result<std::string> DecodeLiteral(std::string_view text, Encoding bare) {
  constexpr std::array<std::pair<std::string_view, Encoding>, 5> kPrefixes = {
      {{"hex:", Encoding::kHex},
       {"b64:", Encoding::kB64},
       {"esc:", Encoding::kEsc},
       {"u64be:", Encoding::kU64be},
       {"utf8:", Encoding::kUtf8}}};
  for (const auto& [prefix, encoding] : kPrefixes) {
    if (text.starts_with(prefix)) return Decode(encoding, text.substr(prefix.size()));
  }
  return Decode(bare, text);
}

}  // namespace varve
