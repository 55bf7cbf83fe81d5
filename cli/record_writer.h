// SPDX-License-Identifier: Apache-2.0
// RecordWriter prints records in the format asked for, one at a time, whatever their number.
//
//   text, tsv   key<TAB>value, escaped, one record a line     raw   the same, bytes untouched
//   csv         RFC 4180 with a header line                   nul   key NUL value NUL, untouched
//   jsonl       an object a line, then {"end":true,…}         json  one object with all rows
//   table       columns for a person
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/console.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/json/json.h"

namespace varve::cli {

class RecordWriter {
 public:
  struct Shape {
    bool keys_only = false;
    bool with_family = false;
    bool with_moment = false;  // The schema wants "as_of".
  };

  // `schema` names the JSON document: "varve.scan/1".
  RecordWriter(Console& console, Format format, std::string_view schema, Shape shape);

  void Write(std::string_view family, std::string_view key, std::string_view value);
  void WriteEntry(const StoredEntry& entry);  // With sequence and type.
  // Required once. `complete` is false when a limit cut the listing short. What the console knows to
  // be partial is never complete.
  void Finish(bool complete);

  uint64_t count() const { return count_; }

 private:
  void Columns(std::initializer_list<std::string_view> cells);
  // The first part of a document. Not before there is a row or the end: what fails until then has
  // written nothing.
  void BeginJson();
  void WriteJsonRow(const api::Json& row);  // Of a document or of lines.

  Console& console_;
  Sink& out_;
  const Format format_;
  const std::string_view schema_;
  const Shape shape_;
  bool begun_ = false;
  uint64_t count_ = 0;
};

}  // namespace varve::cli
