// SPDX-License-Identifier: Apache-2.0
// RecordWriter prints any number of records in the requested format, one at a time.
//
//   text, tsv   key<TAB>value, escaped, one record a line     raw   the same, bytes untouched
//   csv         RFC 4180 with a header line                   nul   key NUL value NUL, untouched
//   jsonl       an object a line, then {"end":true,…}         json  one object with all rows
//   table       columns for a person
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cli/output/console.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/schema/fields.h"

namespace varve::cli {

struct WrittenRecord {
  std::string_view family, key, value;
};

// The document around the rows, which are written as they come.
struct RecordList {
  uint64_t count = 0;
  bool complete = false;
};
const api::Fields<RecordList>& RecordListFields();  // With rows that have families and values.

class RecordWriter {
 public:
  struct Shape {
    bool keys_only = false;
    bool with_family = false;
    bool with_moment = false;  // The schema requires "as_of".
    bool entries = false;      // Rows are written by WriteEntry().
  };

  // `schema` names the JSON document: "varve.scan/1".
  RecordWriter(Console& console, Format format, std::string_view schema, Shape shape);
  // Ends what an error cut short as an incomplete list: the output is a document then, too.
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  void Write(std::string_view family, std::string_view key, std::string_view value);
  void WriteEntry(const StoredEntry& entry);  // With sequence and type.
  // Call once, at the end. `complete` is false if a limit truncated the list. Never complete if the
  // console knows that the data is partial.
  void Finish(bool complete);

  uint64_t count() const { return count_; }

 private:
  void Columns(std::initializer_list<std::string_view> cells);
  void WriteCsvHeader();
  // The document without its rows, cut where they belong.
  std::pair<std::string, std::string> AroundRows(const RecordList& list) const;
  // Writes the beginning of a document. Deferred until there is a row or the end, so that earlier
  // errors leave no output.
  void BeginJson();
  void WriteJsonRow(const api::Json& row);  // Of a document or of lines.

  Console& console_;
  Sink& out_;
  const Format format_;
  const std::string_view schema_;
  const Shape shape_;
  const api::Fields<WrittenRecord> fields_;
  bool begun_ = false, finished_ = false;
  uint64_t count_ = 0;
};

}  // namespace varve::cli
