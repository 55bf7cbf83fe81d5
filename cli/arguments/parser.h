// SPDX-License-Identifier: Apache-2.0
// Parses the words of the command line into a command's parameters. The only user of CLI11.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/parameters.h"
#include "varve/status.h"

namespace varve::cli {

// Sets the parameter to `word`, as if it had been given.
Status SetParameter(const Parameter& parameter, const std::string& word);

// `words` follow the verb. InvalidArgument names the invalid word. Flags may be before, between or
// after positionals; after a lone "--" everything is positional.
Status ParseWords(const Parameters& parameters, std::vector<std::string> words);

}  // namespace varve::cli
