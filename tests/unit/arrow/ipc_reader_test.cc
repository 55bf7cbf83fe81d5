// SPDX-License-Identifier: Apache-2.0
// Streams of other programs, and of other types, are read in tests/arrow.
#include "core/arrow/ipc_reader.h"

#include <doctest/doctest.h>

#include <vector>

#include "core/arrow/flat_buffer.h"
#include "core/arrow/ipc_format.h"
#include "core/arrow/ipc_writer.h"
#include "core/base/bytes/byte_writer.h"

namespace varve::arrow {
namespace {

// The schema's metadata, those of a batch, and its body.
struct Parts {
  std::string schema, batch, body;
};

Parts Written() {
  std::string stream;
  const RecordShape shape;
  IpcWriter out(shape.Fields(), [&](std::string_view part) { stream += part; });
  const size_t begin = stream.size();
  RecordColumns records(shape);
  CHECK(records.Append("key", "value").ok());
  CHECK(records.Append("key2", "").ok());
  out.WriteBatch(records);
  const size_t size = LoadFixed32(stream.data() + begin + 4);
  return {stream.substr(8, begin - 8), stream.substr(begin + 8, size),
          stream.substr(begin + 8 + size)};
}

// All rows, or why they cannot be read.
std::string Read(const Parts& parts) {
  IpcReader reader{RecordShape()};
  for (const std::string_view metadata : {parts.schema, parts.batch}) {
    const auto message = IpcReader::Describe(metadata);
    if (!message.ok()) return std::string(message.status().message());
  }
  if (Status read = reader.ReadSchema(parts.schema); !read.ok()) return std::string(read.message());
  if (Status read = reader.ReadBatch(parts.batch, parts.body); !read.ok()) {
    return std::string(read.message());
  }
  std::string rows;
  for (int64_t row = 0; row < reader.rows(); ++row) {
    const auto key = reader.Key(row), value = reader.Value(row);
    if (!key.ok()) return std::string(key.status().message());
    if (!value.ok()) return std::string(value.status().message());
    rows.append(*key).append("=").append(*value).append(";");
  }
  return rows;
}

TEST_CASE("what was written is read") {
  const Parts parts = Written();
  CHECK_EQ(Read(parts), "key=value;key2=;");
  const auto schema = IpcReader::Describe(parts.schema), batch = IpcReader::Describe(parts.batch);
  REQUIRE(schema.ok());
  REQUIRE(batch.ok());
  CHECK(schema->kind == IpcReader::Message::Kind::kSchema);
  CHECK(batch->kind == IpcReader::Message::Kind::kBatch);
  CHECK_EQ(batch->body_size, parts.body.size());
}

TEST_CASE("a body that is too short, and offsets that lead out of a buffer") {
  Parts parts = Written();
  parts.body.resize(parts.body.size() - 8);
  CHECK_EQ(Read(parts), "the message is not valid: buffer 5 is not in its body");
  parts = Written();
  StoreFixed64(parts.body.data() + 16, 1000);  // The end of the last key.
  CHECK_EQ(Read(parts), "column \"key\": row 1 of a batch: it ends behind its buffer");
  StoreFixed64(parts.body.data() + 16, 1);
  CHECK_EQ(Read(parts), "column \"key\": row 1 of a batch: its offsets do not ascend");
}

TEST_CASE("metadata that are none") {
  CHECK_FALSE(IpcReader::Describe("").ok());
  CHECK_FALSE(IpcReader::Describe("12345678").ok());
  IpcReader reader{RecordShape()};
  CHECK_FALSE(reader.ReadSchema("12345678").ok());
  CHECK_FALSE(reader.has_schema());
}

// A schema whose columns are all the same table, with a name of that size.
std::string SchemaOfOneColumn(size_t count, const std::string& name) {
  FlatBuffer out;
  const size_t message = out.Table({FlatBuffer::Short(kVersion5), FlatBuffer::Byte(kSchemaHeader),
                                    FlatBuffer::Offset(), FlatBuffer::Long(0)});
  const size_t schema = out.Table({FlatBuffer::Absent(), FlatBuffer::Offset()});
  out.Point(message, message::kHeader, schema);
  const size_t fields = out.Offsets(count);
  out.Point(schema, schema::kFields, fields);
  const size_t field =
      out.Table({FlatBuffer::Offset(), FlatBuffer::Absent(), FlatBuffer::Byte(8 /* date */)});
  for (size_t i = 0; i < count; ++i) out.PointElement(fields, i, field);
  out.Point(field, field::kName, out.String(name));
  return std::move(out).Finish();
}

TEST_CASE("many columns that have one name, and too many columns") {
  IpcReader reader{RecordShape()};
  // 32 GiB, if each had the name.
  CHECK_EQ(reader.ReadSchema(SchemaOfOneColumn(1 << 16, std::string(1 << 19, 'n'))).message(),
           "column \"key\": there is none");
  CHECK_EQ(reader.ReadSchema(SchemaOfOneColumn((1 << 16) + 1, "n")).message(),
           "a schema of 65537 columns");
  CHECK_EQ(reader.ReadSchema(SchemaOfOneColumn(1, std::string("key\0", 4))).message(),
           "column \"key\": there is none");
}

// Nothing outside of the parts is read: sanitizers see it.
TEST_CASE("any byte may be any other, and bytes may be missing") {
  const Parts good = Written();
  size_t read = 0;
  for (std::string Parts::* part : {&Parts::schema, &Parts::batch, &Parts::body}) {
    for (size_t i = 0; i < (good.*part).size(); ++i) {
      for (const int byte : {0, 1, 2, 4, 7, 8, 12, 15, 16, 19, 23, 24, 127, 128, 255}) {
        Parts parts = good;
        (parts.*part)[i] = static_cast<char>(byte);
        read += Read(parts) == "key=value;key2=;" ? 1 : 0;
      }
      Parts parts = good;
      (parts.*part).resize(i);
      CHECK_NE(Read(parts), "");
    }
  }
  CHECK_GT(read, 0);  // Padding.
}

}  // namespace
}  // namespace varve::arrow
