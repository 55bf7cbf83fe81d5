// SPDX-License-Identifier: Apache-2.0
// The lines of a text.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace varve::cli {

// Without their ends; views into `text`. The last one need not have an end.
inline std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace varve::cli
