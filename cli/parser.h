// SPDX-License-Identifier: Apache-2.0
// Fills a command's parameters from the words of the command line. The only user of CLI11.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/parameters.h"
#include "varve/status.h"

namespace varve::cli {

// Puts the value `word` where the parameter says, as if it had been given.
Status SetParameter(const Parameter& parameter, const std::string& word);

// `words` follow the verb. InvalidArgument names the word that does not fit. Flags may stand
// before, between or behind positionals; behind a lone "--" everything is positional.
Status ParseWords(const Parameters& parameters, std::vector<std::string> words);

}  // namespace varve::cli
