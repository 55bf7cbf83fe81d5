// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/c_import.h"

#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve::arrow {
namespace {

// Element `index` of a buffer.
template <typename T>
T Load(const void* buffer, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + index * static_cast<int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

using Kind = ColumnType::Kind;

bool BitAt(const void* bits, int64_t index) {
  return (Load<uint8_t>(bits, index / 8) >> (index % 8) & 1) != 0;
}

// For people; a format that has no name here is itself.
std::string TypeName(std::string_view format) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"c", "int8"},         {"C", "uint8"},       {"s", "int16"},  {"S", "uint16"},
      {"i", "int32"},        {"I", "uint32"},      {"l", "int64"},  {"L", "uint64"},
      {"e", "halffloat"},    {"f", "float"},       {"g", "double"}, {"b", "bool"},
      {"z", "binary"},       {"Z", "binary"},      {"u", "string"}, {"U", "string"},
      {"vz", "binary_view"}, {"vu", "string_view"}};
  for (const auto& [row, name] : kNames) {
    if (row == format) return std::string(name);
  }
  return std::string(format.starts_with("w:") ? "binary" : format);
}

template <typename Offset>
Result<std::string_view> Between(const ArrowArray& column, int64_t place, int64_t limit) {
  const auto begin = Load<Offset>(column.buffers[1], place);
  const auto end = Load<Offset>(column.buffers[1], place + 1);
  if (begin < 0 || end < begin) return Status::InvalidArgument("its offsets do not ascend");
  if (end > limit) return Status::InvalidArgument("it ends behind its buffer");
  if (begin == end) return std::string_view();  // The buffer may be null.
  return std::string_view(static_cast<const char*>(column.buffers[2]) + begin,
                          static_cast<size_t>(end - begin));
}

}  // namespace

Status InputColumn::Wrong(std::string_view what) const {
  return Status::InvalidArgument("column \"" + EscapeForDisplay(wanted_.name) +
                                 "\": " + std::string(what));
}

Status InputColumn::WrongRow(int64_t row, std::string_view what) const {
  return Wrong("row " + std::to_string(row) + " of a batch: " + std::string(what));
}

Result<InputColumn> InputColumn::Find(const ArrowSchema& table, const ColumnField& wanted) {
  InputColumn found;
  found.wanted_ = wanted;
  if (std::string_view(table.format) != "+s") {
    return Status::InvalidArgument("a table is needed, not a single column");
  }
  const ArrowSchema* column = nullptr;
  for (int64_t i = 0; i < table.n_children; ++i) {
    const ArrowSchema& child = *table.children[i];
    if (child.name == nullptr || wanted.name != child.name) continue;
    if (column != nullptr) return found.Wrong("there is more than one");
    column = &child;
    found.index_ = i;
  }
  if (column == nullptr) return found.Wrong("there is none");
  RETURN_IF_ERROR(found.SetType(*column));
  return found;
}

bool InputColumn::SetNumbers(std::string_view format) {
  constexpr struct {
    char format;
    Kind kind;
    int64_t width;
  } kRows[] = {{'C', Kind::kUnsigned, 1}, {'S', Kind::kUnsigned, 2}, {'I', Kind::kUnsigned, 4},
               {'L', Kind::kUnsigned, 8}, {'c', Kind::kSigned, 1},   {'s', Kind::kSigned, 2},
               {'i', Kind::kSigned, 4},   {'l', Kind::kSigned, 8},   {'f', Kind::kFloat, 4},
               {'g', Kind::kFloat, 8}};
  for (const auto& row : kRows) {
    if (format != std::string_view(&row.format, 1)) continue;
    layout_ = Layout::kNumbers;
    width_ = row.width;
    numbers_ = row.kind;
    return true;
  }
  return false;
}

