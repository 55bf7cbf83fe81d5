// SPDX-License-Identifier: Apache-2.0
// JSON as rows of csv or tsv, whatever it says: nothing is left out, nothing is cut.
//
// Rows of a list are rows, with the columns that its schema describes, so that they are the same
// for every answer: members of members are "smallest.key", bytes are the bytes themselves (tsv:
// escaped), lists within a row are JSON. A document that says more than its rows do, and does not say
// how many they are, is no list: it has a row for each value in it, its path ("levels.0.files") and
// the value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
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
std::string CsvCell(std::string_view bytes);

// The columns of rows that `row_schema` describes, and the cells of a row.
class RowShape {
 public:
  explicit RowShape(const api::Json& row_schema);
  std::vector<std::string> names() const;
  std::vector<std::string> Cells(const api::Json& row) const;

 private:
  std::vector<std::vector<std::string>> paths_;  // {"smallest", "key"}
};

// Which member of the documents that `schema` describes has the rows; empty if it is no list: none
// has, several could, or there would be values that no row shows.
std::string RowsMember(const api::Json& schema);

void WriteDocumentAsRows(Sink& out, Format format, const api::Json& document);

}  // namespace varve::cli
