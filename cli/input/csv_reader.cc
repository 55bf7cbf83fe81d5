// SPDX-License-Identifier: Apache-2.0
#include "cli/input/csv_reader.h"

#include <algorithm>

#include "core/base/text/text.h"

namespace varve::cli {
namespace {

// A stray quote makes the rest of the file one cell, which must not be held in memory.
constexpr size_t kRowBytesMax = size_t{256} << 20;

}  // namespace

bool CsvReader::ReadHeader() {
  header_read_ = true;
  const Row read = ReadRow();
  if (read == Row::kNone) return false;
  if (read != Row::kWhole) {
    failed_ = Status::InvalidArgument(in_->name() + ": the header line: " + broken_);
    return false;
  }
  header_ = raw_;
  columns_ = row_.size();
  const auto find = [&](const std::string& name) {
    return static_cast<size_t>(std::find(row_.begin(), row_.end(), name) - row_.begin());
  };
  key_at_ = find(options_.key_column);
  value_at_ = find(options_.value_column);
  family_at_ = find("cf");
  if (key_at_ < columns_ && value_at_ < columns_) return true;
  std::string names;
  for (const std::string& name : row_)
    names += (names.empty() ? "" : ", ") + EscapeForDisplay(name);
  failed_ = Status::InvalidArgument(
      in_->name() + ": the header line names no column '" +
      EscapeForDisplay(key_at_ == columns_ ? options_.key_column : options_.value_column) +
      "' but " + names + "; choose with --key-column and --value-column");
  return false;
}

CsvReader::Event CsvReader::Next(InputRecord* record) {
  if (!header_read_ && !ReadHeader()) return failed_.ok() ? EndOrFailure() : Event::kFailed;
  switch (ReadRow()) {
    case Row::kNone:
      return failed_.ok() ? EndOrFailure() : Event::kFailed;
    case Row::kTooLong:
      return Fail(
          Status::InvalidArgument(in_->name() + ":" + std::to_string(row_line_) + ": " + broken_));
    case Row::kBroken:
      return Reject(broken_);
    case Row::kWhole:
      break;
  }
  if (row_.size() > columns_) {
    return Reject(std::to_string(row_.size()) + " cells, and the header has " +
                  std::to_string(columns_));
  }
  if (row_.size() <= std::max(key_at_, value_at_)) {
    return Reject("only " + std::to_string(row_.size()) + " cells");
  }
  record->family = family_at_ < row_.size() ? row_[family_at_] : options_.family;
  return Decoded(Encoding::kUtf8, row_[key_at_], Encoding::kUtf8, row_[value_at_], record);
}

std::string CsvReader::OpenedAt() const {
  return "the quote that opens at line " + std::to_string(quote_line_) + ", column " +
         std::to_string(quote_column_) + ", is not closed";
}

CsvReader::Row CsvReader::ReadRow() {
  std::string_view text;
  do {
    if (!NextLine(&text)) return Row::kNone;
  } while (text.empty() || text == "\r");
  row_line_ = line_;
  row_.assign(1, "");
  raw_.clear();
  bool quoted = false;
  while (true) {
    raw_.append(text).append("\n");
    const Row parsed = ParseLine(text, &quoted);
    if (!quoted) return parsed;
    if (raw_.size() > kRowBytesMax) {
      broken_ = OpenedAt() + " within 256 MiB";
      return Row::kTooLong;
    }
    row_.back() += '\n';
    if (!NextLine(&text)) {
      broken_ = OpenedAt();
      return in_->status().ok() ? Row::kBroken : Row::kNone;
    }
  }
}

// Parses one line of a row; *quoted: whether it begins, and ends, within a quoted cell.
CsvReader::Row CsvReader::ParseLine(std::string_view text, bool* quoted) {
  size_t i = 0;
  while (true) {
    if (!*quoted && i < text.size() && text[i] == '"') {  // At the beginning of a cell.
      *quoted = true;
      quote_line_ = line_;
      quote_column_ = ++i;
    }
    if (!*quoted) {
      const size_t comma = text.find(',', i);
      std::string_view cell = text.substr(i, comma - i);
      if (comma == std::string_view::npos && cell.ends_with('\r')) cell.remove_suffix(1);
      row_.back() = cell;
      if (comma == std::string_view::npos) return Row::kWhole;
      i = comma + 1;
      row_.emplace_back();
      continue;
    }
    const size_t quote = text.find('"', i);
    row_.back() += text.substr(i, quote - i);
    if (quote == std::string_view::npos) return Row::kWhole;  // Continues in the next line.
    i = quote + 1;
    if (i < text.size() && text[i] == '"') {
      row_.back() += '"';
      ++i;
      continue;
    }
    *quoted = false;
    if (i == text.size() || text.substr(i) == "\r") return Row::kWhole;
    if (text[i] != ',') {
      broken_ = "text after the closing quote, at line " + std::to_string(line_) + ", column " +
                std::to_string(i + 1);
      return Row::kBroken;
    }
    ++i;
    row_.emplace_back();
  }
}

}  // namespace varve::cli
