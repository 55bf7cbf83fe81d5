// SPDX-License-Identifier: Apache-2.0
// Lines from a person: with history and Tab where libedit is there, plain ones elsewhere.
#pragma once

#include <functional>
#include <optional>
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

  // Nullopt at the end of the input.
  std::optional<std::string> ReadLine(const std::string& prompt);

 private:
  const std::string history_file_;
};

}  // namespace varve::cli
