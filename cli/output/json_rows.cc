// SPDX-License-Identifier: Apache-2.0
#include "cli/output/json_rows.h"

namespace varve::cli {
namespace {

using api::Json;

constexpr std::string_view kReference = "#/$defs/";

// {"hex":…,"text":…,"len":…}: the bytes of a key or a value.
bool IsBytes(const Json& json) {
  return json.is_object() && json.contains("hex") && json.contains("len");
}

std::string BytesOf(std::string_view hex) {
  const auto digit = [](char c) { return static_cast<uint8_t>(c >= 'a' ? c - 'a' + 10 : c - '0'); };
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  }
  return bytes;
}

void CollectPaths(const Json& schema, std::vector<std::string>* path,
                  std::vector<std::vector<std::string>>* paths) {
  std::vector<std::string> members;
  if (schema.contains("$ref")) {
    const std::string name = schema["$ref"].get<std::string>().substr(kReference.size());
    if (name == "bound") members = {"key", "seq", "type"};
    if (name == "finding") members = {"severity", "layer", "file", "offset", "what", "lost_range"};
    for (const std::string& member : members) {
      paths->push_back(*path);
      paths->back().push_back(member);
    }
    if (!members.empty()) return;
  }
  if (!schema.contains("properties")) {
    paths->push_back(*path);
    return;
  }
  for (const auto& [name, member] : schema["properties"].items()) {
    path->push_back(name);
    CollectPaths(member, path, paths);
    path->pop_back();
  }
}

void WriteValues(RowWriter& rows, const std::string& path, const Json& value) {
  if (!value.is_structured() || value.empty() || IsBytes(value)) {
    return rows.Add({path, value.is_structured() && value.empty() ? "" : CellOf(value)});
  }
  for (const auto& [name, member] : value.items()) {
    WriteValues(rows, path.empty() ? name : path + "." + name, member);
  }
}

// The members at the beginning of all documents.
bool IsOfEveryDocument(const Json& name) {
  return name == "schema" || name == "as_of" || name == "exact" || name == "sampled" ||
         name == "recovery";
}

}  // namespace

std::string CellOf(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (IsBytes(value)) return BytesOf(value["hex"].get<std::string>());
  return api::Dump(value);
}

void WriteCsvCell(Sink& out, std::string_view bytes) {
  if (bytes.find_first_of(",\"\r\n ") == std::string_view::npos && !bytes.empty()) {
    return out.WriteData(bytes);
  }
  out.WriteData("\"");
  for (size_t quote; (quote = bytes.find('"')) != std::string_view::npos;) {
    out.WriteData(bytes.substr(0, quote + 1));
    out.WriteData("\"");
    bytes.remove_prefix(quote + 1);
  }
  out.WriteData(bytes);
  out.WriteData("\"");
}

void RowWriter::WriteLine(const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out_.WriteData(format_ == Format::kCsv ? "," : "\t");
    format_ == Format::kCsv ? WriteCsvCell(out_, cells[i]) : out_.WriteEscaped(cells[i]);
  }
  out_.WriteData("\n");
}

void RowWriter::WriteHeader() {
  if (!header_written_) WriteLine(columns_);
  header_written_ = true;
}

void RowWriter::Add(const std::vector<std::string>& cells) {
  WriteHeader();
  WriteLine(cells);
}

RowShape::RowShape(const Json& row_schema) {
  std::vector<std::string> path;
  CollectPaths(row_schema, &path, &paths_);
}

std::vector<std::string> RowShape::names() const {
  std::vector<std::string> names;
  for (const std::vector<std::string>& path : paths_) {
    std::string name;
    for (const std::string& member : path) name += (name.empty() ? "" : ".") + member;
    names.push_back(name.empty() ? "value" : name);
  }
  return names;
}

std::vector<std::string> RowShape::Cells(const Json& row) const {
  std::vector<std::string> cells;
  for (const std::vector<std::string>& path : paths_) {
    const Json* value = &row;
    for (const std::string& member : path) {
      const auto found = value->is_object() ? value->find(member) : value->end();
      value = found == value->end() ? nullptr : &*found;
      if (value == nullptr) break;
    }
    cells.push_back(value == nullptr ? std::string() : CellOf(*value));
  }
  return cells;
}

std::string RowsMember(const Json& schema) {
  const Json& members = schema["properties"];
  const bool is_list = members.contains("count") && members.contains("complete");
  std::string found;
  for (const auto& [name, type] : members.items()) {
    if (is_list && name == "count") break;  // The members before it are the rows.
    if (!type.contains("items")) continue;
    const Json& row = type["items"];
    if (!row.contains("properties") && !row.contains("$ref")) continue;
    if (!found.empty() && !is_list) return "";
    found = name;
  }
  if (is_list) return found;
  for (const Json& name : schema["required"]) {
    if (name != found && !IsOfEveryDocument(name)) return "";
  }
  return found;
}

void WriteDocumentAsRows(Sink& out, Format format, const Json& document) {
  RowWriter rows(out, format, {"member", "value"});
  WriteValues(rows, "", document);
  rows.Finish();
}

}  // namespace varve::cli
