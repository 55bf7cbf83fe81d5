// SPDX-License-Identifier: Apache-2.0
// What pyarrow, polars and DuckDB give is read in tests/arrow; here is what they do not give.
#include "core/arrow/c_import.h"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "core/arrow/c_export.h"

namespace varve::arrow {
namespace {

// A table with one column, whose parts are set by the cases.
struct Table {
  Table() {
    table.format = "+s";
    table.n_children = 1;
    table.children = &columns;
    column.name = "key";
    batch.length = array.length = 2;
    batch.n_children = 1;
    batch.children = &arrays;
    array.n_buffers = 3;
    array.buffers = buffers;
  }
  Status Begin(const char* format) {
    column.format = format;
    Result<InputColumn> opened = InputColumn::Find(table, {.name = "key"});
    if (!opened.ok()) return opened.status();
    found = *std::move(opened);
    return found->Begin(batch);
  }
  std::string Problem(int64_t row) const {
    const Result<std::string_view> bytes = found->Row(row);
    return bytes.ok() ? "" : std::string(bytes.status().message());
  }

  ArrowSchema table = {}, column = {};
  ArrowSchema* columns = &column;
  ArrowArray batch = {}, array = {};
  ArrowArray* arrays = &array;
  const void* buffers[4] = {};
  std::optional<InputColumn> found;
};

std::string Message(const Status& status) { return std::string(status.message()); }

TEST_CASE("what is exported is imported") {
  ArrowSchema schema;
  const RecordShape shape;
  ExportSchema(shape.Fields(), &schema);
  RecordColumns records(shape);
  CHECK(records.Append("a", "1").ok());
  CHECK(records.Append("", std::string(5000, 'x')).ok());
  ArrowArray batch;
  ExportBatch(std::move(records), &batch);
  Result<InputColumn> value = InputColumn::Find(schema, {.name = "value"});
  REQUIRE(value.ok());
  REQUIRE(value->Begin(batch).ok());
  CHECK_EQ(*value->Row(0), "1");
  CHECK_EQ(*value->Row(1), std::string(5000, 'x'));
  schema.release(&schema);
  batch.release(&batch);
}

TEST_CASE("columns that are not there, twice, or of another type") {
  Table table;
  CHECK_EQ(Message(table.Begin("l")),
           "column \"key\": its type \"int64\" is none of bytes or strings; cast it to binary");
  table.column.dictionary = &table.column;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": it has a dictionary; cast it to binary");
  table.column.dictionary = nullptr;
  for (const char* width : {"w:", "w:-1", "w:x", "w:99999999999"}) {
    CHECK_EQ(Message(table.Begin(width)), "column \"key\": its type has a wrong width");
  }
  table.column.name = "other";
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": there is none");
  table.column.name = nullptr;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": there is none");
  table.column.name = "key";
  ArrowSchema* twice[] = {&table.column, &table.column};
  table.table.n_children = 2;
  table.table.children = twice;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": there is more than one");
  table.table.format = "z";
  CHECK_EQ(Message(table.Begin("z")), "a table is needed, not a single column");
}

TEST_CASE("batches of another shape") {
  const int32_t offsets[] = {0, 1, 2};
  Table table;
  table.buffers[1] = offsets;
  table.buffers[2] = "ab";
  CHECK(table.Begin("z").ok());
  table.array.length = 1;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": it is shorter than its batch");
  table.array.length = INT64_MAX;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": it is shorter than its batch");
  table.array.length = 2;
  table.batch.offset = 1;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": it is shorter than its batch");
  table.batch.offset = -1;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": a batch does not have it");
  table.batch.offset = 0;
  table.batch.n_children = 0;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": a batch does not have it");
  table.batch.n_children = 1;
  table.array.n_buffers = 2;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": its buffers are not those of its type");
  table.array.n_buffers = 3;
  table.buffers[1] = nullptr;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": its buffers are not those of its type");
}

TEST_CASE("nulls of a column, and of the table") {
  const int32_t offsets[] = {0, 1, 2};
  const uint8_t second_is_null = 0b01;
  Table table;
  table.buffers[0] = &second_is_null;
  table.buffers[1] = offsets;
  table.buffers[2] = "ab";
  CHECK(table.Begin("z").ok());  // null_count is 0.
  for (const int64_t count : {1, -1}) {
    table.array.null_count = count;
    CHECK_EQ(Message(table.Begin("z")), "column \"key\": row 1 of a batch is null");
  }
  table.array.null_count = 0;
  const void* bits = &second_is_null;
  table.batch.buffers = &bits;
  table.batch.n_buffers = 1;
  table.batch.null_count = -1;
  CHECK_EQ(Message(table.Begin("z")), "column \"key\": row 1 of a batch is null");
}

TEST_CASE("offsets that do not ascend") {
  Table table;
  const int32_t narrow[] = {0, 5, 3};
  table.buffers[1] = narrow;
  table.buffers[2] = "abcde";
  REQUIRE(table.Begin("u").ok());
  CHECK_EQ(*table.found->Row(0), "abcde");
  CHECK_EQ(table.Problem(1), "column \"key\": row 1 of a batch: its offsets do not ascend");
  const int64_t wide[] = {-1, 3, 3};
  table.buffers[1] = wide;
  table.buffers[2] = nullptr;
  REQUIRE(table.Begin("Z").ok());
  CHECK_EQ(table.Problem(0), "column \"key\": row 0 of a batch: its offsets do not ascend");
  CHECK_EQ(*table.found->Row(1), "");
}

TEST_CASE("views into buffers") {
  struct View {
    int32_t size;
    char begin[4];
    int32_t buffer, offset;
  };
  View views[] = {{20, {}, 0, 2}, {3, {'a', 'b', 'c', 0}, 0, 0}};
  const int64_t sizes[] = {22};
  Table table;
  table.array.n_buffers = 4;
  table.buffers[1] = views;
  table.buffers[2] = "..12345678901234567890";
  table.buffers[3] = sizes;
  REQUIRE(table.Begin("vz").ok());
  CHECK_EQ(*table.found->Row(0), "12345678901234567890");
  CHECK_EQ(*table.found->Row(1), "abc");
  views[0].offset = 3;
  CHECK_EQ(table.Problem(0), "column \"key\": row 0 of a batch: it ends behind its buffer");
  views[0] = {20, {}, 1, 0};
  CHECK_EQ(table.Problem(0),
           "column \"key\": row 0 of a batch: it is in a buffer that does not exist");
  views[0].size = -1;
  CHECK_EQ(table.Problem(0), "column \"key\": row 0 of a batch: its size is negative");
}

TEST_CASE("bytes of a fixed size, from an offset") {
  Table table;
  table.array.n_buffers = 2;
  table.array.length = 4;
  table.array.offset = 1;
  table.batch.offset = 1;
  table.buffers[1] = "00112233";
  REQUIRE(table.Begin("w:2").ok());
  CHECK_EQ(*table.found->Row(0), "22");
  CHECK_EQ(*table.found->Row(1), "33");
}

}  // namespace
}  // namespace varve::arrow
