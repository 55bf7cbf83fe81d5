// SPDX-License-Identifier: Apache-2.0
#include "cli/record_writer.h"

#include <string>

#include "core/base/text.h"
#include "webview/api/json.h"

namespace varve::cli {
namespace {

// RFC 4180: quotes carry any bytes, newlines included.
std::string CsvCell(std::string_view bytes) {
  if (bytes.find_first_of(",\"\r\n ") == std::string_view::npos && !bytes.empty()) {
    return std::string(bytes);
  }
  std::string quoted = "\"";
  for (const char c : bytes) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

RecordWriter::RecordWriter(Console& console, Format format, std::string_view schema, Shape shape)
    : out_(console.out()), format_(format), schema_(schema), shape_(shape) {
  if (format_ == Format::kJson) {
    out_.Write("{\"schema\":\"" + std::string(schema_) + "\",\"rows\":[");
  }
}

void RecordWriter::Columns(std::initializer_list<std::string_view> cells) {
  bool first = true;
  for (const std::string_view cell : cells) {
    switch (format_) {
      case Format::kNul:
        out_.Write(cell);
        out_.Write(std::string_view("\0", 1));
        break;
      case Format::kCsv:
        if (!first) out_.Write(",");
        out_.Write(CsvCell(cell));
        break;
      case Format::kRaw:
        if (!first) out_.Write("\t");
        out_.Write(cell);
        break;
      default:
        if (!first) out_.Write(format_ == Format::kTable ? "  " : "\t");
        out_.Write(EscapeForDisplay(cell));
        break;
    }
    first = false;
  }
  if (format_ != Format::kNul) out_.Write("\n");
}

void RecordWriter::Write(std::string_view family, std::string_view key, std::string_view value) {
  if (format_ == Format::kJson || format_ == Format::kJsonl) {
    if (format_ == Format::kJson && count_ > 0) out_.Write(",");
    out_.Write(api::Dump(
        api::RecordJson(shape_.with_family ? std::optional(family) : std::nullopt, key,
                        shape_.keys_only ? std::nullopt : std::optional(value))));
    if (format_ == Format::kJsonl) out_.Write("\n");
    ++count_;
    return;
  }
  if (format_ == Format::kCsv && count_ == 0) {
    out_.Write(shape_.with_family ? "cf,key" : "key");
    out_.Write(shape_.keys_only ? "\n" : ",value\n");
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
    if (format_ == Format::kJson && count_ > 0) out_.Write(",");
    out_.Write(api::Dump(api::EntryJson(entry)));
    if (format_ == Format::kJsonl) out_.Write("\n");
    ++count_;
    return;
  }
  if (format_ == Format::kCsv && count_ == 0) out_.Write("key,seq,type,value\n");
  ++count_;
  const std::string sequence = std::to_string(entry.sequence);
  shape_.keys_only ? Columns({entry.key, sequence, entry.type})
                   : Columns({entry.key, sequence, entry.type, entry.value});
}

void RecordWriter::Finish(bool complete) {
  if (format_ == Format::kJson) {
    out_.Write("],\"count\":" + std::to_string(count_) +
               ",\"complete\":" + (complete ? "true" : "false") + "}\n");
  }
  if (format_ == Format::kJsonl) {
    out_.Write(api::Dump(api::EndOfStreamJson(count_, complete)) + "\n");
  }
}

}  // namespace varve::cli
