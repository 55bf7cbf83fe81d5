// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/ipc_writer.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/arrow/flat_buffer.h"
#include "core/arrow/ipc_format.h"
#include "core/base/bytes/byte_writer.h"

namespace varve::arrow {
namespace {

constexpr size_t kAlignment = 8;

size_t PaddingOf(size_t size) { return (kAlignment - size % kAlignment) % kAlignment; }

size_t AddMessage(FlatBuffer* out, uint8_t header, uint64_t body_size) {
  return out->Table({FlatBuffer::Short(kVersion5), FlatBuffer::Byte(header), FlatBuffer::Offset(),
                     FlatBuffer::Long(body_size)});
}

// A column, without nulls.
size_t AddField(FlatBuffer* out, std::string_view name) {
  const size_t field =
      out->Table({FlatBuffer::Offset(), FlatBuffer::Byte(0),
                  FlatBuffer::Byte(static_cast<uint8_t>(Type::kLargeBinary)), FlatBuffer::Offset(),
                  FlatBuffer::Absent(), FlatBuffer::Offset()});
  out->Point(field, field::kName, out->String(name));
  out->Point(field, field::kType, out->Table({}));
  out->Point(field, field::kChildren, out->Offsets(0));  // Which readers want to be there.
  return field;
}

std::string SchemaMessage(Columns columns) {
  FlatBuffer out;
  const size_t message = AddMessage(&out, kSchemaHeader, 0);
  const size_t schema = out.Table({FlatBuffer::Absent(), FlatBuffer::Offset()});
  out.Point(message, message::kHeader, schema);
  const size_t fields = out.Offsets(CountOf(columns));
  out.Point(schema, schema::kFields, fields);
  for (size_t i = 0; i < CountOf(columns); ++i) {
    out.PointElement(fields, i, AddField(&out, kColumnNames[i]));
  }
  return std::move(out).Finish();
}

// The buffers of a batch, one behind the other.
std::vector<std::string_view> BuffersOf(const RecordColumns& records) {
  std::vector<std::string_view> buffers;
  for (size_t i = 0; i < CountOf(records.columns()); ++i) {
    const BinaryColumn& column = records.column(i);
    const auto offsets = std::as_bytes(column.offsets());
    buffers.emplace_back();  // Which are null: none.
    buffers.emplace_back(reinterpret_cast<const char*>(offsets.data()), offsets.size());
    buffers.push_back(column.bytes());
  }
  return buffers;
}

std::string BatchMessage(size_t rows, const std::vector<std::string_view>& buffers) {
  constexpr size_t kBuffersOfColumn = 3;
  std::vector<int64_t> nodes, places;
  for (size_t i = 0; i < buffers.size() / kBuffersOfColumn; ++i) {
    nodes.insert(nodes.end(), {static_cast<int64_t>(rows), 0 /* nulls */});
  }
  size_t size = 0;
  for (const std::string_view buffer : buffers) {
    places.insert(places.end(), {static_cast<int64_t>(size), static_cast<int64_t>(buffer.size())});
    size += buffer.size() + PaddingOf(buffer.size());
  }
  FlatBuffer out;
  const size_t message = AddMessage(&out, kBatchHeader, size);
  const size_t batch =
      out.Table({FlatBuffer::Long(rows), FlatBuffer::Offset(), FlatBuffer::Offset()});
  out.Point(message, message::kHeader, batch);
  out.Point(batch, batch::kNodes, out.Structs(nodes, 2));
  out.Point(batch, batch::kBuffers, out.Structs(places, 2));
  return std::move(out).Finish();
}

}  // namespace

IpcWriter::IpcWriter(Columns columns, Write write) : columns_(columns), write_(std::move(write)) {
  WriteMessage(SchemaMessage(columns_));
}

void IpcWriter::WriteMessage(std::string_view metadata) {
  std::string head;
  AppendFixed32(&head, kContinuation);
  AppendFixed32(&head, static_cast<uint32_t>(metadata.size()));
  write_(head);
  write_(metadata);
}

void IpcWriter::WriteBatch(const RecordColumns& records) {
  const std::vector<std::string_view> buffers = BuffersOf(records);
  WriteMessage(BatchMessage(records.rows(), buffers));
  for (const std::string_view buffer : buffers) {
    write_(buffer);
    write_(std::string_view("\0\0\0\0\0\0\0", PaddingOf(buffer.size())));
  }
}

void IpcWriter::Finish() { WriteMessage(""); }

void IpcWriter::Break() {
  // The beginning of a message whose rest is missing.
  std::string head;
  AppendFixed32(&head, kContinuation);
  AppendFixed32(&head, 256);
  write_(head);
}

}  // namespace varve::arrow
