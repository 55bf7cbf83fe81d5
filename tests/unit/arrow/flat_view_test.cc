// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/flat_view.h"

#include <doctest/doctest.h>

#include "core/arrow/flat_buffer.h"

namespace varve::arrow {
namespace {

std::string Written() {
  FlatBuffer out;
  const size_t root = out.Table({FlatBuffer::Short(300), FlatBuffer::Absent(), FlatBuffer::Offset(),
                                 FlatBuffer::Offset(), FlatBuffer::Offset()});
  out.Point(root, 2, out.String("abc"));
  const size_t list = out.Offsets(1);
  out.Point(root, 3, list);
  out.PointElement(list, 0, out.Table({FlatBuffer::Long(1ull << 40)}));
  const int64_t words[] = {5, 6};
  out.Point(root, 4, out.Structs(words, 1));
  return std::move(out).Finish();
}

TEST_CASE("what was written is read") {
  const std::string bytes = Written();
  const std::optional<FlatTable> root = FlatTable::Root(bytes);
  REQUIRE(root.has_value());
  CHECK_EQ(root->Number<int16_t>(0, 0), 300);
  CHECK_EQ(root->Number<int16_t>(1, 7), 7);
  CHECK_EQ(root->Number<int16_t>(9, 7), 7);
  CHECK_EQ(root->Text(2).value_or(""), "abc");
  const std::optional<FlatVector> list = root->Vector(3, 4);
  REQUIRE(list.has_value());
  REQUIRE(FlatTable::At(*list, 0).has_value());
  CHECK_EQ(FlatTable::At(*list, 0)->Number<int64_t>(0, 0), int64_t{1} << 40);
  CHECK_FALSE(FlatTable::At(*list, 1).has_value());
  REQUIRE(root->Vector(4, 8).has_value());
  CHECK_EQ(root->Vector(4, 8)->count, 2);
}

TEST_CASE("what does not lie in the bytes is absent") {
  CHECK_FALSE(FlatTable::Root("").has_value());
  CHECK_FALSE(FlatTable::Root("abc").has_value());
  CHECK_FALSE(FlatTable::Root("\xff\xff\xff\x7f____").has_value());
  const std::string bytes = Written();
  const FlatTable root = *FlatTable::Root(bytes);
  CHECK_FALSE(root.Vector(4, 64).has_value());  // Two of 64 bytes.
  CHECK_FALSE(root.Table(1).has_value());
}

// Nothing outside of the bytes is read: sanitizers see it.
TEST_CASE("any byte may be any other, and bytes may be missing") {
  const auto walk = [](std::string_view bytes) {
    const std::optional<FlatTable> root = FlatTable::Root(bytes);
    if (!root) return;
    size_t seen = 0;
    for (size_t field = 0; field < 6; ++field) {
      seen += static_cast<size_t>(root->Number<int64_t>(field, 0));
      seen += root->Text(field).value_or("").size();
      if (const auto table = root->Table(field)) seen += table->Number<uint8_t>(0, 0);
      if (const auto list = root->Vector(field, 4)) {
        for (size_t i = 0; i < list->count; ++i) {
          if (const auto table = FlatTable::At(*list, i)) seen += table->Number<uint8_t>(0, 0);
        }
      }
    }
    CHECK_GE(seen + 1, 0);
  };
  const std::string good = Written();
  for (size_t i = 0; i < good.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string bytes = good;
      bytes[i] = static_cast<char>(byte);
      walk(bytes);
    }
    walk(good.substr(0, i));
  }
}

}  // namespace
}  // namespace varve::arrow
