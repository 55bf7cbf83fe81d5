// SPDX-License-Identifier: Apache-2.0
// Tables, bars and key ranges for terminals. Everything fits the terminal's width; without a
// terminal, tables are as wide as their contents, and the rest fits 80 columns. Uses block
// characters if the locale is UTF-8, otherwise ASCII. Not meant to be parsed: use --json for that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output/console.h"
#include "varve/comparator.h"

namespace varve::cli {

struct Terminal {
  size_t width = 80;
  bool unicode = false;
  bool color = false;
  bool there = true;  // Otherwise a file or a pipe: tables are not truncated.
};
Terminal TerminalOf(const Console& console);

enum class Tint : uint8_t { kNone, kBold, kDim, kRed, kYellow, kGreen };
// `text` between the marks of the tint (plain_text.h) if the terminal has colours.
std::string Tinted(const Terminal& terminal, Tint tint, std::string_view text);

// Columns that `text` takes on the screen, without combining characters and colour marks.
size_t DisplayWidth(std::string_view text);
// At most `width` columns; truncated text ends with "...".
std::string Fit(std::string_view text, size_t width);
// The same for a cell of a table, which is truncated for terminals only.
std::string FitCell(const Terminal& terminal, std::string_view text, size_t width);
// Whole words in lines of at most `width` columns, each with `indent` blanks before it.
std::string Wrapped(std::string_view text, size_t width, size_t indent);
// The escaped key, in at most `width` columns.
std::string ShortKey(std::string_view key, size_t width);
// `fraction` of `width` columns filled; not empty unless it is 0.
std::string Bar(const Terminal& terminal, double fraction, size_t width);

// Rows under a header, each column as wide as its widest cell; the last one takes the remaining
// width.
class TextTable {
 public:
  enum class Align : uint8_t { kLeft, kRight };
  struct Column {
    std::string header;
    Align align = Align::kLeft;
  };

  TextTable(const Terminal& terminal, std::vector<Column> columns)
      : terminal_(terminal), columns_(std::move(columns)) {}
  // As many cells as columns.
  void Add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // With `indent` blanks before every line; empty columns are omitted.
  std::string Render(size_t indent = 0) const;

 private:
  Terminal terminal_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Positions of keys between the smallest and largest of a family, by rank among its tables'
// boundaries: every table is visible even if keys are unevenly distributed, and ranges of different
// levels can be compared.
class KeyAxis {
 public:
  using Range = std::pair<std::string_view, std::string_view>;  // Both ends inclusive.

  // Views into keys, which must outlive the axis. Null comparator: unknown order, no strips.
  KeyAxis(const Comparator* order, std::vector<std::string_view> boundaries);

  bool empty() const { return boundaries_.size() < 2; }
  std::string_view first() const { return boundaries_.front(); }
  std::string_view last() const { return boundaries_.back(); }
  // `width` columns: blank where no range is, full where ranges cover everything.
  std::string Strip(const Terminal& terminal, const std::vector<Range>& ranges, size_t width) const;

 private:
  size_t Rank(std::string_view key) const;

  const Comparator* order_;
  std::vector<std::string_view> boundaries_;  // Ascending, each once.
};

}  // namespace varve::cli
