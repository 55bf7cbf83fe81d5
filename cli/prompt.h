// SPDX-License-Identifier: Apache-2.0
// Lines from a person: with history and Tab where libedit is there, plain ones elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace varve::cli {

class Prompt {
 public:
  // What may stand in place of `current`, the word being typed, behind `before`, the line up to it.
  using CompleteFn = std::function<std::vector<std::string>(const std::string& before,
                                                            const std::string& current)>;

  // One at a time in a process. `history_file` may be empty; it is read now and written line by
  // line.
  Prompt(CompleteFn complete, std::string history_file);
  ~Prompt();
  Prompt(const Prompt&) = delete;
  Prompt& operator=(const Prompt&) = delete;

  struct Answer {
    enum Kind : uint8_t {
      kLine,
      kInterrupted,  // Ctrl-C: what was typed is dropped.
      kEnd,          // Of the input.
    };
    Kind kind = kEnd;
    std::string line;
  };
  Answer ReadLine(const std::string& prompt);

 private:
  const std::string history_file_;
};

}  // namespace varve::cli
