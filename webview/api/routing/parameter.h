// SPDX-License-Identifier: Apache-2.0
// The query parameters of a route as data: used for parsing, for rejecting unknown names, and for
// openapi.json.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace varve::api {

// "a|b|c" -> "a", and leaves "b|c".
constexpr std::string_view TakeChoice(std::string_view* choices) {
  const std::string_view choice = choices->substr(0, choices->find('|'));
  choices->remove_prefix(choice.size() + (choice.size() < choices->size() ? 1 : 0));
  return choice;
}

// {"a", "b", "c"} -> "a|b|c", for names that something else lists, too.
template <const auto& kNames>
struct ChoicesOf {
  static constexpr size_t kSize = [] {
    size_t size = kNames.size() - 1;
    for (const std::string_view name : kNames) size += name.size();
    return size;
  }();
  static constexpr std::array<char, kSize> kText = [] {
    std::array<char, kSize> text{};
    size_t at = 0;
    for (const std::string_view name : kNames) {
      if (at > 0) text.at(at++) = '|';
      for (const char letter : name) text.at(at++) = letter;
    }
    return text;
  }();
};
template <const auto& kNames>
inline constexpr std::string_view kChoicesOf = {ChoicesOf<kNames>::kText.data(),
                                                ChoicesOf<kNames>::kSize};

enum class ParameterType : uint8_t {
  kText,    // As it is.
  kName,    // Of any bytes, with the escapes of EscapeForDisplay().
  kChoice,  // One of `choices`, "a|b|c".
  kNumber,  // Unsigned decimal, 64 bits.
  kFlag,    // "true", "false" or nothing (true).
  kKey,     // A literal of core/base/text/literal.h; bare text is UTF-8.
};

struct QueryParameter {
  std::string_view name;
  ParameterType type;
  std::string_view summary;
  std::string_view choices = {};
  bool required = false;
};

// A list that can be a member of a constexpr row.
class ParameterList {
 public:
  static constexpr size_t kParametersMax = 12;

  consteval ParameterList(std::initializer_list<QueryParameter> list) {
    for (const QueryParameter& parameter : list) list_.at(count_++) = parameter;
  }
  constexpr operator std::span<const QueryParameter>() const { return {list_.data(), count_}; }

 private:
  std::array<QueryParameter, kParametersMax> list_{};
  size_t count_ = 0;
};

}  // namespace varve::api
