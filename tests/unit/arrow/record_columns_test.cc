// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/record_columns.h"

#include <doctest/doctest.h>

#include <string>

namespace varve::arrow {
namespace {

RecordShape ShapeOf(std::string_view key_schema, std::string_view value_schema) {
  Result<RecordShape> shape = MakeRecordShape(key_schema, value_schema);
  REQUIRE_MESSAGE(shape.ok(), shape.status().ToString());
  return *std::move(shape);
}

// The buffers of a column, without the one of nulls unless there are some.
std::string Bytes(const Column& column) {
  std::string bytes;
  for (const std::string_view buffer : column.buffers()) bytes.append(buffer).append("|");
  return bytes;
}

TEST_CASE("parts are columns, and a whole key is one") {
  const RecordShape shape = ShapeOf("id:u16be,name:str", "");
  CHECK_EQ(shape.key_columns(), 2);
  const std::vector<ColumnField> fields = shape.Fields();
  REQUIRE_EQ(fields.size(), 3);
  CHECK_EQ(fields[0].name + fields[0].type.format(), "idS");
  CHECK_EQ(fields[1].name + fields[1].type.format(), "nameU");
  CHECK_EQ(fields[2].name + fields[2].type.format(), "valueZ");
  RecordColumns records(shape);
  CHECK(records.Append(std::string_view("\0\1a", 3), "x").ok());
  CHECK(records.Append("\1\2", "yz").ok());
  CHECK_EQ(records.rows(), 2);
  CHECK_EQ(Bytes(records.columns()[0]), std::string("|\1\0\2\1||", 7));
  CHECK_EQ(records.columns()[1].buffers()[2], "a");
  CHECK_EQ(records.columns()[2].buffers()[2], "xyz");
}

TEST_CASE("a record that does not fit is left out, and says which it was") {
  const RecordShape shape = ShapeOf("id:u16be", "n:u16le");
  RecordColumns records(shape);
  CHECK_EQ(records.Append("abc", "12").message(),
           "key \"abc\" at byte 2: nothing is left for the schema, but 1 bytes for it");
  CHECK_EQ(records.Append("ab", "1").message(),
           "key \"ab\": value \"1\" at byte 0: n:u16le does not fit: it needs 2 bytes, 1 is left");
  CHECK_EQ(records.rows(), 0);
  CHECK_EQ(records.columns()[0].rows(), 0);
}

TEST_CASE("or is null in all its columns") {
  RecordShape shape = ShapeOf("a:u8,b:bytes0,c:fixed(2)", "");
  shape.null_if_unfit = true;
  CHECK(shape.Fields()[1].nullable);
  CHECK_FALSE(shape.Fields()[3].nullable);
  RecordColumns records(shape);
  for (const std::string_view key :
       {std::string_view("1x\0yz", 5), std::string_view("1x"), std::string_view("2\0yz", 4)}) {
    CHECK(records.Append(key, "v").ok());
  }
  for (size_t i = 0; i < 3; ++i) CHECK_EQ(records.columns()[i].nulls(), 1);
  CHECK_EQ(records.columns()[0].buffers()[0], "\5");  // Bits: the first and the last are there.
  CHECK_EQ(records.columns()[0].buffers()[1], std::string_view("1\0002", 3));
  CHECK_EQ(records.columns()[1].buffers()[2], "x");
  CHECK_EQ(records.columns()[2].buffers()[1], std::string_view("yz\0\0yz", 6));
  CHECK_EQ(records.columns()[3].nulls(), 0);
  records.Clear();
  CHECK(records.Append(std::string_view("1\0yz", 4), "").ok());
  CHECK_EQ(records.columns()[0].nulls(), 0);
  CHECK_EQ(Bytes(records.columns()[2]), "|yz||");
}

TEST_CASE("names that are there twice") {
  CHECK_EQ(MakeRecordShape("a:u8", "a:u8").status().message(),
           "two columns are called \"a\": give one another name in its schema");
  CHECK_FALSE(MakeRecordShape("value:u8", "").ok());
  CHECK(MakeRecordShape("value:u8", "key:u8").ok());
}

TEST_CASE("a null of any width takes as much room as a value") {
  RecordShape shape = ShapeOf("id:fixed(16),n:u8", "");
  shape.null_if_unfit = true;
  RecordColumns records(shape);
  REQUIRE(records.Append("short", "v").ok());
  REQUIRE(records.Append("0123456789abcdef!", "v").ok());
  CHECK_EQ(records.columns()[0].nulls(), 1);
  CHECK_EQ(records.columns()[0].buffers()[1], std::string(16, '\0') + "0123456789abcdef");
}

}  // namespace
}  // namespace varve::arrow
