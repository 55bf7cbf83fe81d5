// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/record_columns.h"

#include <optional>
#include <string>

#include "core/base/check.h"
#include "core/base/text/abbreviate.h"

namespace varve::arrow {
namespace {

Status Unfit(std::string_view what, std::string_view bytes, const Mismatch& mismatch) {
  return Status::InvalidArgument(std::string(what) + " \"" + AbbreviateForDisplay(bytes) +
                                 "\" at byte " + std::to_string(mismatch.offset) + ": " +
                                 mismatch.why);
}

}  // namespace

RecordColumns::RecordColumns(const RecordShape& shape)
    : shape_(&shape), key_(shape.key), value_(shape.value) {
  for (const ColumnField& field : shape.Fields()) columns_.emplace_back(field.type);
}

void RecordColumns::Clear() {
  for (Column& column : columns_) column.Clear();
  rows_ = bytes_ = 0;
}

Status RecordColumns::AppendParts(std::string_view key, std::string_view value) {
  std::optional<Mismatch> of_key, of_value;
  if (!shape_->key.empty()) of_key = key_.Split(key);
  if (shape_->has_values && !shape_->value.empty()) of_value = value_.Split(value);
  if (of_key && !shape_->null_if_unfit) return Unfit("key", key, *of_key);
  if (of_value && !shape_->null_if_unfit) {
    return Unfit("value", value, *of_value).At("key \"" + AbbreviateForDisplay(key) + "\"");
  }
  AppendCells(0, key, key_, shape_->key.size(), !of_key);
  if (shape_->has_values) {
    AppendCells(shape_->key_columns(), value, value_, shape_->value.size(), !of_value);
  }
  Count(key, value);
  return Status::Ok();
}

void RecordColumns::AppendCells(size_t first_column, std::string_view whole,
                                const PartReader& parts, size_t columns, bool fits) {
  CHECK_OP(first_column + columns, <=, columns_.size());
  if (columns == 0) return columns_[first_column].AppendBytes(whole);
  CHECK_OP(parts.cells().size(), ==, columns);
  for (size_t i = 0; i < columns; ++i) {
    columns_[first_column + i].Append(fits ? parts.cells()[i] : Cell{.is_null = true});
  }
}

}  // namespace varve::arrow
