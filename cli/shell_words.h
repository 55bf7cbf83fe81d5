// SPDX-License-Identifier: Apache-2.0
// A line at the prompt, taken apart as a shell would: blanks separate, 'single' and "double" quotes
// and backslashes protect, # begins a comment where a word could begin.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/result.h"

namespace varve::cli {

// The same, of text that comes piece by piece. One thread.
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
  char quote_ = 0;        // The one that is open.
  bool escaped_ = false;  // Behind a backslash.
  bool in_comment_ = false;
};

// InvalidArgument, which nothing else is: a quote that does not end, or a backslash that does. More
// lines may follow.
Result<std::vector<std::string>> SplitWords(std::string_view line);

// "scan --limit 9 | less" is "scan --limit 9 " and " less"; no bar outside quotes and comments: all
// of it, and an empty second.
std::pair<std::string, std::string> SplitPipe(std::string_view line);

}  // namespace varve::cli
