// SPDX-License-Identifier: Apache-2.0
#include "cli/output/record_writer.h"

#include <string>
#include <utility>

#include "cli/output/api_output.h"
#include "cli/output/json_rows.h"
#include "core/base/text/text.h"
#include "webview/api/json/json.h"
#include "webview/api/json/recovery_json.h"

namespace varve::cli {
RecordWriter::RecordWriter(Console& console, Format format, std::string_view schema, Shape shape)
    : console_(console), out_(console.out()), format_(format), schema_(schema), shape_(shape) {}

void RecordWriter::BeginJson() {
  if (std::exchange(begun_, true)) return;
  out_.WriteData("{\"schema\":\"" + std::string(schema_) + "\"," +
                 (shape_.with_moment ? "\"as_of\":{\"live\":false}," : "") + "\"rows\":[");
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

void RecordWriter::Write(std::string_view family, std::string_view key, std::string_view value) {
  if (format_ == Format::kJson || format_ == Format::kJsonl) {
    return WriteJsonRow(api::RecordJson(shape_.with_family ? std::optional(family) : std::nullopt,
                                        key,
                                        shape_.keys_only ? std::nullopt : std::optional(value)));
  }
  if (format_ == Format::kCsv && count_ == 0) {
    out_.WriteData(shape_.with_family ? "cf,key" : "key");
    out_.WriteData(shape_.keys_only ? "\n" : ",value\n");
  }
  ++count_;
  if (shape_.with_family) {
    shape_.keys_only ? Columns({family, key}) : Columns({family, key, value});
  } else {
    shape_.keys_only ? Columns({key}) : Columns({key, value});
  }
}

void RecordWriter::WriteEntry(const StoredEntry& entry) {
  if (format_ == Format::kJson || format_ == Format::kJsonl) {
    return WriteJsonRow(api::EntryJson(entry));
  }
  if (format_ == Format::kCsv && count_ == 0) {
    out_.WriteData(shape_.keys_only ? "key,seq,type\n" : "key,seq,type,value\n");
  }
  ++count_;
  const std::string sequence = std::to_string(entry.sequence);
  shape_.keys_only ? Columns({entry.key, sequence, entry.type})
                   : Columns({entry.key, sequence, entry.type, entry.value});
}

void RecordWriter::Finish(bool complete) {
  if (format_ == Format::kJsonl) return PrintEndOfLines(console_, count_, complete);
  if (format_ != Format::kJson) return;
  BeginJson();
  api::Json end = {{"count", count_}, {"complete", complete && !console_.partial()}};
  if (console_.partial()) end["recovery"] = api::RecoveryFields().ToJson(console_.recovery());
  out_.WriteJson("]," + api::Dump(end).substr(1) + "\n");
}

}  // namespace varve::cli
