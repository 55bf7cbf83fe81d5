// SPDX-License-Identifier: Apache-2.0
// Runs a command line, or a line of the shell's prompt, and returns its exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace varve::cli {

// The command with the longest name at the beginning of `words`, or null; *used is the number of
// its words.
const Command* FindCommand(const std::vector<std::string>& words, size_t* used);

// Finds the command, parses its words, runs it and reports an error. Exceptions of libraries are
// passed on.
int RunWords(std::vector<std::string> words);
// The same, reporting exceptions as well.
int RunWordsOrReport(std::vector<std::string> words);

}  // namespace varve::cli
