// SPDX-License-Identifier: Apache-2.0
// Any JSON as rows of csv or tsv: nothing is omitted or truncated.
//
// Rows of a list are rows, with the columns described by its schema, so that they are the same for
// every answer: nested members are named "smallest.key", bytes are written as they are (tsv:
// escaped), lists within a row are JSON. A document that has more than its rows, and does not count
// them, is not a list: it gives a row for each value, with its path ("levels.0.files").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output/console.h"
#include "webview/api/json/json.h"

namespace varve::cli {

class RowWriter {
 public:
  // `format` is kCsv or kTsv. The header line is written before the first row, or by Finish().
  RowWriter(Sink& out, Format format, std::vector<std::string> columns)
      : out_(out), format_(format), columns_(std::move(columns)) {}

  void Add(const std::vector<std::string>& cells);
  void Finish() { WriteHeader(); }

 private:
  void WriteHeader();
  void WriteLine(const std::vector<std::string>& cells);

  Sink& out_;
  const Format format_;
  const std::vector<std::string> columns_;
  bool header_written_ = false;
};

// RFC 4180: quotes carry any bytes, newlines included.
void WriteCsvCell(Sink& out, std::string_view bytes);

// A value as a cell: text and bytes as they are, nothing for null, else JSON.
std::string CellOf(const api::Json& value);

// The columns of rows described by `row_schema`, and the cells of a row.
class RowShape {
 public:
  explicit RowShape(const api::Json& row_schema);
  std::vector<std::string> names() const;
  std::vector<std::string> Cells(const api::Json& row) const;

 private:
  std::vector<std::vector<std::string>> paths_;  // {"smallest", "key"}
};

// The member that has the rows in documents of `schema`; empty if it is not a list: there is none,
// several are possible, or some values would be in no row.
std::string RowsMember(const api::Json& schema);

void WriteDocumentAsRows(Sink& out, Format format, const api::Json& document);

}  // namespace varve::cli
