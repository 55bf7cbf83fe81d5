// SPDX-License-Identifier: Apache-2.0
#include "cli/plain_text.h"

#include <array>
#include <cstdint>
#include <cstdio>

#include "core/base/text.h"

namespace varve::cli {
namespace {

// What Tinted() writes, to the letter: nothing else that begins with an escape is ours.
constexpr std::array<std::string_view, 6> kTints = {"\x1b[0m",  "\x1b[1m",  "\x1b[2m",
                                                    "\x1b[31m", "\x1b[33m", "\x1b[32m"};

bool IsAscii(char c) { return static_cast<uint8_t>(c) < 0x80; }
bool Stays(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

size_t TintLength(std::string_view text) {
  for (const std::string_view tint : kTints) {
    if (text.starts_with(tint)) return tint.size();
  }
  return 0;
}

// How many bytes from the start need no look at all.
size_t CleanPrefix(std::string_view text) {
  size_t i = 0;
  while (i < text.size() && Stays(text[i])) ++i;
  return i;
}

std::string Plain(std::string_view text, bool tints_stay) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t size = CleanPrefix(text);
    if (size == 0 && tints_stay) size = TintLength(text);
    if (size > 0) {
      out.append(text.substr(0, size));
    } else if (IsAscii(text[0])) {
      out += EscapeForDisplay(text.substr(0, size = 1));
    } else {
      while (size < text.size() && !IsAscii(text[size])) ++size;
      out += EscapeForDisplay(text.substr(0, size));
    }
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace

std::string PlainText(std::string_view text) { return Plain(text, /*tints_stay=*/false); }
std::string PlainTintedText(std::string_view text) { return Plain(text, /*tints_stay=*/true); }

std::string PlainJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<uint8_t>(json[i]);
    const auto next = static_cast<uint8_t>(i + 1 < json.size() ? json[i + 1] : 0);
    const bool c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    if (byte != 0x7f && !c1) {
      out += json[i];
      continue;
    }
    std::array<char, 8> escaped;
    std::snprintf(escaped.data(), escaped.size(), "\\u%04x", c1 ? next : byte);
    out += escaped.data();
    i += c1 ? 1 : 0;
  }
  return out;
}

}  // namespace varve::cli
