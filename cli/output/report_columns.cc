// SPDX-License-Identifier: Apache-2.0
#include "cli/output/report_columns.h"

#include <algorithm>
#include <ctime>

#include "cli/output/human_numbers.h"
#include "cli/output/json_rows.h"
#include "core/base/check.h"
#include "core/base/text/text.h"

namespace varve::cli {
namespace {

using api::FieldKind;
using api::Unit;

std::string ClockText(uint64_t unix_micros) {
  const auto seconds = static_cast<time_t>(unix_micros / 1000000);
  tm parts = {};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%m-%d %H:%M:%S", &parts);
  return text;
}

}  // namespace

MemberText::MemberText(const api::FieldList& fields, std::string_view name, Form form, size_t width)
    : form_(form), width_(width) {
  const api::FieldList* of = &fields;
  do {
    const size_t dot = std::min(name.find('.'), name.size());
    CHECK(of != nullptr);
    path_.push_back(&of->Named(name.substr(0, dot)));
    of = path_.back()->members;
    name.remove_prefix(std::min(dot + 1, name.size()));
  } while (!name.empty());
  CHECK(field().kind != FieldKind::kStructure && field().kind != FieldKind::kWholeBytes);
  CHECK((field().kind == FieldKind::kBytes) == (width > 0));
}

std::string MemberText::Header() const {
  std::string header = field().name;
  std::replace(header.begin(), header.end(), '_', ' ');
  return header;
}

TextTable::Align MemberText::align() const {
  const FieldKind kind = field().kind;
  const bool is_number =
      kind == FieldKind::kNumber || kind == FieldKind::kId || kind == FieldKind::kFraction;
  return is_number ? TextTable::Align::kRight : TextTable::Align::kLeft;
}

std::string MemberText::Of(const void* report) const {
  // A character takes up to four bytes, and what is cut needs to be seen to be.
  const api::RowContext context = {
      .style = {.form = api::BytesStyle::Form::kText, .length_max = 4 * width_ + 4}};
  api::Json value;
  if (!path_.front()->put(report, context, &value)) return "";
  for (size_t i = 1; i < path_.size(); i++) {
    const auto member = value.find(path_[i]->name);
    if (member == value.end()) return "";
    value = api::Json(*member);
  }
  if (form_ == Form::kData) return CellOf(value);
  if (value.is_null() || (form_ == Form::kUnlessZero && value == 0)) return "";
  return TextOf(value);
}

std::string MemberText::TextOf(const api::Json& value) const {
  switch (field().kind) {
    case FieldKind::kName:  // Has its escapes.
      return value.get<std::string>();
    case FieldKind::kFlag:
      return value.get<bool>() ? "*" : "";
    case FieldKind::kFraction:
      if (field().unit == Unit::kPerSecond) {
        return HumanCount(static_cast<uint64_t>(value.get<double>()));
      }
      return HumanRatio(value.get<double>());
    case FieldKind::kBytes:
      return Fit(value["text"].get<std::string>(), width_);
    case FieldKind::kNumber:
      if (form_ == Form::kExact) break;
      if (field().unit == Unit::kBytes) return HumanBytes(value.get<uint64_t>());
      if (field().unit == Unit::kCount) return HumanCount(value.get<uint64_t>());
      if (field().unit == Unit::kMicroseconds) {
        return HumanCount(value.get<uint64_t>() / 1000) + " ms";
      }
      if (field().unit == Unit::kUnixMicroseconds) return ClockText(value.get<uint64_t>());
      break;
    default:
      break;
  }
  return value.is_string() ? EscapeForDisplay(value.get<std::string>()) : value.dump();
}

}  // namespace varve::cli
