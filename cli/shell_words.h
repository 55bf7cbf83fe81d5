// SPDX-License-Identifier: Apache-2.0
// A line at the prompt, taken apart as a shell would: blanks separate, 'single' and "double" quotes
// and backslashes protect, # begins a comment where a word could begin.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/result.h"

namespace varve::cli {

// InvalidArgument, which nothing else is: a quote that does not end, or a backslash that does. More
// lines may follow.
Result<std::vector<std::string>> SplitWords(std::string_view line);

// "scan --limit 9 | less" is "scan --limit 9 " and " less"; no bar outside quotes: all of it, and
// an empty second.
std::pair<std::string, std::string> SplitPipe(std::string_view line);

}  // namespace varve::cli
