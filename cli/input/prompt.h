// SPDX-License-Identifier: Apache-2.0
// Reads lines from a user: with history and completion if libedit is available, plain ones
// otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace varve::cli {

class Prompt {
 public:
  // Candidates to replace `current`, the word being typed, after `before`, the line up to it.
  using CompleteFn = std::function<std::vector<std::string>(const std::string& before,
                                                            const std::string& current)>;

  // Only one per process. `history_file` may be empty; it is read now and written line by line.
  Prompt(CompleteFn complete, std::string history_file);
  ~Prompt();
  Prompt(const Prompt&) = delete;
  Prompt& operator=(const Prompt&) = delete;

  struct Answer {
    enum Kind : uint8_t {
      kLine,
      kInterrupted,  // Ctrl-C: the line is dropped.
      kEnd,          // End of the input.
    };
    Kind kind = kEnd;
    std::string line;
  };
  Answer ReadLine(const std::string& prompt);

 private:
  const std::string history_file_;
};

}  // namespace varve::cli
