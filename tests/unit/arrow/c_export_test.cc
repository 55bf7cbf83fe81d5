// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/c_export.h"

#include <doctest/doctest.h>

#include <string>

namespace varve::arrow {
namespace {

std::string_view Row(const ArrowArray& column, int64_t row) {
  const auto* const offsets = static_cast<const int64_t*>(column.buffers[1]);
  const auto* const bytes = static_cast<const char*>(column.buffers[2]);
  return {bytes + offsets[row], static_cast<size_t>(offsets[row + 1] - offsets[row])};
}

const RecordShape kWhole, kKeys = {.has_values = false};

RecordColumns TwoRecords(const RecordShape& shape) {
  RecordColumns records(shape);
  CHECK(records.Append("a", std::string_view("\0b", 2)).ok());
  CHECK(records.Append("cc", "").ok());
  return records;
}

TEST_CASE("the schema has a column for the keys, and one for the values if they are wanted") {
  for (const RecordShape& shape : {kKeys, kWhole}) {
    ArrowSchema schema;
    ExportSchema(shape.Fields(), &schema);
    CHECK_EQ(std::string(schema.format), "+s");
    REQUIRE_EQ(schema.n_children, shape.has_values ? 2 : 1);
    for (int64_t i = 0; i < schema.n_children; ++i) {
      CHECK_EQ(std::string(schema.children[i]->format), "Z");
      CHECK_EQ(std::string(schema.children[i]->name), i == 0 ? "key" : "value");
      CHECK_EQ(schema.children[i]->flags, 0);
    }
    schema.release(&schema);
    CHECK((schema.release == nullptr));
  }
}

TEST_CASE("a batch has the records, and no nulls") {
  ArrowArray batch;
  ExportBatch(TwoRecords(kWhole), &batch);
  CHECK_EQ(batch.length, 2);
  REQUIRE_EQ(batch.n_children, 2);
  for (int64_t i = 0; i < 2; ++i) {
    const ArrowArray& column = *batch.children[i];
    CHECK_EQ(column.length, 2);
    CHECK_EQ(column.null_count, 0);
    CHECK_EQ(column.offset, 0);
    REQUIRE_EQ(column.n_buffers, 3);
    CHECK_EQ(column.buffers[0], nullptr);
  }
  CHECK_EQ(Row(*batch.children[0], 0), "a");
  CHECK_EQ(Row(*batch.children[0], 1), "cc");
  CHECK_EQ(Row(*batch.children[1], 0), std::string_view("\0b", 2));
  CHECK_EQ(Row(*batch.children[1], 1), "");
  batch.release(&batch);
  CHECK((batch.release == nullptr));
}

TEST_CASE("a column that was moved away outlives the batch") {
  ArrowArray batch;
  ExportBatch(TwoRecords(kKeys), &batch);
  ArrowArray moved = *batch.children[0];
  batch.children[0]->release = nullptr;
  batch.release(&batch);
  CHECK_EQ(Row(moved, 1), "cc");
  moved.release(&moved);
  CHECK((moved.release == nullptr));
}

TEST_CASE("a batch is full after many records, and after many bytes") {
  RecordColumns records(kWhole);
  while (!records.full()) CHECK(records.Append("", "").ok());
  CHECK_EQ(records.rows(), 64 << 10);
  records.Clear();
  CHECK_EQ(records.rows(), 0);
  CHECK_FALSE(records.full());
  while (!records.full()) CHECK(records.Append("k", std::string(1 << 20, 'v')).ok());
  CHECK_EQ(records.rows(), 2);
}

}  // namespace
}  // namespace varve::arrow
