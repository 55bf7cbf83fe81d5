// SPDX-License-Identifier: Apache-2.0
// Types of pyarrow, polars and DuckDB are read in tests/arrow.
#include "core/arrow/record_rows.h"

#include <doctest/doctest.h>

#include <string>

#include "core/arrow/c_export.h"
#include "core/arrow/record_columns.h"

namespace varve::arrow {
namespace {

RecordShape Shape(std::string_view key_schema) {
  Result<RecordShape> shape = MakeRecordShape(key_schema, "");
  REQUIRE_MESSAGE(shape.ok(), shape.status().ToString());
  return *std::move(shape);
}

// Keys that were split by one schema, joined by another, one behind the other; or why not.
std::string Joined(std::string_view from, std::string_view to,
                   std::initializer_list<std::string_view> keys) {
  const RecordShape shape = Shape(from);
  RecordColumns records(shape);
  for (const std::string_view key : keys) REQUIRE(records.Append(key, "").ok());
  ArrowSchema schema;
  ExportSchema(shape.Fields(), &schema);
  ArrowArray batch;
  ExportBatch(std::move(records), &batch);
  const std::string joined = [&]() -> std::string {
    Result<RecordRows> rows = RecordRows::Find(schema, Shape(to));
    if (!rows.ok()) return std::string(rows.status().message());
    if (Status begun = rows->Begin(batch); !begun.ok()) return std::string(begun.message());
    std::string all;
    for (int64_t row = 0; row < batch.length; ++row) {
      const Result<std::string_view> key = rows->Key(row);
      if (!key.ok()) return std::string(key.status().message());
      all += *key;
    }
    return all;
  }();
  schema.release(&schema);
  batch.release(&batch);
  return joined;
}

TEST_CASE("keys are what they were, or in another form") {
  CHECK_EQ(Joined("a:u16be,b:str", "a:u16be,b:str", {"\1\2x", "\3\4"}), "\1\2x\3\4");
  CHECK_EQ(Joined("a:u16be,b:str", "b:str0,a:u32be", {"\1\2x"}),
           std::string_view("x\0\0\0\1\2", 6));
  CHECK_EQ(Joined("a:u8", "a:tuple.int", {"\5"}), "\x15\5");
  CHECK_EQ(Joined("a:f32le", "a:f64le", {std::string_view("\0\0\x80\x3f", 4)}),
           std::string_view("\0\0\0\0\0\0\xf0\x3f", 8));
  CHECK_EQ(Joined("a:tuple.bool,b:bytes", "a:tuple.bool,b:bytes", {"\x26x", "\x27y"}),
           "\x26x\x27y");
}

TEST_CASE("numbers that do not fit, nulls and other types") {
  CHECK_EQ(Joined("a:u16be", "a:u8", {"\1\1"}),
           "column \"a\": row 0 of a batch: 257 does not fit uint8");
  CHECK_EQ(Joined("a:i8", "a:u8", {"\x7f"}),
           "column \"a\": row 0 of a batch: -1 does not fit uint8");
  CHECK_EQ(Joined("a:i16be", "a:i8", {std::string_view("\x7f\0", 2)}),
           "column \"a\": row 0 of a batch: -256 does not fit int8");
  CHECK_EQ(Joined("a:i16be", "a:i8", {"\x7f\x80", std::string_view("\x80\x7f", 2)}),
           std::string_view("\0\xff", 2));
  CHECK_EQ(Joined("a:u64be", "a:i64be", {"\xff\xff\xff\xff\xff\xff\xff\xff"}),
           "column \"a\": row 0 of a batch: 18446744073709551615 does not fit int64");
  CHECK_EQ(Joined("a:tuple.int", "a:u8", {"\x15\1", std::string_view("\0", 1)}),
           "column \"a\": row 1 of a batch is null");
  CHECK_EQ(Joined("a:str", "a:u8", {"x"}),
           "column \"a\": its type \"string\" is no integer; cast it to uint8");
  CHECK_EQ(Joined("a:f64le", "a:f32le", {"12345678"}),
           "column \"a\": its type \"double\" is not that; cast it to float");
  CHECK_EQ(Joined("a:u8", "a:str", {"1"}),
           "column \"a\": its type \"uint8\" is none of bytes or strings; cast it to string");
  CHECK_EQ(Joined("a:bytes", "a:fixed(2)", {"123"}),
           "column \"a\": row 0 of a batch: it does not fit fixed(2): it has 3 bytes");
  CHECK_EQ(Joined("a:u8", "b:u8", {"1"}), "column \"b\": there is none");
}

}  // namespace
}  // namespace varve::arrow
