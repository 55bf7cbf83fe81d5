// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/column.h"

#include <bit>
#include <cstring>

#include "core/base/check.h"

namespace varve::arrow {

static_assert(std::endian::native == std::endian::little, "numbers are stored as they are");

std::string ColumnType::format() const {
  const auto of_width = [this](std::string_view one_two_four_eight) {
    const auto index = static_cast<size_t>(std::countr_zero(width));
    CHECK_OP(index, <, one_two_four_eight.size(), "numbers have 1, 2, 4 or 8 bytes");
    return std::string(1, one_two_four_eight[index]);
  };
  switch (kind) {
    case Kind::kBytes:
      return "Z";
    case Kind::kText:
      return "U";
    case Kind::kFixed:
      return "w:" + std::to_string(width);
    case Kind::kUnsigned:
      return of_width("CSIL");
    case Kind::kSigned:
      return of_width("csil");
    case Kind::kFloat:
      return of_width("?efg");
    case Kind::kBool:
      break;
  }
  return "b";
}

void Column::SetBit(std::string* bits, size_t index, bool value) {
  if (index / 8 >= bits->size()) bits->resize(index / 8 + 1);
  char& byte = (*bits)[index / 8];
  const auto bit = static_cast<char>(1 << (index % 8));
  byte = static_cast<char>(value ? byte | bit : byte & ~bit);
}

void Column::Append(const Cell& cell) {
  if (cell.is_null && nulls_++ == 0) {
    for (size_t row = 0; row < rows_; ++row) SetBit(&valid_, row, true);
  }
  if (nulls_ > 0) SetBit(&valid_, rows_, !cell.is_null);
  if (type_.has_offsets()) {
    data_.append(cell.bytes);
    offsets_.push_back(static_cast<int64_t>(data_.size()));
  } else if (type_.kind == ColumnType::Kind::kBool) {
    SetBit(&data_, rows_, cell.number != 0);
  } else if (type_.kind == ColumnType::Kind::kFixed && !cell.is_null) {
    CHECK_OP(cell.bytes.size(), ==, type_.width);
    data_.append(cell.bytes);
  } else {
    CHECK(cell.is_null || type_.width <= sizeof(cell.number));
    const size_t begin = data_.size();
    data_.resize(begin + type_.width);  // With zeros, if it is null.
    if (!cell.is_null) std::memcpy(data_.data() + begin, &cell.number, type_.width);
  }
  ++rows_;
}

void Column::Clear() {
  offsets_.resize(1);
  data_.clear();
  valid_.clear();
  rows_ = nulls_ = 0;
}

std::array<std::string_view, Column::kMaxBuffers> Column::buffers() const {
  CHECK_OP(nulls_, <=, rows_);
  CHECK(!type_.has_offsets() || offsets_.size() == rows_ + 1,
        "each row has a beginning and an end");
  const std::string_view valid = nulls_ > 0 ? std::string_view(valid_) : std::string_view();
  if (!type_.has_offsets()) return {valid, data_, {}};
  const std::string_view offsets(reinterpret_cast<const char*>(offsets_.data()),
                                 offsets_.size() * sizeof(int64_t));
  return {valid, offsets, data_};
}

}  // namespace varve::arrow
