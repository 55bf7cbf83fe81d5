// SPDX-License-Identifier: Apache-2.0
#include "cli/columns.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/base/text.h"

namespace varve::cli {

std::string ShortKey(const std::string& key, size_t width) {
  std::string text = EscapeForDisplay(key);
  if (text.size() > width) text = text.substr(0, width - 3) + "...";
  return text;
}

std::string Percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f %%",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text.data();
}

std::string Columns::Text(const std::string& indent) const {
  std::vector<size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line = indent;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      line += i == 0 ? row[i] + padding : "  " + padding + row[i];
    }
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace varve::cli
