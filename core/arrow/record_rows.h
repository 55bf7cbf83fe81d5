// SPDX-License-Identifier: Apache-2.0
// Keys and values from the rows of a table of another program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/arrow/c_data.h"
#include "core/arrow/c_import.h"
#include "core/arrow/record_shape.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve::arrow {

// One thread.
class RecordRows {
 public:
  // The columns of `shape` in the table. InvalidArgument as InputColumn::Find() gives it.
  static Result<RecordRows> Find(const ArrowSchema& table, RecordShape shape);

  // As InputColumn::Begin(), of all columns.
  Status Begin(const ArrowArray& batch);
  // limit(column) is what InputColumn::Limit() takes, of that column of the table.
  template <typename Of>
  void Limit(const Of& limit) {
    for (Source* source : {&key_, &value_}) {
      for (InputColumn& column : source->columns) column.Limit(limit(column.index()));
    }
  }
  // Of a row of the batch; valid until the next call. InvalidArgument names the column and the row.
  Result<std::string_view> Key(int64_t row) { return Bytes(&key_, shape_.key, row); }
  Result<std::string_view> Value(int64_t row) { return Bytes(&value_, shape_.value, row); }

 private:
  struct Source {
    std::vector<InputColumn> columns;
    std::string joined;  // From the parts of the last row.
  };

  explicit RecordRows(RecordShape shape) : shape_(std::move(shape)) {}
  static Result<std::string_view> Bytes(Source* source, const std::vector<Part>& parts,
                                        int64_t row);

  RecordShape shape_;
  Source key_, value_;
};

}  // namespace varve::arrow
