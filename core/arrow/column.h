// SPDX-License-Identifier: Apache-2.0
// A column of a record batch as Arrow lays it out in memory: which rows are null, where each row
// begins, and the bytes. Offsets have 64 bits, because a single value may have almost 4 GiB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"

namespace varve::arrow {

// One of Arrow's types.
struct ColumnType {
  enum class Kind : uint8_t { kBytes, kText, kFixed, kUnsigned, kSigned, kFloat, kBool };
  Kind kind = Kind::kBytes;
  uint32_t width = 0;  // In bytes: of kFixed and of numbers.

  bool operator==(const ColumnType&) const = default;
  bool has_offsets() const { return kind == Kind::kBytes || kind == Kind::kText; }
  // As the C data interface spells it: "Z" is large_binary.
  std::string format() const;
};

// What a schema says of a column.
struct ColumnField {
  std::string name;
  ColumnType type = {};
  bool nullable = false;

  bool operator==(const ColumnField&) const = default;
};

// A row of a column.
struct Cell {
  bool is_null = false;
  // Of a number or a truth value: two's complement for kSigned, the bits of the float for kFloat.
  uint64_t number = 0;
  std::string_view bytes = {};  // Of all others.
};

class Column {
 public:
  explicit Column(ColumnType type) : type_(type) {}

  void Append(const Cell& cell);
  // Only of types that have offsets.
  void AppendBytes(std::string_view bytes) {
    DCHECK(type_.has_offsets());
    data_.append(bytes);
    offsets_.push_back(static_cast<int64_t>(data_.size()));
    if (nulls_ > 0) SetBit(&valid_, rows_, true);
    ++rows_;
  }
  // Keeps the memory, for the next batch.
  void Clear();

  size_t rows() const { return rows_; }
  size_t nulls() const { return nulls_; }
  size_t data_bytes() const { return data_.size(); }
  // The buffers in Arrow's order, of which buffer_count() are used. The first is empty if there are
  // no nulls.
  static constexpr size_t kMaxBuffers = 3;
  size_t buffer_count() const { return type_.has_offsets() ? 3 : 2; }
  std::array<std::string_view, kMaxBuffers> buffers() const;

 private:
  static void SetBit(std::string* bits, size_t index, bool value);

  ColumnType type_;
  std::vector<int64_t> offsets_ = {0};
  std::string data_, valid_;
  size_t rows_ = 0, nulls_ = 0;
};

}  // namespace varve::arrow
