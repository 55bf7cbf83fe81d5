// SPDX-License-Identifier: Apache-2.0
#include "cli/output/record_writer.h"

#include "cli/output/api_output.h"
#include "cli/output/json_rows.h"
#include "core/base/check.h"
#include "core/base/text/text.h"
#include "webview/api/json/recovery_json.h"
#include "webview/api/json/summaries.h"

namespace varve::cli {
namespace {

api::Fields<WrittenRecord> RecordFields(bool with_family, bool keys_only) {
  api::Fields<WrittenRecord> fields;
  if (with_family) fields.Name("cf", &WrittenRecord::family, "name of the column family");
  fields.WholeBytes("key", &WrittenRecord::key, "the user key");
  if (!keys_only) fields.WholeBytes("value", &WrittenRecord::value, "what a Get returns");
  return fields;
}

}  // namespace

const api::Fields<RecordList>& RecordListFields() {
  static const auto fields =
      api::Fields<RecordList>()
          .Other(
              "rows",
              api::ArrayOf(RecordFields(/*with_family=*/true, /*keys_only=*/false).Schema()),
              [](const RecordList&) { return api::Json::array(); }, "the records")
          .Number("count", api::Unit::kCount, &RecordList::count, "of rows")
          .Flag("complete", &RecordList::complete, "all records that were asked for are there");
  return fields;
}

RecordWriter::RecordWriter(Console& console, Format format, std::string_view schema, Shape shape)
    : console_(console),
      out_(console.out()),
      format_(format),
      schema_(schema),
      shape_(shape),
      fields_(RecordFields(shape.with_family, shape.keys_only)) {}

RecordWriter::~RecordWriter() {
  const bool has_begun = begun_ || (format_ == Format::kJsonl && count_ > 0);
  if (has_begun && !finished_) Finish(/*complete=*/false);
}

std::pair<std::string, std::string> RecordWriter::AroundRows(const RecordList& list) const {
  constexpr std::string_view kRows = "\"rows\":[";
  api::Json document = HeadOfFiles(schema_);
  if (!shape_.with_moment) document.erase("as_of");
  RecordListFields().AddTo(&document, list);
  if (console_.partial()) document["recovery"] = api::RecoveryFields().ToJson(console_.recovery());
  const std::string text = api::Dump(document);
  const size_t cut = text.find(kRows) + kRows.size();
  return {text.substr(0, cut), text.substr(cut)};
}

void RecordWriter::BeginJson() {
  if (!std::exchange(begun_, true)) out_.WriteData(AroundRows({}).first);
}

void RecordWriter::WriteJsonRow(const api::Json& row) {
  if (format_ == Format::kJson) {
    BeginJson();
    if (count_ > 0) out_.WriteData(",");
  }
  out_.WriteJson(api::Dump(row));
  if (format_ == Format::kJsonl) out_.WriteData("\n");
  ++count_;
}

void RecordWriter::Columns(std::initializer_list<std::string_view> cells) {
  for (const std::string_view cell : cells) {
    if (format_ != Format::kNul || cell.find('\0') == std::string_view::npos) continue;
    return out_.Fail(Status::InvalidArgument(
        "'" + EscapeForDisplay(cell) +
        "' holds a NUL byte, which ends a cell of -F nul; csv, jsonl and dump keep it"));
  }
  bool first = true;
  for (const std::string_view cell : cells) {
    switch (format_) {
      case Format::kNul:
        out_.WriteData(cell);
        out_.WriteData(std::string_view("\0", 1));
        break;
      case Format::kCsv:
        if (!first) out_.WriteData(",");
        WriteCsvCell(out_, cell);
        break;
      case Format::kRaw:
        if (!first) out_.WriteData("\t");
        out_.WriteData(cell);
        break;
      default:
        if (!first) out_.WriteData(format_ == Format::kTable ? "  " : "\t");
        out_.WriteEscaped(cell);
        break;
    }
    first = false;
  }
  if (format_ != Format::kNul) out_.WriteData("\n");
}

void RecordWriter::WriteCsvHeader() {
  if (format_ != Format::kCsv || count_ > 0) return;
  const api::FieldList& fields =
      shape_.entries ? static_cast<const api::FieldList&>(api::EntryFields()) : fields_;
  std::string header;
  for (const api::Field& field : fields.fields()) {
    if (field.name == "value" && shape_.keys_only) continue;
    header += (header.empty() ? "" : ",") + field.name;
  }
  out_.WriteData(header + "\n");
}

void RecordWriter::Write(std::string_view family, std::string_view key, std::string_view value) {
  if (format_ == Format::kJson || format_ == Format::kJsonl) {
    return WriteJsonRow(fields_.ToJson({family, key, value}));
  }
  WriteCsvHeader();
  ++count_;
  if (shape_.with_family) {
    shape_.keys_only ? Columns({family, key}) : Columns({family, key, value});
  } else {
    shape_.keys_only ? Columns({key}) : Columns({key, value});
  }
}

void RecordWriter::WriteEntry(const StoredEntry& entry) {
  if (format_ == Format::kJson || format_ == Format::kJsonl) {
    return WriteJsonRow(api::EntryFields().ToJson({entry, shape_.keys_only},
                                                  {.style = api::BytesStyleByName("full")}));
  }
  WriteCsvHeader();
  ++count_;
  const std::string sequence = std::to_string(entry.sequence);
  shape_.keys_only ? Columns({entry.key, sequence, entry.type})
                   : Columns({entry.key, sequence, entry.type, entry.value});
}

void RecordWriter::Finish(bool complete) {
  CHECK(!finished_);
  finished_ = true;
  WriteCsvHeader();
  if (format_ == Format::kJsonl) return PrintEndOfLines(console_, count_, complete);
  if (format_ != Format::kJson) return;
  BeginJson();
  out_.WriteJson(AroundRows({count_, complete && !console_.partial()}).second + "\n");
}

}  // namespace varve::cli
