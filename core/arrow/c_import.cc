// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/c_import.h"

#include <cstring>
#include <optional>

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

Status BytesColumn::Wrong(std::string_view what) const {
  return Status::InvalidArgument("column \"" + EscapeForDisplay(name_) +
                                 "\": " + std::string(what));
}

Result<BytesColumn> BytesColumn::Find(const ArrowSchema& table, std::string_view name) {
  BytesColumn found;
  found.name_ = std::string(name);
  if (std::string_view(table.format) != "+s") {
    return Status::InvalidArgument("a table is needed, not a single column");
  }
  const ArrowSchema* column = nullptr;
  for (int64_t i = 0; i < table.n_children; ++i) {
    const ArrowSchema& child = *table.children[i];
    if (child.name == nullptr || name != child.name) continue;
    if (column != nullptr) return found.Wrong("there is more than one");
    column = &child;
    found.index_ = i;
  }
  if (column == nullptr) return found.Wrong("there is none");
  RETURN_IF_ERROR(found.SetType(*column));
  return found;
}

Status BytesColumn::SetType(const ArrowSchema& column) {
  const std::string_view format = column.format;
  if (column.dictionary != nullptr) return Wrong("it has a dictionary; cast it to binary");
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
    return Wrong("its type \"" + EscapeForDisplay(format) +
                 "\" is none of bytes or strings; cast it to binary");
  }
  return Status::Ok();
}

Status BytesColumn::Begin(const ArrowArray& batch) {
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
  const int64_t buffers = layout_ == Layout::kFixed ? 2 : 3;
  const bool fits =
      layout_ == Layout::kViews ? column_->n_buffers >= buffers : column_->n_buffers == buffers;
  if (!fits || (batch.length > 0 && column_->buffers[1] == nullptr)) {
    return Wrong("its buffers are not those of its type");
  }
  first_ = column_->offset + batch.offset;
  limit_ = INT64_MAX;
  RETURN_IF_ERROR(CheckNoNulls(batch, batch.offset, batch.length));
  return CheckNoNulls(*column_, first_, batch.length);
}

Status BytesColumn::CheckNoNulls(const ArrowArray& nulls, int64_t begin, int64_t rows) const {
  const void* const valid = nulls.n_buffers > 0 ? nulls.buffers[0] : nullptr;
  if (nulls.null_count == 0 || valid == nullptr) return Status::Ok();
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t bit = begin + row;
    if ((Load<uint8_t>(valid, bit / 8) >> (bit % 8) & 1) == 0) {
      return Wrong("row " + std::to_string(row) + " of a batch is null");
    }
  }
  return Status::Ok();
}

Result<std::string_view> BytesColumn::Row(int64_t row) const {
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
    }
    return std::string_view(static_cast<const char*>(column_->buffers[1]) + place * width_,
                            static_cast<size_t>(width_));
  }();
  if (!bytes.ok()) {
    return Wrong("row " + std::to_string(row) +
                 " of a batch: " + std::string(bytes.status().message()));
  }
  return bytes;
}

// A view has 16 bytes: the size, and up to 12 bytes themselves, or their beginning, buffer and
// offset.
Result<std::string_view> BytesColumn::View(int64_t place) const {
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
