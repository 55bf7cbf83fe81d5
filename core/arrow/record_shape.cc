// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/record_shape.h"

#include <set>

#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve::arrow {

std::vector<ColumnField> RecordShape::Fields() const {
  std::vector<ColumnField> fields;
  const auto add = [&](const std::vector<Part>& parts, const std::string& whole) {
    if (parts.empty()) fields.push_back({.name = whole});
    for (const Part& part : parts) {
      fields.push_back(part.column);
      fields.back().nullable |= null_if_unfit;
    }
  };
  add(key, key_name);
  if (has_values) add(value, value_name);
  return fields;
}

Result<RecordShape> MakeRecordShape(std::string_view key_schema, std::string_view value_schema) {
  RecordShape shape;
  ASSIGN_OR_RETURN(shape.key, ParseParts(key_schema));
  ASSIGN_OR_RETURN(shape.value, ParseParts(value_schema));
  std::set<std::string> names;
  for (const ColumnField& field : shape.Fields()) {
    if (names.insert(field.name).second) continue;
    return Status::InvalidArgument("two columns are called \"" + EscapeForDisplay(field.name) +
                                   "\": give one another name in its schema");
  }
  return shape;
}

}  // namespace varve::arrow
