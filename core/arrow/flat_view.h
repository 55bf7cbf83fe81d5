// SPDX-License-Identifier: Apache-2.0
// FlatTable reads tables of FlatBuffers that others wrote. Nothing is trusted: what does not lie in
// the bytes is absent.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace varve::arrow {

// A vector of FlatBuffers.
struct FlatVector {
  std::string_view bytes;  // The buffer.
  size_t begin = 0;        // Of its elements in that.
  size_t count = 0;        // All of them are in the buffer.
};

// A view into a buffer. Members are counted as in its schema.
class FlatTable {
 public:
  static std::optional<FlatTable> Root(std::string_view bytes);

  template <typename T>
  T Number(size_t field, T otherwise) const {
    const std::optional<size_t> place = Place(field);
    T value;
    if (!place || bytes_.size() - *place < sizeof(T)) return otherwise;
    std::memcpy(&value, bytes_.data() + *place, sizeof(T));
    return value;
  }
  std::optional<FlatTable> Table(size_t field) const;
  std::optional<std::string_view> Text(size_t field) const;
  // Of elements of that size.
  std::optional<FlatVector> Vector(size_t field, size_t element_size) const;
  // An element of a vector of offsets to tables.
  static std::optional<FlatTable> At(const FlatVector& tables, size_t index);

 private:
  FlatTable(std::string_view bytes, size_t place) : bytes_(bytes), place_(place) {}

  // Where a member is in the buffer.
  std::optional<size_t> Place(size_t field) const;
  // Where the offset at `place` leads to.
  static std::optional<size_t> Follow(std::string_view bytes, size_t place);

  std::string_view bytes_;
  size_t place_;
};

}  // namespace varve::arrow
