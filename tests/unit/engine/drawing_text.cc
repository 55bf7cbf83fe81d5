// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/engine/drawing_text.h"

#include <doctest/doctest.h>

#include <cctype>
#include <cstdlib>
#include <sstream>

#include "core/base/text/quantity.h"
#include "core/base/text/text.h"

namespace varve {
namespace {

// Longer ones of one letter are counted.
constexpr size_t kSpelledOutMax = 12;

ValueType TypeOf(char sign) {
  switch (sign) {
    case '=':
      return ValueType::kValue;
    case '-':
      return ValueType::kDeletion;
    case '!':
      return ValueType::kSingleDeletion;
    case '+':
      return ValueType::kMerge;
    default:
      FAIL("no entry has the sign " << sign);
      return ValueType::kValue;
  }
}

// Of "@7=...": what is behind the number.
std::string_view TakeSequence(std::string_view text, std::optional<Sequence>* sequence) {
  if (!text.starts_with('@')) return text;
  size_t end = 1;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
  *sequence = ParseNumber(text.substr(1, end - 1));
  return text.substr(end);
}

}  // namespace

uint64_t ParseNumber(std::string_view text) {
  const std::optional<uint64_t> number = ParseDecimal(text);
  REQUIRE_MESSAGE(number.has_value(), "not a number: " << text);
  return *number;
}

std::string ParseBytes(std::string_view text) {
  if (text.size() > 2 && text[1] == '*') return std::string(ParseNumber(text.substr(2)), text[0]);
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\\x")) {
      REQUIRE_LT(i + 3, text.size());
      const std::string digits(text.substr(i + 2, 2));
      bytes.push_back(static_cast<char>(std::strtoul(digits.c_str(), nullptr, 16)));
      i += 3;
    } else {
      bytes.push_back(text[i]);
    }
  }
  return bytes;
}

DrawnRange ParseRange(std::string_view text) {
  const size_t dots = text.find("..");
  REQUIRE_MESSAGE(dots != std::string_view::npos, "not a range: " << text);
  DrawnRange range;
  if (dots > 0) range.first = ParseBytes(text.substr(0, dots));
  if (dots + 2 < text.size()) range.second = ParseBytes(text.substr(dots + 2));
  return range;
}

DrawnEntry ParseEntry(std::string_view text) {
  const std::string whole(text);
  INFO(whole);
  DrawnEntry entry;
  const size_t colon = text.find(':');
  if (colon < text.find_first_of("@=+-![")) {
    entry.family = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with('[')) {
    const size_t end = text.find(')');
    REQUIRE_NE(end, std::string_view::npos);
    const DrawnRange range = ParseRange(text.substr(1, end - 1));
    REQUIRE(range.first.has_value());
    REQUIRE(range.second.has_value());
    entry.type = ValueType::kRangeDeletion;
    entry.key = *range.first;
    entry.value = *range.second;
    text = TakeSequence(text.substr(end + 1), &entry.sequence);
    REQUIRE(text.empty());
    return entry;
  }
  const size_t end = text.find_first_of("@=+-!");
  REQUIRE_NE(end, std::string_view::npos);
  entry.key = ParseBytes(text.substr(0, end));
  text = TakeSequence(text.substr(end), &entry.sequence);
  REQUIRE_FALSE(text.empty());
  entry.type = TypeOf(text[0]);
  entry.value = ParseBytes(text.substr(1));
  return entry;
}

std::string BytesText(std::string_view bytes) {
  if (bytes.size() > kSpelledOutMax &&
      bytes.find_first_not_of(bytes[0]) == std::string_view::npos) {
    return bytes[0] + ("*" + std::to_string(bytes.size()));
  }
  return EscapeForDisplay(bytes);
}

std::string EntryText(const InternalKey& key, std::string_view value, bool with_sequence) {
  const std::string at = with_sequence ? "@" + std::to_string(key.sequence) : "";
  const std::string begin = BytesText(key.user_key);
  switch (key.type) {
    case ValueType::kValue:
      return begin + at + "=" + BytesText(value);
    case ValueType::kDeletion:
      return begin + at + "-";
    case ValueType::kSingleDeletion:
      return begin + at + "!";
    case ValueType::kMerge:
      return begin + at + "+" + BytesText(value);
    case ValueType::kRangeDeletion:
      return "[" + begin + ".." + BytesText(value) + ")" + at;
    default:
      return begin + at + " of type " + std::string(ValueTypeName(key.type));
  }
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void AddTo(WriteBatch* batch, ColumnFamilyId family, const DrawnEntry& entry) {
  switch (entry.type) {
    case ValueType::kValue:
      return batch->Put(entry.key, entry.value, family);
    case ValueType::kDeletion:
      return batch->Delete(entry.key, family);
    case ValueType::kSingleDeletion:
      return batch->SingleDelete(entry.key, family);
    case ValueType::kMerge:
      return batch->Merge(entry.key, entry.value, family);
    case ValueType::kRangeDeletion:
      return batch->DeleteRange(entry.key, entry.value, family);
    default:
      FAIL("no change of a batch");
  }
}

}  // namespace varve
