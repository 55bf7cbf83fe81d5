// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/flat_view.h"

#include "core/base/check.h"

namespace varve::arrow {
namespace {

template <typename T>
std::optional<T> Load(std::string_view bytes, size_t place) {
  if (place > bytes.size() || bytes.size() - place < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof(T));
  return value;
}

}  // namespace

std::optional<FlatTable> FlatTable::Root(std::string_view bytes) {
  const std::optional<size_t> place = Follow(bytes, 0);
  if (!place) return std::nullopt;
  return FlatTable(bytes, *place);
}

std::optional<size_t> FlatTable::Follow(std::string_view bytes, size_t place) {
  CHECK_OP(place, <=, bytes.size());
  const std::optional<uint32_t> offset = Load<uint32_t>(bytes, place);
  if (!offset || *offset >= bytes.size() - place) return std::nullopt;
  return place + *offset;
}

std::optional<size_t> FlatTable::Place(size_t field) const {
  const std::optional<int32_t> back = Load<int32_t>(bytes_, place_);
  if (!back) return std::nullopt;
  const int64_t vtable = static_cast<int64_t>(place_) - *back;
  if (vtable < 0) return std::nullopt;
  const auto at = static_cast<size_t>(vtable);
  constexpr size_t kSizes = 2;  // Before the members: of the vtable and of the table.
  const size_t entry = (kSizes + field) * sizeof(uint16_t);
  const std::optional<uint16_t> size = Load<uint16_t>(bytes_, at);
  if (!size || entry + sizeof(uint16_t) > *size) return std::nullopt;
  const std::optional<uint16_t> offset = Load<uint16_t>(bytes_, at + entry);
  if (!offset || *offset == 0 || *offset >= bytes_.size() - place_) return std::nullopt;
  return place_ + *offset;
}

std::optional<FlatTable> FlatTable::Table(size_t field) const {
  const std::optional<size_t> place = Place(field);
  const std::optional<size_t> target = place ? Follow(bytes_, *place) : std::nullopt;
  if (!target) return std::nullopt;
  return FlatTable(bytes_, *target);
}

std::optional<FlatVector> FlatTable::Vector(size_t field, size_t element_size) const {
  CHECK_OP(element_size, >, 0);
  const std::optional<size_t> place = Place(field);
  const std::optional<size_t> target = place ? Follow(bytes_, *place) : std::nullopt;
  const std::optional<uint32_t> count = target ? Load<uint32_t>(bytes_, *target) : std::nullopt;
  if (!count) return std::nullopt;
  const size_t begin = *target + sizeof(uint32_t);
  if (*count > (bytes_.size() - begin) / element_size) return std::nullopt;
  return FlatVector{.bytes = bytes_, .begin = begin, .count = *count};
}

std::optional<std::string_view> FlatTable::Text(size_t field) const {
  const std::optional<FlatVector> text = Vector(field, 1);
  if (!text) return std::nullopt;
  return bytes_.substr(text->begin, text->count);
}

std::optional<FlatTable> FlatTable::At(const FlatVector& tables, size_t index) {
  if (index >= tables.count) return std::nullopt;
  const std::optional<size_t> place = Follow(tables.bytes, tables.begin + index * sizeof(uint32_t));
  if (!place) return std::nullopt;
  return FlatTable(tables.bytes, *place);
}

}  // namespace varve::arrow
