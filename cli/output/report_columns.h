// SPDX-License-Identifier: Apache-2.0
// Tables on a terminal of types described in webview/api/schema/fields.h: columns are selected by
// name; headers, alignment and units come from the description.
//
//   ReportColumns<WalSegment> table(terminal, api::WalSegmentFields());
//   table.Show("name", "log").Show("size").Show("live").Show("notes", Align::kLeft, NotesOf);
//   console.out().Write(table.Of(report.segments).Render());
//
// For streamed reports, rows are added as they arrive: NewTable() and Row(). With ShowData(),
// Names() and Row() are the columns and rows of csv (json_rows.h), where these are not simply all
// members of a report.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output/text_table.h"
#include "webview/api/schema/fields.h"

namespace varve::cli {

// A member of a report as shown to people: 12.3 MiB, 1,234, 0.75, 17 ms, "11-23 14:05:00" (UTC),
// plain digits for identifiers, a star for a set flag, bytes with escapes.
class MemberText {
 public:
  enum class Form : uint8_t {
    kRounded,
    kExact,       // All digits of a size or a count.
    kUnlessZero,  // Empty for 0.
    kData,        // For programs: the value as in JSON.
  };

  // `name` is that of a field, or "handle.offset": of a field of an object. The field must exist
  // and be neither a structure nor, as kData, bytes. `width` is the maximum width of a field of
  // bytes, in columns; other fields ignore it.
  MemberText(const api::FieldList& fields, std::string_view name, Form form, size_t width = 0);

  std::string Header() const;  // The name of the field.
  TextTable::Align align() const;
  std::string Of(const void* report) const;  // Empty: the report has no such member.

 private:
  const api::Field& field() const { return *path_.back(); }
  std::string TextOf(const api::Json& value) const;

  std::vector<const api::Field*> path_;
  Form form_;
  size_t width_;
};

// `fields` must outlive it.
template <typename T>
class ReportColumns {
 public:
  using Align = TextTable::Align;
  using Form = MemberText::Form;

  ReportColumns(const Terminal& terminal, const api::Fields<T>& fields)
      : terminal_(terminal), fields_(fields) {}

  // The member of this name (see MemberText). Without a header: its name.
  ReportColumns& Show(std::string_view name, std::string_view header = {}) {
    return Add(MemberText(fields_, name, Form::kRounded), header);
  }
  ReportColumns& ShowExact(std::string_view name, std::string_view header = {}) {
    return Add(MemberText(fields_, name, Form::kExact), header);
  }
  ReportColumns& ShowUnlessZero(std::string_view name, std::string_view header = {}) {
    return Add(MemberText(fields_, name, Form::kUnlessZero), header);
  }
  ReportColumns& ShowBytes(std::string_view name, size_t width, std::string_view header = {}) {
    return Add(MemberText(fields_, name, Form::kRounded, width), header);
  }
  ReportColumns& ShowData(std::string_view name, std::string_view header = {}) {
    return Add(MemberText(fields_, name, Form::kData), header.empty() ? name : header);
  }
  // A column computed by a function.
  ReportColumns& Show(std::string header, Align align, std::function<std::string(const T&)> cell) {
    columns_.push_back({std::move(header), align});
    cells_.push_back(std::move(cell));
    return *this;
  }
  // Truncates the last column for a terminal.
  ReportColumns& Cut(size_t width) {
    cells_.back() = [this_column = std::move(cells_.back()), terminal = terminal_, width](
                        const T& report) { return FitCell(terminal, this_column(report), width); };
    return *this;
  }

  template <typename Reports>
  TextTable Of(const Reports& reports) const {
    TextTable table = NewTable();
    for (const T& report : reports) table.Add(Row(report));
    return table;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const TextTable::Column& column : columns_) names.push_back(column.header);
    return names;
  }
  TextTable NewTable() const { return TextTable(terminal_, columns_); }
  std::vector<std::string> Row(const T& report) const {
    std::vector<std::string> row;
    for (const auto& cell : cells_) row.push_back(cell(report));
    return row;
  }
  // Rows without a line of headers above them.
  ReportColumns& WithoutHeaders() {
    for (TextTable::Column& column : columns_) column.header.clear();
    return *this;
  }

 private:
  ReportColumns& Add(const MemberText& member, std::string_view header) {
    return Show(header.empty() ? member.Header() : std::string(header), member.align(),
                [member](const T& report) { return member.Of(&report); });
  }

  const Terminal terminal_;
  const api::Fields<T>& fields_;
  std::vector<TextTable::Column> columns_;
  std::vector<std::function<std::string(const T&)>> cells_;
};

}  // namespace varve::cli
