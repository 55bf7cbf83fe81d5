// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/flat_buffer.h"

#include <cstring>
#include <utility>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"

namespace varve::arrow {
namespace {

constexpr size_t kWord = 8;  // The largest alignment that occurs.
constexpr size_t kSizeOfCount = 4;

size_t RoundUp(size_t size, size_t to) { return (size + to - 1) / to * to; }

}  // namespace

void FlatBuffer::Align(size_t extra) {
  bytes_.resize(RoundUp(bytes_.size() + extra, kWord) - extra);
}

size_t FlatBuffer::Table(std::initializer_list<Field> fields) {
  // A table begins with how far before it its vtable is, which has both sizes, and where each
  // member is.
  std::vector<size_t> places;
  size_t size = sizeof(int32_t);
  for (const Field& field : fields) {
    if (field.size > 0) size = RoundUp(size, field.size);
    places.push_back(field.size > 0 ? size : 0);
    size += field.size;
  }
  const size_t vtable_size = sizeof(uint16_t) * (2 + fields.size());
  Align(vtable_size);
  const size_t vtable = bytes_.size();
  AppendFixed16(&bytes_, static_cast<uint16_t>(vtable_size));
  AppendFixed16(&bytes_, static_cast<uint16_t>(size));
  for (const size_t place : places) AppendFixed16(&bytes_, static_cast<uint16_t>(place));

  const size_t table = bytes_.size();
  AppendFixed32(&bytes_, static_cast<uint32_t>(table - vtable));
  bytes_.resize(table + size);
  for (size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields.begin()[i];
    std::memcpy(bytes_.data() + table + places[i], &field.value, field.size);
  }
  if (LoadFixed32(bytes_.data()) == 0) Store(0, table);
  return table;
}

size_t FlatBuffer::String(std::string_view text) {
  Align(0);
  const size_t place = bytes_.size();
  AppendFixed32(&bytes_, static_cast<uint32_t>(text.size()));
  bytes_.append(text).push_back('\0');
  return place;
}

size_t FlatBuffer::Offsets(size_t count) {
  Align(0);
  const size_t place = bytes_.size();
  AppendFixed32(&bytes_, static_cast<uint32_t>(count));
  bytes_.resize(bytes_.size() + count * sizeof(uint32_t));
  return place;
}

size_t FlatBuffer::Structs(std::span<const int64_t> words, size_t words_each) {
  Align(kSizeOfCount);
  const size_t place = bytes_.size();
  AppendFixed32(&bytes_, static_cast<uint32_t>(words.size() / words_each));
  for (const int64_t word : words) AppendFixed64(&bytes_, static_cast<uint64_t>(word));
  return place;
}

void FlatBuffer::Point(size_t table, size_t field, size_t target) {
  const size_t vtable = table - LoadFixed32(bytes_.data() + table);
  uint16_t place = 0;
  std::memcpy(&place, bytes_.data() + vtable + sizeof(uint16_t) * (2 + field), sizeof(place));
  CHECK_OP(place, >, 0, "the member is an Offset()");
  Store(table + place, target);
}

void FlatBuffer::PointElement(size_t vector, size_t index, size_t target) {
  CHECK_OP(index, <, LoadFixed32(bytes_.data() + vector), "it has that element");
  Store(vector + kSizeOfCount + index * sizeof(uint32_t), target);
}

void FlatBuffer::Store(size_t slot, size_t target) {
  CHECK_OP(slot, <, target, "offsets go forward");
  StoreFixed32(bytes_.data() + slot, static_cast<uint32_t>(target - slot));
}

std::string FlatBuffer::Finish() && {
  Align(0);
  return std::move(bytes_);
}

}  // namespace varve::arrow
