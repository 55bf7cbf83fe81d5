// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/flat_buffer.h"

#include <doctest/doctest.h>

#include "core/base/bytes/byte_writer.h"

namespace varve::arrow {
namespace {

uint16_t Fixed16(const std::string& bytes, size_t at) {
  return static_cast<uint16_t>(static_cast<uint8_t>(bytes[at]) | static_cast<uint8_t>(bytes[at + 1])
                                                                     << 8);
}

size_t Followed(const std::string& bytes, size_t slot) {
  return slot + LoadFixed32(bytes.data() + slot);
}

// Where a member of a table is; 0 if it is absent.
size_t Member(const std::string& bytes, size_t table, size_t field) {
  const size_t vtable = table - LoadFixed32(bytes.data() + table);
  const size_t place = Fixed16(bytes, vtable + 4 + 2 * field);
  return place == 0 ? 0 : table + place;
}

TEST_CASE("members of a table are found by its vtable, and aligned") {
  FlatBuffer out;
  out.Table({FlatBuffer::Byte(7), FlatBuffer::Absent(), FlatBuffer::Long(1ull << 40),
             FlatBuffer::Short(300)});
  const std::string bytes = std::move(out).Finish();
  CHECK_EQ(bytes.size() % 8, 0);
  const size_t table = Followed(bytes, 0);
  const size_t vtable = table - LoadFixed32(bytes.data() + table);
  CHECK_EQ(Fixed16(bytes, vtable), 4 + 2 * 4);
  CHECK_EQ(bytes[Member(bytes, table, 0)], 7);
  CHECK_EQ(Member(bytes, table, 1), 0);
  CHECK_EQ(Member(bytes, table, 2) % 8, 0);
  CHECK_EQ(LoadFixed64(bytes.data() + Member(bytes, table, 2)), 1ull << 40);
  CHECK_EQ(Fixed16(bytes, Member(bytes, table, 3)), 300);
}

TEST_CASE("offsets lead to tables, strings and vectors") {
  FlatBuffer out;
  const size_t root = out.Table({FlatBuffer::Offset(), FlatBuffer::Offset()});
  out.Point(root, 0, out.String("abc"));
  const size_t list = out.Offsets(2);
  out.Point(root, 1, list);
  out.PointElement(list, 1, out.Table({FlatBuffer::Byte(9)}));
  const std::string bytes = std::move(out).Finish();
  const size_t table = Followed(bytes, 0);
  const size_t text = Followed(bytes, Member(bytes, table, 0));
  CHECK_EQ(LoadFixed32(bytes.data() + text), 3);
  CHECK_EQ(bytes.substr(text + 4, 4), std::string("abc\0", 4));
  const size_t elements = Followed(bytes, Member(bytes, table, 1));
  CHECK_EQ(LoadFixed32(bytes.data() + elements), 2);
  CHECK_EQ(bytes[Member(bytes, Followed(bytes, elements + 8), 0)], 9);
}

TEST_CASE("structs of a vector are aligned") {
  FlatBuffer out;
  const size_t root = out.Table({FlatBuffer::Offset()});
  const int64_t words[] = {1, 2, 3, 4};
  out.Point(root, 0, out.Structs(words, 2));
  const std::string bytes = std::move(out).Finish();
  const size_t list = Followed(bytes, Member(bytes, Followed(bytes, 0), 0));
  CHECK_EQ(LoadFixed32(bytes.data() + list), 2);
  CHECK_EQ((list + 4) % 8, 0);
  CHECK_EQ(LoadFixed64(bytes.data() + list + 4 + 24), 4);
}

}  // namespace
}  // namespace varve::arrow
