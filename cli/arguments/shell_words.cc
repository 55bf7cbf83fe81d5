// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments/shell_words.h"

#include <utility>

#include "core/base/try.h"

namespace varve::cli {

void WordSplitter::Add(std::string_view text) {
  for (const char c : text) {
    if (in_comment_) return;
    AddByte(c);
  }
}

void WordSplitter::AddByte(char c) {
  if (std::exchange(escaped_, false)) {
    if (quote_ == 0 || c == '"' || c == '\\') {
      *word_ += c;
      return;
    }
    *word_ += '\\';  // Has no effect on other characters within double quotes.
  }
  if (quote_ != 0) {
    if (c == quote_) {
      quote_ = 0;
    } else if (c == '\\' && quote_ == '"') {
      escaped_ = true;
    } else {
      *word_ += c;
    }
    return;
  }
  if (c == ' ' || c == '\t' || c == '\r') {
    if (word_) words_.push_back(*std::exchange(word_, std::nullopt));
    return;
  }
  if (c == '#' && !word_) {
    in_comment_ = true;
    return;
  }
  if (!word_) word_.emplace();
  if (c == '\'' || c == '"') {
    quote_ = c;
  } else if (c == '\\') {
    escaped_ = true;
  } else {
    *word_ += c;
  }
}

Status WordSplitter::Check() const {
  if (quote_ != 0) return Status::InvalidArgument(std::string("a quote ") + quote_ + " has no end");
  if (escaped_) return Status::InvalidArgument("a backslash ends the line");
  return Status::Ok();
}

std::vector<std::string> WordSplitter::Take() && {
  if (word_) words_.push_back(*std::move(word_));
  return std::move(words_);
}

Result<std::vector<std::string>> SplitWords(std::string_view line) {
  WordSplitter splitter;
  splitter.Add(line);
  RETURN_IF_ERROR(splitter.Check());
  return std::move(splitter).Take();
}

std::pair<std::string, std::string> SplitPipe(std::string_view line) {
  char quote = 0;
  bool in_word = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && !in_word && c == '#') break;
    in_word = quote != 0 || (c != ' ' && c != '\t' && c != '\r');
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
