// SPDX-License-Identifier: Apache-2.0
#include "cli/shell_words.h"

#include <optional>
#include <utility>

namespace varve::cli {

Result<std::vector<std::string>> SplitWords(std::string_view line) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else if (quote == '"' && c == '\\' && i + 1 < line.size() &&
                 (line[i + 1] == '"' || line[i + 1] == '\\')) {
        *word += line[++i];
      } else {
        *word += c;
      }
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (c == '#' && !word) break;
    if (!word) word.emplace();
    if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '\\') {
      if (i + 1 == line.size()) return Status::InvalidArgument("a backslash ends the line");
      *word += line[++i];
    } else {
      *word += c;
    }
  }
  if (quote != 0) return Status::InvalidArgument(std::string("a quote ") + quote + " has no end");
  if (word) words.push_back(*word);
  return words;
}

std::pair<std::string, std::string> SplitPipe(std::string_view line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && quote != '\'') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '|') {
      return {std::string(line.substr(0, i)), std::string(line.substr(i + 1))};
    }
  }
  return {std::string(line), ""};
}

}  // namespace varve::cli
