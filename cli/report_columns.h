// SPDX-License-Identifier: Apache-2.0
// Tables on a terminal of types described in webview/api/schema/fields.h: columns are selected by
// name; headers, alignment and units come from the description.
//
//   ReportColumns<WalSegment> table(terminal, api::WalSegmentFields());
//   table.Show("name", "log").Show("size").Show("live").Show("notes", Align::kLeft, NotesOf);
//   console.out().Write(table.Of(report.segments).Render());
//
// For streamed reports, rows are added as they arrive: NewTable() and Row().
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/text_table.h"
#include "core/base/check.h"
#include "webview/api/schema/fields.h"

namespace varve::cli {

// A member as shown to people: 12.3 MiB, 1,234, plain digits for identifiers, and the field's name
// for a set flag.
struct MemberText {
  std::string name;
  api::FieldKind kind;
  api::Unit unit;

  bool is_number() const;
  std::string Of(const api::Json& value) const;
};

template <typename T>
class ReportColumns {
 public:
  using Align = TextTable::Align;

  // `fields` must outlive this.
  ReportColumns(const Terminal& terminal, const api::Fields<T>& fields)
      : terminal_(terminal), fields_(fields) {}

  // Shows the field of this name, which must exist and be neither a structure nor bytes (keys are
  // truncated by the table itself). Without a header: its name.
  ReportColumns& Show(std::string_view name, std::string_view header = {}) {
    const auto& field = FieldOf(name);
    return Show(field, header, field.unit);
  }
  // The same with all digits of a size or count.
  ReportColumns& ShowExact(std::string_view name, std::string_view header = {}) {
    return Show(FieldOf(name), header, api::Unit::kNone);
  }
  // A column computed by a function.
  ReportColumns& Show(std::string header, Align align, std::function<std::string(const T&)> cell) {
    columns_.push_back({std::move(header), align});
    cells_.push_back(std::move(cell));
    return *this;
  }

  template <typename Reports>
  TextTable Of(const Reports& reports) const {
    TextTable table = NewTable();
    for (const T& report : reports) table.Add(Row(report));
    return table;
  }
  TextTable NewTable() const { return TextTable(terminal_, columns_); }
  std::vector<std::string> Row(const T& report) const {
    std::vector<std::string> row;
    for (const auto& cell : cells_) row.push_back(cell(report));
    return row;
  }

 private:
  const api::Field& FieldOf(std::string_view name) const {
    const auto& all = fields_.fields();
    const auto field =
        std::find_if(all.begin(), all.end(), [&](const api::Field& f) { return f.name == name; });
    CHECK(field != all.end());
    CHECK(field->kind != api::FieldKind::kBytes && field->kind != api::FieldKind::kStructure);
    return *field;
  }
  ReportColumns& Show(const api::Field& field, std::string_view header, api::Unit unit) {
    const MemberText text{field.name, field.kind, unit};
    return Show(header.empty() ? WithBlanks(field.name) : std::string(header),
                text.is_number() ? Align::kRight : Align::kLeft,
                [text, put = field.put](const T& report) {
                  api::Json value;
                  return put(&report, {}, &value) ? text.Of(value) : std::string();
                });
  }
  static std::string WithBlanks(std::string_view name) {
    std::string header(name);
    std::replace(header.begin(), header.end(), '_', ' ');
    return header;
  }

  const Terminal terminal_;
  const api::Fields<T>& fields_;
  std::vector<TextTable::Column> columns_;
  std::vector<std::function<std::string(const T&)>> cells_;
};

}  // namespace varve::cli
