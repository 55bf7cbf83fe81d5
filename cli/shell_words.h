// SPDX-License-Identifier: Apache-2.0
// A line at the prompt, taken apart as a shell would: blanks separate, 'single' and "double" quotes
// and backslashes protect, # begins a comment where a word could begin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "varve/result.h"

namespace varve::cli {

// InvalidArgument: a quote that does not end.
Result<std::vector<std::string>> SplitWords(std::string_view line);

}  // namespace varve::cli
