// SPDX-License-Identifier: Apache-2.0
// FlatBuffer writes the little of Google's FlatBuffers that the metadata of Arrow's IPC format
// needs: tables, vectors and strings. https://flatbuffers.dev/internals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace varve::arrow {

// Written from the beginning to the end: a table first, then what its offsets point to.
class FlatBuffer {
 public:
  // A member of a table, in the order of the schema of FlatBuffers.
  struct Field {
    size_t size = 0;  // 1, 2, 4 or 8 bytes; 0: it is absent.
    uint64_t value = 0;
  };
  static Field Absent() { return {}; }
  static Field Byte(uint8_t value) { return {.size = 1, .value = value}; }
  static Field Short(uint16_t value) { return {.size = 2, .value = value}; }
  static Field Int(uint32_t value) { return {.size = 4, .value = value}; }
  static Field Long(uint64_t value) { return {.size = 8, .value = value}; }
  static Field Offset() { return {.size = 4}; }  // Set by Point().

  FlatBuffer() : bytes_(kRootOffset, '\0') {}

  // Each returns where it is. The first table is the root.
  size_t Table(std::initializer_list<Field> fields);
  size_t String(std::string_view text);
  size_t Offsets(size_t count);  // A vector of offsets.
  size_t Structs(std::span<const int64_t> words, size_t words_each);

  // Has a member of a table, or an element of a vector of offsets, point to what was written later.
  void Point(size_t table, size_t field, size_t target);
  void PointElement(size_t vector, size_t index, size_t target);

  // What was written, padded to 8 bytes.
  std::string Finish() &&;

 private:
  static constexpr size_t kRootOffset = 4;

  // Appends zeros until `extra` bytes more end at a multiple of 8.
  void Align(size_t extra);
  void Store(size_t slot, size_t target);

  std::string bytes_;
};

}  // namespace varve::arrow
