// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/base/text/printable.h"

namespace varve {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

// Both digits of every byte, for one lookup.
constexpr auto kHexPairs = [] {
  std::array<char, 512> pairs{};
  for (size_t byte = 0; byte < 256; ++byte) {
    pairs[2 * byte] = kHexDigits[byte >> 4];
    pairs[2 * byte + 1] = kHexDigits[byte & 15];
  }
  return pairs;
}();

uint8_t ByteAt(std::string_view bytes, size_t i) { return static_cast<uint8_t>(bytes[i]); }

// The size of the printable, shortest-form UTF-8 character at `i`; 0 if there is none.
size_t PrintableSize(std::string_view bytes, size_t i) {
  const Character character = FirstCharacter(bytes.substr(i));
  return IsPrintable(character.code_point) ? character.size : 0;
}

void AppendHexByte(std::string* out, uint8_t byte) { out->append(&kHexPairs[2 * size_t{byte}], 2); }

}  // namespace

bool IsPrintable(uint32_t code_point) {
  if (code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0)) return false;
  if (code_point == 0xad || code_point == 0x61c || code_point == 0x180e) return false;
  if (code_point >= 0x200b && code_point <= 0x200f) return false;
  if (code_point >= 0x2028 && code_point <= 0x202e) return false;
  if (code_point >= 0x2060 && code_point <= 0x206f) return false;
  if (code_point >= 0xd800 && code_point <= 0xf8ff) return false;    // Surrogates, private use.
  if (code_point >= 0xfff9 && code_point <= 0xfffb) return false;    // Annotations.
  if (code_point >= 0x1d173 && code_point <= 0x1d17a) return false;  // Of musical notation.
  return code_point != 0xfeff && (code_point & 0xfffe) != 0xfffe && code_point < 0xe0000;
}

Character FirstCharacter(std::string_view bytes) {
  if (bytes.empty()) return {};
  const uint8_t lead = ByteAt(bytes, 0);
  if (lead < 0x80) return {lead, 1};
  const size_t size = static_cast<size_t>(std::countl_one(lead));
  if (size < 2 || size > 4 || size > bytes.size()) return {};
  uint32_t code_point = lead & (0x7fu >> size);
  for (size_t k = 1; k < size; ++k) {
    const uint8_t next = ByteAt(bytes, k);
    if ((next & 0xc0) != 0x80) return {};
    code_point = code_point << 6 | (next & 0x3fu);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xd800 && code_point < 0xe000;
  if (code_point < kSmallest[size] || code_point > 0x10ffff || surrogate) return {};
  return {code_point, size};
}

size_t PlainAsciiLength(std::string_view bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
  const auto zeros = [](uint64_t word) { return (word - kOnes) & ~word; };
  size_t i = 0;
  // Eight at a time: a high bit of `other` is set if one of the bytes is not plain, possibly also
  // that of a neighbour.
  for (; bytes.size() - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, sizeof(word));
    const uint64_t other = word | ((word - kOnes * 0x20) & ~word) | zeros(word ^ (kOnes * 0x7f)) |
                           zeros(word ^ (kOnes * '"')) | zeros(word ^ (kOnes * '\\'));
    if ((other & kHighs) != 0) break;
  }
  const auto plain = [](char byte) {
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
  };
  while (i < bytes.size() && plain(bytes[i])) ++i;
  return i;
}

std::string EscapeForDisplay(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size();) {
    if (const size_t plain = PlainAsciiLength(bytes.substr(i)); plain > 0) {
      text.append(bytes, i, plain);
      i += plain;
      continue;
    }
    const char byte = bytes[i];
    if (byte == '\\' || byte == '\n' || byte == '\t') {
      text.push_back('\\');
      text.push_back(byte == '\n' ? 'n' : byte == '\t' ? 't' : '\\');
      ++i;
    } else if (const size_t size = PrintableSize(bytes, i); size > 0) {
      text.append(bytes, i, size);
      i += size;
    } else {
      text.append("\\x");
      AppendHexByte(&text, ByteAt(bytes, i));
      ++i;
    }
  }
  return text;
}

std::string HexBytes(std::string_view bytes) {
  std::string text(2 * bytes.size(), '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::memcpy(text.data() + 2 * i, &kHexPairs[2 * size_t{ByteAt(bytes, i)}], 2);
  }
  return text;
}

std::string Hex(uint64_t number, int digits) {
  const int needed = (std::bit_width(number | 1) + 3) / 4;
  std::string text;
  for (int i = std::max(digits, needed) - 1; i >= 0; --i) {
    text.push_back(i < 16 ? kHexDigits[number >> (4 * i) & 15] : '0');
  }
  return text;
}

std::string FileOffset(std::string_view path, uint64_t offset) {
  std::string text(path);
  text.append("@").append(std::to_string(offset));
  return text;
}

}  // namespace varve
