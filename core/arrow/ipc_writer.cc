// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/ipc_writer.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/arrow/flat_buffer.h"
#include "core/arrow/ipc_format.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"

namespace varve::arrow {
namespace {

constexpr size_t kAlignment = 8;

size_t PaddingOf(size_t size) { return (kAlignment - size % kAlignment) % kAlignment; }

size_t AddMessage(FlatBuffer* out, uint8_t header, uint64_t body_size) {
  return out->Table({FlatBuffer::Short(kVersion5), FlatBuffer::Byte(header), FlatBuffer::Offset(),
                     FlatBuffer::Long(body_size)});
}

Type TypeOf(const ColumnType& type) {
  using Kind = ColumnType::Kind;
  switch (type.kind) {
    case Kind::kUnsigned:
    case Kind::kSigned:
      return Type::kInt;
    case Kind::kFloat:
      return Type::kFloatingPoint;
    case Kind::kFixed:
      return Type::kFixedSizeBinary;
    case Kind::kBool:
      return Type::kBool;
    case Kind::kText:
      return Type::kLargeUtf8;
    case Kind::kBytes:
      break;
  }
  return Type::kLargeBinary;
}

// What the type needs to be said of it.
size_t AddDetails(FlatBuffer* out, const ColumnType& type) {
  switch (TypeOf(type)) {
    case Type::kInt:
      return out->Table({FlatBuffer::Int(8 * type.width),
                         FlatBuffer::Byte(type.kind == ColumnType::Kind::kSigned ? 1 : 0)});
    case Type::kFloatingPoint:
      return out->Table({FlatBuffer::Short(type.width == sizeof(float) ? kSingle : kDouble)});
    case Type::kFixedSizeBinary:
      return out->Table({FlatBuffer::Int(type.width)});
    default:
      return out->Table({});
  }
}

size_t AddField(FlatBuffer* out, const ColumnField& column) {
  const size_t field =
      out->Table({FlatBuffer::Offset(), FlatBuffer::Byte(column.nullable ? 1 : 0),
                  FlatBuffer::Byte(static_cast<uint8_t>(TypeOf(column.type))), FlatBuffer::Offset(),
                  FlatBuffer::Absent(), FlatBuffer::Offset()});
  out->Point(field, field::kName, out->String(column.name));
  out->Point(field, field::kType, AddDetails(out, column.type));
  out->Point(field, field::kChildren, out->Offsets(0));  // Which readers want to be there.
  return field;
}

std::string SchemaMessage(const std::vector<ColumnField>& columns) {
  FlatBuffer out;
  const size_t message = AddMessage(&out, kSchemaHeader, 0);
  const size_t schema = out.Table({FlatBuffer::Absent(), FlatBuffer::Offset()});
  out.Point(message, message::kHeader, schema);
  const size_t fields = out.Offsets(columns.size());
  out.Point(schema, schema::kFields, fields);
  for (size_t i = 0; i < columns.size(); ++i) {
    out.PointElement(fields, i, AddField(&out, columns[i]));
  }
  return std::move(out).Finish();
}

// The buffers of a batch, one behind the other.
std::vector<std::string_view> BuffersOf(const RecordColumns& records) {
  std::vector<std::string_view> buffers;
  for (const Column& column : records.columns()) {
    const auto parts = column.buffers();
    const auto count = static_cast<std::ptrdiff_t>(column.buffer_count());
    buffers.insert(buffers.end(), parts.begin(), parts.begin() + count);
  }
  return buffers;
}

std::string BatchMessage(const RecordColumns& records, const std::vector<std::string_view>& buffers,
                         BodyCodec codec) {
  std::vector<int64_t> nodes, places;
  for (const Column& column : records.columns()) {
    CHECK_OP(column.rows(), ==, records.rows());
    nodes.insert(nodes.end(),
                 {static_cast<int64_t>(column.rows()), static_cast<int64_t>(column.nulls())});
  }
  size_t size = 0;
  for (const std::string_view buffer : buffers) {
    places.insert(places.end(), {static_cast<int64_t>(size), static_cast<int64_t>(buffer.size())});
    size += buffer.size() + PaddingOf(buffer.size());
  }
  FlatBuffer out;
  const size_t message = AddMessage(&out, kBatchHeader, size);
  const size_t batch =
      out.Table({FlatBuffer::Long(records.rows()), FlatBuffer::Offset(), FlatBuffer::Offset(),
                 codec == BodyCodec::kNone ? FlatBuffer::Absent() : FlatBuffer::Offset()});
  out.Point(message, message::kHeader, batch);
  out.Point(batch, batch::kNodes, out.Structs(nodes, 2));
  out.Point(batch, batch::kBuffers, out.Structs(places, 2));
  if (codec != BodyCodec::kNone) {
    out.Point(batch, batch::kCompression,
              out.Table({FlatBuffer::Byte(static_cast<uint8_t>(codec)),
                         FlatBuffer::Byte(compression::kOfBuffers)}));
  }
  return std::move(out).Finish();
}

}  // namespace

IpcWriter::IpcWriter(const std::vector<ColumnField>& fields, Write write, BodyCodec codec)
    : write_(std::move(write)), encoder_(codec) {
  WriteMessage(SchemaMessage(fields));
}

void IpcWriter::WriteMessage(std::string_view metadata) {
  CHECK_OP(metadata.size() % kAlignment, ==, 0, "what follows a message is aligned");
  CHECK_OP(metadata.size(), <=, std::numeric_limits<int32_t>::max());
  std::string head;
  AppendFixed32(&head, kContinuation);
  AppendFixed32(&head, static_cast<uint32_t>(metadata.size()));
  write_(head);
  write_(metadata);
}

void IpcWriter::WriteBatch(const RecordColumns& records) {
  std::vector<std::string_view> buffers = BuffersOf(records);
  std::vector<std::string> encoded(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) buffers[i] = encoder_.Encode(buffers[i], &encoded[i]);
  WriteMessage(BatchMessage(records, buffers, encoder_.codec()));
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