Status InputColumn::SetType(const ArrowSchema& column) {
  const std::string_view format = column.format;
  if (column.dictionary != nullptr) {
    return Wrong("it has a dictionary; cast it to " + TypeName(wanted_.type.format()));
  }
  const auto other = [&](std::string_view needed) {
    return Wrong("its type \"" + EscapeForDisplay(TypeName(format)) + "\" is " +
                 std::string(needed) + "; cast it to " + TypeName(wanted_.type.format()));
  };
  switch (wanted_.type.kind) {
    case Kind::kUnsigned:
    case Kind::kSigned:
      return SetNumbers(format) && numbers_ != Kind::kFloat ? Status::Ok() : other("no integer");
    case Kind::kFloat:
      return SetNumbers(format) && numbers_ == Kind::kFloat && width_ <= wanted_.type.width
                 ? Status::Ok()
                 : other("not that");
    case Kind::kBool:
      layout_ = Layout::kBits;
      return format == "b" ? Status::Ok() : other("not that");
    case Kind::kBytes:
    case Kind::kText:
    case Kind::kFixed:
      break;
  }
  if (format == "z" || format == "u") {
    layout_ = Layout::kOffsets32;
  } else if (format == "Z" || format == "U") {
    layout_ = Layout::kOffsets64;
  } else if (format == "vz" || format == "vu") {
    layout_ = Layout::kViews;
  } else if (format.starts_with("w:")) {
    layout_ = Layout::kFixed;
    const std::optional<uint64_t> width = ParseDecimal(format.substr(2));
    if (!width || *width > INT32_MAX) return Wrong("its type has a wrong width");
    width_ = static_cast<int64_t>(*width);
  } else {
    return other("none of bytes or strings");
  }
  return Status::Ok();
}

Status InputColumn::Begin(const ArrowArray& batch) {
  constexpr int64_t kMaxRows = INT64_MAX / 64;  // Places of buffers can be computed.
  const auto sane = [](const ArrowArray& array) {
    return array.length >= 0 && array.length < kMaxRows && array.offset >= 0 &&
           array.offset < kMaxRows;
  };
  if (!sane(batch) || batch.n_children <= index_) return Wrong("a batch does not have it");
  column_ = batch.children[index_];
  if (!sane(*column_) || column_->length < batch.offset + batch.length) {
    return Wrong("it is shorter than its batch");
  }
  const bool has_offsets = layout_ == Layout::kOffsets32 || layout_ == Layout::kOffsets64;
  const int64_t buffers = has_offsets || layout_ == Layout::kViews ? 3 : 2;
  const bool fits =
      layout_ == Layout::kViews ? column_->n_buffers >= buffers : column_->n_buffers == buffers;
  if (!fits || (batch.length > 0 && column_->buffers[1] == nullptr)) {
    return Wrong("its buffers are not those of its type");
  }
  first_ = column_->offset + batch.offset;
  limit_ = INT64_MAX;
  RETURN_IF_ERROR(CheckNulls(batch, batch.offset, batch.length));
  return wanted_.nullable ? Status::Ok() : CheckNulls(*column_, first_, batch.length);
}

Status InputColumn::CheckNulls(const ArrowArray& nulls, int64_t begin, int64_t rows) const {
  const void* const valid = nulls.n_buffers > 0 ? nulls.buffers[0] : nullptr;
  if (nulls.null_count == 0 || valid == nullptr) return Status::Ok();
  for (int64_t row = 0; row < rows; ++row) {
    if (!BitAt(valid, begin + row)) {
      return Wrong("row " + std::to_string(row) + " of a batch is null");
    }
  }
  return Status::Ok();
}

bool InputColumn::IsNull(int64_t place) const {
  CHECK(column_ != nullptr, "Begin() goes to a batch");
  const void* const valid = column_->buffers[0];
  return column_->null_count != 0 && valid != nullptr && !BitAt(valid, place);
}

