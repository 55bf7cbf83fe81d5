// SPDX-License-Identifier: Apache-2.0
#include "cli/input/input_format.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cli/input/arrow_reader.h"
#include "cli/input/dump_format.h"
#include "core/base/text/text.h"

namespace varve::cli {
namespace {

constexpr std::array<std::pair<InputFormat, std::string_view>, 7> kNames = {{
    {InputFormat::kTsv, "tsv"},
    {InputFormat::kCsv, "csv"},
    {InputFormat::kJsonl, "jsonl"},
    {InputFormat::kDump, "dump"},
    {InputFormat::kNul, "nul"},
    {InputFormat::kArrow, "arrow"},
    {InputFormat::kTable, "sst"},
}};

constexpr std::array<std::pair<std::string_view, InputFormat>, 10> kEndings = {{
    {".tsv", InputFormat::kTsv},
    {".tab", InputFormat::kTsv},
    {".csv", InputFormat::kCsv},
    {".jsonl", InputFormat::kJsonl},
    {".ndjson", InputFormat::kJsonl},
    {".json", InputFormat::kJsonl},
    {".nul", InputFormat::kNul},
    {".arrow", InputFormat::kArrow},
    {".arrows", InputFormat::kArrow},
    {".feather", InputFormat::kArrow},
}};

std::string_view FirstLine(std::string_view head) {
  std::string_view line = head.substr(0, head.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Cells of a header line, if it has no quoted commas.
std::vector<std::string> HeaderCells(std::string_view line) {
  std::vector<std::string> cells;
  while (true) {
    const size_t comma = line.find(',');
    std::string_view cell = line.substr(0, comma);
    if (cell.size() >= 2 && cell.starts_with('"') && cell.ends_with('"')) {
      cell = cell.substr(1, cell.size() - 2);
    }
    cells.emplace_back(cell);
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

// `line` may be truncated. A tab in it makes it a key and a value.
bool IsJsonObject(std::string_view line, bool whole) {
  const std::string_view start = line.substr(0, line.find_first_not_of(" {"));
  const bool opens =
      start.find('{') != std::string_view::npos && line.substr(start.size(), 1) == "\"";
  return opens && (!whole || line.ends_with('}')) && line.find('\t') == std::string_view::npos;
}
bool FirstLineIsJson(std::string_view head) {
  return IsJsonObject(FirstLine(head),
                      head.find('\n') != std::string_view::npos || head.size() < kGuessBytes);
}

}  // namespace

std::string_view InputFormatName(InputFormat format) {
  for (const auto& [row, name] : kNames) {
    if (row == format) return name;
  }
  return "auto";
}

InputFormat InputFormatByName(std::string_view name) {
  for (const auto& [format, row] : kNames) {
    if (row == name && format != InputFormat::kTable) return format;
  }
  return InputFormat::kAuto;
}

FormatGuess GuessFormat(std::string_view name, std::string_view head, std::string_view key_column,
                        std::string_view value_column) {
  constexpr std::string_view kByFirstLine = "by its first line";
  const std::string_view line = FirstLine(head);
  if (line == kDumpMagic) return {InputFormat::kDump, kByFirstLine};
  for (const std::string_view packed : {".gz", ".zst", ".zstd"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  for (const auto& [ending, format] : kEndings) {
    if (name.ends_with(ending)) return {format, "by its name"};
  }
  if (FirstLineIsJson(head)) return {InputFormat::kJsonl, kByFirstLine};
  if (ArrowReader::Recognises(head)) return {InputFormat::kArrow, "by its first bytes"};
  // The first of these characters separates the first key from the rest.
  const size_t separator = head.find_first_of(std::string_view("\t\n\0", 3));
  if (separator != std::string_view::npos && head[separator] == '\0') {
    return {InputFormat::kNul, "by its first bytes"};
  }
  if (separator != std::string_view::npos && head[separator] == '\t') {
    return {InputFormat::kTsv, kByFirstLine};
  }
  const std::vector<std::string> cells = HeaderCells(line);
  const auto has = [&](std::string_view column) {
    return std::find(cells.begin(), cells.end(), column) != cells.end();
  };
  if (cells.size() > 1 && has(key_column) && has(value_column)) {
    return {InputFormat::kCsv, kByFirstLine};
  }
  return {InputFormat::kTsv, "as the default guess"};
}

std::string FormatHint(InputFormat taken, std::string_view head) {
  const std::string_view line = FirstLine(head);
  if (taken != InputFormat::kJsonl && FirstLineIsJson(head)) return "say --input-format jsonl";
  if (taken == InputFormat::kJsonl && line.starts_with('[')) {
    return "it begins with an array, and jsonl is an object a line: jq -c '.[]' makes one of the "
           "other";
  }
  if (taken != InputFormat::kTsv && line.find('\t') != std::string_view::npos) {
    return "say --input-format tsv";
  }
  const std::vector<std::string> cells = HeaderCells(line);
  if (taken != InputFormat::kCsv && cells.size() > 1) {
    return "if it is csv, say --input-format csv --key-column '" + EscapeForDisplay(cells[0]) +
           "' --value-column '" + EscapeForDisplay(cells[1]) + "'";
  }
  return "";
}

}  // namespace varve::cli
