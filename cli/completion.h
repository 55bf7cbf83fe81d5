// SPDX-License-Identifier: Apache-2.0
// Completion: verbs, flags, and their values (formats, column families of the target, engine
// options, workloads). Used by the prompt of `varve shell` and by the shells' completion; bash, zsh
// and fish run `varve completion SHELL -- WORDS`.
#pragma once

#include <array>
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
  bool files = false;  // File names as well, which the shell completes itself.
};

// Candidates to replace `current`, the word being typed, after the words `before`.
Candidates Complete(const std::vector<std::string>& before, const std::string& current);

// The shells that there is a script for.
inline constexpr std::array<std::string_view, 3> kCompletionShells = {"bash", "zsh", "fish"};
// The script that a shell sources; empty for an unknown shell.
std::string CompletionScript(std::string_view shell);
// The answer to that script: one candidate per line, in zsh and fish with a tab and its help; the
// line ":files" for file names. In bash, `current` begins where bash divides the word.
std::string CompletionAnswer(std::string_view shell, const Candidates& candidates);

}  // namespace varve::cli