Result<std::string_view> InputColumn::Row(int64_t row) const {
  CHECK(column_ != nullptr, "Begin() goes to a batch");
  const int64_t place = first_ + row;
  const Result<std::string_view> bytes = [&]() -> Result<std::string_view> {
    switch (layout_) {
      case Layout::kOffsets32:
        return Between<int32_t>(*column_, place, limit_);
      case Layout::kOffsets64:
        return Between<int64_t>(*column_, place, limit_);
      case Layout::kViews:
        return View(place);
      case Layout::kFixed:
        break;
      case Layout::kNumbers:
      case Layout::kBits:
        CHECK(false, "the column was not asked for as bytes");
    }
    return std::string_view(static_cast<const char*>(column_->buffers[1]) + place * width_,
                            static_cast<size_t>(width_));
  }();
  if (!bytes.ok()) return WrongRow(row, bytes.status().message());
  return bytes;
}

Result<Cell> InputColumn::At(int64_t row) const {
  const int64_t place = first_ + row;
  if (wanted_.nullable && IsNull(place)) return Cell{.is_null = true};
  if (layout_ == Layout::kBits) return Cell{.number = BitAt(column_->buffers[1], place) ? 1u : 0u};
  if (layout_ == Layout::kNumbers) {
    const Result<uint64_t> number = Number(place);
    if (!number.ok()) return WrongRow(row, number.status().message());
    return Cell{.number = *number};
  }
  ASSIGN_OR_RETURN(const std::string_view bytes, Row(row));
  return Cell{.bytes = bytes};
}

// As the wanted type has it.
Result<uint64_t> InputColumn::Number(int64_t place) const {
  uint64_t bits = 0;
  CHECK(0 < width_ && width_ <= static_cast<int64_t>(sizeof(bits)));
  std::memcpy(&bits, static_cast<const char*>(column_->buffers[1]) + place * width_,
              static_cast<size_t>(width_));
  const ColumnType& type = wanted_.type;
  if (type.kind == Kind::kFloat) {
    if (width_ == type.width) return bits;
    return std::bit_cast<uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
  }
  const uint64_t sign = uint64_t{1} << (8 * width_ - 1);
  const bool negative = numbers_ == Kind::kSigned && (bits & sign) != 0;
  if (negative) bits = (bits ^ sign) - sign;
  const uint64_t positive_max =
      UINT64_MAX >> (64 - 8 * type.width + (type.kind == Kind::kSigned ? 1 : 0));
  const bool fits =
      negative ? type.kind == Kind::kSigned && ~bits <= positive_max : bits <= positive_max;
  if (fits) return bits;
  return Status::InvalidArgument(
      (negative ? std::to_string(static_cast<int64_t>(bits)) : std::to_string(bits)) +
      " does not fit " + TypeName(type.format()));
}

// A view has 16 bytes: the size, and up to 12 bytes themselves, or their beginning, buffer and
// offset.
Result<std::string_view> InputColumn::View(int64_t place) const {
  constexpr int64_t kViewSize = 16;
  constexpr int32_t kInlineMax = 12;
  const char* const view = static_cast<const char*>(column_->buffers[1]) + place * kViewSize;
  const auto size = Load<int32_t>(view, 0);
  if (size < 0) return Status::InvalidArgument("its size is negative");
  if (size <= kInlineMax) return std::string_view(view + 4, static_cast<size_t>(size));
  const int64_t others = column_->n_buffers - 3;  // Besides bits, views, and sizes of these.
  const auto buffer = Load<int32_t>(view, 2), offset = Load<int32_t>(view, 3);
  if (buffer < 0 || buffer >= others || offset < 0) {
    return Status::InvalidArgument("it is in a buffer that does not exist");
  }
  const auto end = int64_t{offset} + size;
  if (end > Load<int64_t>(column_->buffers[column_->n_buffers - 1], buffer)) {
    return Status::InvalidArgument("it ends behind its buffer");
  }
  return std::string_view(static_cast<const char*>(column_->buffers[2 + buffer]) + offset,
                          static_cast<size_t>(size));
}

}  // namespace varve::arrow
