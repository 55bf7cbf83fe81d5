// SPDX-License-Identifier: Apache-2.0
#include "cli/output/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "core/base/text/printable.h"
#include "core/base/text/text.h"
#include "varve/environment.h"

namespace varve::cli {
namespace {

// The prefix of marks: "\x1b[0123456789abcdef;31m".
const std::string& MarkBegin() {
  static const std::string begin = "\x1b[" + Hex(NativeEnvironment().random->Next64(), 16) + ";";
  return begin;
}

bool IsAscii(char c) { return static_cast<uint8_t>(c) < 0x80; }
bool Stays(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

// How many leading bytes need no check.
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
    if (size > 0) {
      out.append(text.substr(0, size));
    } else if (tints_stay && (size = TintMarkLength(text)) > 0) {
      out += "\x1b[";
      out += text.substr(MarkBegin().size(), size - MarkBegin().size());
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

constexpr uint32_t kReplacement = 0xfffd;  // Shown for invalid characters.

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

std::string TintMark(std::string_view parameter) {
  return MarkBegin() + std::string(parameter) + "m";
}

size_t TintMarkLength(std::string_view text) {
  if (!text.starts_with('\x1b') || !text.starts_with(MarkBegin())) return 0;
  const size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

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
