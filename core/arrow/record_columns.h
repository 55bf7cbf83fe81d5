// SPDX-License-Identifier: Apache-2.0
// Records as the columns of a record batch.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arrow/column.h"
#include "core/arrow/part.h"
#include "core/arrow/record_shape.h"
#include "varve/status.h"

namespace varve::arrow {

// Records that make one batch. One thread.
class RecordColumns {
 public:
  // `shape` must outlive it.
  explicit RecordColumns(const RecordShape& shape);

  // InvalidArgument, and nothing was appended: the key or the value does not fit the shape. The
  // message names the record and the byte.
  Status Append(std::string_view key, std::string_view value) {
    if (!shape_->key.empty() || !shape_->value.empty()) return AppendParts(key, value);
    columns_[0].AppendBytes(key);
    if (shape_->has_values) columns_[1].AppendBytes(value);
    Count(key, value);
    return Status::Ok();
  }
  // Keeps the memory, for the next batch.
  void Clear();
  // No more should be appended: batches are to stay in the caches of a processor.
  bool full() const { return rows_ >= kMaxRows || bytes_ >= kMaxBytes; }
  size_t rows() const { return rows_; }
  // Those of shape.Fields().
  const std::vector<Column>& columns() const { return columns_; }
  std::vector<Column> TakeColumns() && { return std::move(columns_); }

 private:
  static constexpr size_t kMaxRows = 64 << 10;
  static constexpr size_t kMaxBytes = 2 << 20;  // The last record may go beyond.

  void Count(std::string_view key, std::string_view value) {
    ++rows_;
    bytes_ += key.size() + (shape_->has_values ? value.size() : 0);
  }
  Status AppendParts(std::string_view key, std::string_view value);
  void AppendCells(size_t first_column, std::string_view whole, const PartReader& parts,
                   size_t columns, bool fits);

  const RecordShape* shape_;
  std::vector<Column> columns_;
  PartReader key_, value_;
  size_t rows_ = 0, bytes_ = 0;
};

}  // namespace varve::arrow
