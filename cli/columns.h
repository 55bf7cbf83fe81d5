// SPDX-License-Identifier: Apache-2.0
// Pieces of the tables that people read on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace varve::cli {

// At most `width` characters of an escaped key.
std::string ShortKey(const std::string& key, size_t width);
// "12.5 %"; "-" of nothing.
std::string Percent(uint64_t part, uint64_t whole);

// Rows of cells, aligned: the first column to the left, the others to the right.
class Columns {
 public:
  explicit Columns(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
  void Row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Each line begins with `indent`.
  std::string Text(const std::string& indent) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace varve::cli
