// SPDX-License-Identifier: Apache-2.0
// Reads columns that another program gives through Arrow's C data interface.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/arrow/c_data.h"
#include "core/arrow/column.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve::arrow {

// A column of a table, a batch at a time, that is read as one of our types:
//   bytes, text, fixed   from binary, large_binary, binary_view, string, large_string, string_view
//                        or fixed_size_binary; the size of a row is not compared
//   integers             from integers of any size, if the number fits
//   floats               from float, for a double also
//   bool                 from bool
// What C promises of pointers is not checked: that they lead to as much as the lengths say.
class InputColumn {
 public:
  // The column of that name. InvalidArgument if there is none, or more than one, or its type is
  // another.
  static Result<InputColumn> Find(const ArrowSchema& table, const ColumnField& wanted);

  // Goes to a batch, which must outlive its use. InvalidArgument if it does not have the shape that
  // the schema says, or has a null that the wanted field has not.
  Status Begin(const ArrowArray& batch);
  // Offsets beyond `bytes` are errors in this batch: where the size of the last buffer is known.
  void Limit(int64_t bytes) { limit_ = bytes; }
  size_t index() const { return static_cast<size_t>(index_); }  // Among the columns of the table.
  const std::string& name() const { return wanted_.name; }
  // A row of the batch, counted from 0, not null. Only of bytes, text and fixed. InvalidArgument
  // for offsets that do not ascend.
  Result<std::string_view> Row(int64_t row) const;
  // The same of all types. InvalidArgument for a number that does not fit, too.
  Result<Cell> At(int64_t row) const;
  // An error of a row, with its place.
  Status WrongRow(int64_t row, std::string_view what) const;

 private:
  enum class Layout : uint8_t { kOffsets32, kOffsets64, kViews, kFixed, kNumbers, kBits };

  InputColumn() = default;
  Status SetType(const ArrowSchema& column);
  bool SetNumbers(std::string_view format);
  Status CheckNulls(const ArrowArray& nulls, int64_t begin, int64_t rows) const;
  bool IsNull(int64_t place) const;
  Result<std::string_view> View(int64_t place) const;
  Result<uint64_t> Number(int64_t place) const;
  Status Wrong(std::string_view what) const;

  ColumnField wanted_;
  int64_t index_ = 0;
  Layout layout_ = Layout::kOffsets32;
  int64_t width_ = 0;                                       // Of kFixed and kNumbers.
  ColumnType::Kind numbers_ = ColumnType::Kind::kUnsigned;  // What those are.
  const ArrowArray* column_ = nullptr;
  int64_t first_ = 0;  // Where row 0 is in the buffers.
  int64_t limit_ = INT64_MAX;
};

}  // namespace varve::arrow
