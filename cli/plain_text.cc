// SPDX-License-Identifier: Apache-2.0
#include "cli/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "core/base/printable.h"
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

constexpr uint32_t kReplacement = 0xfffd;  // Of what is no character.

// As one or two UTF-16 units.
void AppendJsonEscape(uint32_t code_point, std::string* out) {
  const auto append = [out](uint32_t unit) {
    std::array<char, 8> escaped;
    std::snprintf(escaped.data(), escaped.size(), "\\u%04x", unit & 0xffffu);
    *out += escaped.data();
  };
  if (code_point < 0x10000) return append(code_point);
  append(0xd800 + ((code_point - 0x10000) >> 10));
  append(0xdc00 + (code_point & 0x3ff));
}

}  // namespace

std::string PlainText(std::string_view text) { return Plain(text, /*tints_stay=*/false); }
std::string PlainTintedText(std::string_view text) { return Plain(text, /*tints_stay=*/true); }

std::string PlainJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    if (const size_t clean = CleanPrefix(json); clean > 0) {
      out.append(json.substr(0, clean));
      json.remove_prefix(clean);
      continue;
    }
    const Character character = FirstCharacter(json);
    const size_t size = std::max<size_t>(character.size, 1);
    if (character.size > 0 && IsPrintable(character.code_point)) {
      out.append(json.substr(0, size));
    } else {
      AppendJsonEscape(character.size > 0 ? character.code_point : kReplacement, &out);
    }
    json.remove_prefix(size);
  }
  return out;
}

}  // namespace varve::cli
