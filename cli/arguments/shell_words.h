// SPDX-License-Identifier: Apache-2.0
// Splits a line at the prompt like a shell: blanks separate words, 'single' and "double" quotes and
// backslashes protect, # begins a comment at the beginning of a word.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/result.h"

namespace varve::cli {

// The same for text in pieces. One thread.
class WordSplitter {
 public:
  void Add(std::string_view text);
  // What SplitWords says of the text so far.
  Status Check() const;
  std::vector<std::string> Take() &&;

 private:
  void AddByte(char c);

  std::vector<std::string> words_;
  std::optional<std::string> word_;
  char quote_ = 0;        // The open quote.
  bool escaped_ = false;  // Behind a backslash.
  bool in_comment_ = false;
};

// InvalidArgument only for an unclosed quote or a final backslash, when more lines may follow.
Result<std::vector<std::string>> SplitWords(std::string_view line);

// "scan --limit 9 | less" becomes "scan --limit 9 " and " less"; without a bar outside quotes and
// comments, the whole line and an empty second part.
std::pair<std::string, std::string> SplitPipe(std::string_view line);

}  // namespace varve::cli
