// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/record_rows.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"

namespace varve::arrow {

Result<RecordRows> RecordRows::Find(const ArrowSchema& table, RecordShape shape) {
  RecordRows rows(std::move(shape));
  const std::vector<ColumnField> fields = rows.shape_.Fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    ASSIGN_OR_RETURN(InputColumn column, InputColumn::Find(table, fields[i]));
    Source& source = i < rows.shape_.key_columns() ? rows.key_ : rows.value_;
    source.columns.push_back(std::move(column));
  }
  return rows;
}

Status RecordRows::Begin(const ArrowArray& batch) {
  for (Source* source : {&key_, &value_}) {
    for (InputColumn& column : source->columns) RETURN_IF_ERROR(column.Begin(batch));
  }
  return Status::Ok();
}

Result<std::string_view> RecordRows::Bytes(Source* source, const std::vector<Part>& parts,
                                           int64_t row) {
  CHECK_OP(source->columns.size(), ==, std::max<size_t>(parts.size(), 1));
  if (parts.empty()) return source->columns.front().Row(row);
  source->joined.clear();
  for (size_t i = 0; i < parts.size(); ++i) {
    const InputColumn& column = source->columns[i];
    ASSIGN_OR_RETURN(const Cell cell, column.At(row));
    const Status added = AppendPart(parts[i], cell, &source->joined);
    if (!added.ok()) return column.WrongRow(row, added.message());
  }
  return std::string_view(source->joined);
}

}  // namespace varve::arrow
