// SPDX-License-Identifier: Apache-2.0
// What may stand where the cursor is: verbs, flags, and their values (formats, column families of
// the target, engine options, workloads). The prompt of `varve shell` and the shells' completion
// ask the same question; bash, zsh and fish by running `varve completion SHELL -- WORDS`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace varve::cli {

struct Candidate {
  std::string word;
  std::string help;  // One line, or empty.
};

struct Candidates {
  std::vector<Candidate> words;
  bool files = false;  // File names, too, which the shell knows itself.
};

// In place of `current`, the word being typed, behind the words `before`.
Candidates Complete(const std::vector<std::string>& before, const std::string& current);

// What a shell is to read; empty for an unknown shell.
std::string CompletionScript(std::string_view shell);
// The answer to what that script asks: a candidate a line, in zsh and fish with a tab and its help;
// the line ":files" for file names. `current` of bash begins where bash divides the line.
std::string CompletionAnswer(std::string_view shell, const Candidates& candidates);

}  // namespace varve::cli
