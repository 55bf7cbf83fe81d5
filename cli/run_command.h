// SPDX-License-Identifier: Apache-2.0
// From the words of a command line, or of a line at the shell's prompt, to an exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace varve::cli {

// The longest command name that `words` begins with, or null; *used is how many words it took.
const Command* FindCommand(const std::vector<std::string>& words, size_t* used);

// Finds the command, parses its words, runs it and reports a failure. Exceptions of the libraries
// in use pass through.
int RunWords(std::vector<std::string> words);
// The same, and exceptions are reported, too.
int RunWordsOrReport(std::vector<std::string> words);

}  // namespace varve::cli
