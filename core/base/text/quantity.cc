// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/quantity.h"

#include <charconv>
#include <limits>

#include "core/base/check.h"

namespace varve {
namespace {

bool TakeLetter(std::string_view* text, char lower) {
  if (text->empty() || (text->back() | 0x20) != lower) return false;
  text->remove_suffix(1);
  return true;
}

// Removes a unit letter from the end of `text` and returns the power of the base that it denotes.
int TakePower(std::string_view* text) {
  constexpr std::string_view kLetters = "kmgt";
  for (size_t i = 0; i < kLetters.size(); ++i) {
    if (TakeLetter(text, kLetters[i])) return static_cast<int>(i) + 1;
  }
  return 0;
}

std::optional<uint64_t> Scaled(std::string_view digits, uint64_t base, int power) {
  CHECK(base > 1 && power >= 0);
  std::optional<uint64_t> number = ParseDecimal(digits);
  for (; number && power > 0; --power) {
    if (*number > std::numeric_limits<uint64_t>::max() / base) return std::nullopt;
    *number *= base;
  }
  return number;
}

}  // namespace

std::optional<uint64_t> ParseDecimal(std::string_view text) {
  uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t> ParseByteSize(std::string_view text) {
  const bool in_bytes = TakeLetter(&text, 'b');
  const bool binary = in_bytes && TakeLetter(&text, 'i');
  const int power = TakePower(&text);
  if (binary && power == 0) return std::nullopt;  // "64iB"
  return Scaled(text, in_bytes && !binary ? 1000 : 1024, power);
}

std::optional<uint64_t> ParseCount(std::string_view text) {
  const int power = TakePower(&text);
  return Scaled(text, 1000, power);
}

}  // namespace varve
