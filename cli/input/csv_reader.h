// SPDX-License-Identifier: Apache-2.0
// Reads csv as in RFC 4180: a header line, cells separated by commas, quoted cells that may span
// lines. Invalid input is rejected, not guessed: an unclosed quote (reported where it opened), text
// after a closing quote, more cells than the header has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/input/stream_reader.h"

namespace varve::cli {

class CsvReader : public StreamReader {
 public:
  using StreamReader::StreamReader;

  Event Next(InputRecord* record) override;
  uint64_t line() const override { return row_line_; }
  std::string raw() const override { return raw_; }
  std::string preamble() const override { return header_; }

 private:
  enum class Row : uint8_t { kWhole, kBroken, kTooLong, kNone };

  bool ReadHeader();  // False: there is none, or it is invalid as failed_ says.
  Row ReadRow();      // Into row_, raw_; the reason in broken_.
  Row ParseLine(std::string_view text, bool* quoted);
  std::string OpenedAt() const;

  std::vector<std::string> row_;
  std::string raw_, header_, broken_;
  uint64_t row_line_ = 0;
  uint64_t quote_line_ = 0, quote_column_ = 0;  // Where the last quoted cell opened.
  size_t columns_ = 0;                          // Of the header.
  size_t key_at_ = 0, value_at_ = 0, family_at_ = 0;
  bool header_read_ = false;
};

}  // namespace varve::cli
