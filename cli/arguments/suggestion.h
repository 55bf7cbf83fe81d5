// SPDX-License-Identifier: Apache-2.0
// "did you mean": suggestions for unknown words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace varve::cli {

// The candidate nearest to `word`, or of which it is a part; empty if none is near enough.
std::string Nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'limit'?", to be appended to a message, or nothing.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace varve::cli
