// SPDX-License-Identifier: Apache-2.0
// Reads bytes from columns that another program gives through Arrow's C data interface.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/arrow/c_data.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve::arrow {

// A column of a table, a batch at a time. Its type may be binary, large_binary, binary_view,
// string, large_string, string_view or fixed_size_binary. What C promises of pointers is not
// checked: that they lead to as much as the lengths say.
class BytesColumn {
 public:
  // The column of that name. InvalidArgument if there is none, or more than one, or its type is
  // another.
  static Result<BytesColumn> Find(const ArrowSchema& table, std::string_view name);

  // Goes to a batch, which must outlive its use. InvalidArgument if it does not have the shape that
  // the schema says, or has a null.
  Status Begin(const ArrowArray& batch);
  // Offsets beyond `bytes` are errors in this batch: where the size of the last buffer is known.
  void Limit(int64_t bytes) { limit_ = bytes; }
  size_t index() const { return static_cast<size_t>(index_); }  // Among the columns of the table.
  // Of a row of the batch, counted from 0. InvalidArgument for offsets that do not ascend.
  Result<std::string_view> Row(int64_t row) const;

 private:
  enum class Layout : uint8_t { kOffsets32, kOffsets64, kViews, kFixed };

  BytesColumn() = default;
  Status SetType(const ArrowSchema& column);
  Status CheckNoNulls(const ArrowArray& nulls, int64_t begin, int64_t rows) const;
  Result<std::string_view> View(int64_t place) const;
  Status Wrong(std::string_view what) const;

  std::string name_;
  int64_t index_ = 0;
  Layout layout_ = Layout::kOffsets32;
  int64_t width_ = 0;  // With kFixed.
  const ArrowArray* column_ = nullptr;
  int64_t first_ = 0;  // Where row 0 is in the buffers.
  int64_t limit_ = INT64_MAX;
};

}  // namespace varve::arrow
