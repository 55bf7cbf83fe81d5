// SPDX-License-Identifier: Apache-2.0
// "did you mean": what a word that is none was probably meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace varve::cli {

// The candidate that `word` is a slip of, or the one it is cut from or part of; empty if none is
// near enough to be named.
std::string Nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'limit'?", to end a message with, or nothing.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace varve::cli
