// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/ipc_reader.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/arrow/body_codec.h"
#include "core/arrow/flat_view.h"
#include "core/arrow/ipc_format.h"
#include "core/base/check.h"
#include "core/base/text/abbreviate.h"
#include "core/base/try.h"

namespace varve::arrow {
namespace {

// Of those that no key or value has.
constexpr const char* kTypeNames[] = {
    "none",      "null",     "int",  "float",  "",      "", "bool", "decimal", "date",    "time",
    "timestamp", "interval", "list", "struct", "union", "", "list", "map",     "duration"};
constexpr int64_t kViewSize = 16;
constexpr int64_t kMaxRows = int64_t{1} << 40;
constexpr size_t kMaxColumns = 1 << 16;

Status Wrong(std::string_view what) {
  return Status::InvalidArgument("the message is not valid: " + std::string(what));
}

int64_t WordAt(const FlatVector& vector, size_t index) {
  int64_t word;
  CHECK_OP(vector.begin + (index + 1) * sizeof(word), <=, vector.bytes.size());
  std::memcpy(&word, vector.bytes.data() + vector.begin + index * sizeof(word), sizeof(word));
  return word;
}

Result<FlatTable> HeaderOf(std::string_view metadata) {
  const std::optional<FlatTable> root = FlatTable::Root(metadata);
  const std::optional<FlatTable> header = root ? root->Table(message::kHeader) : std::nullopt;
  if (!header) return Wrong("it has no header");
  return *header;
}

Result<BodyCodec> CodecOf(const FlatTable& batch) {
  const std::optional<FlatTable> details = batch.Table(batch::kCompression);
  if (!details) return BodyCodec::kNone;
  const auto codec = static_cast<BodyCodec>(details->Number<int8_t>(compression::kCodec, 0));
  if ((codec != BodyCodec::kLz4Frame && codec != BodyCodec::kZstd) ||
      details->Number<uint8_t>(compression::kMethod, 0) != compression::kOfBuffers) {
    return Status::NotSupported("batches that are compressed in another way than by LZ4 or zstd");
  }
  return codec;
}

// The buffers of a column, decompressed.
Result<std::vector<std::string_view>> DecodeAll(BodyCodec codec,
                                                std::span<const std::string_view> stored,
                                                std::vector<std::unique_ptr<char[]>>* owned) {
  std::vector<std::string_view> decoded;
  for (const std::string_view buffer : stored) {
    ASSIGN_OR_RETURN(const std::string_view bytes,
                     DecodeBuffer(codec, buffer, &owned->emplace_back()));
    decoded.push_back(bytes);
  }
  return decoded;
}

// The buffers of a batch, in the body.
Result<std::vector<std::string_view>> BuffersIn(const FlatTable& header, std::string_view body) {
  const std::optional<FlatVector> places = header.Vector(batch::kBuffers, 2 * sizeof(int64_t));
  if (!places) return Wrong("it has no buffers");
  std::vector<std::string_view> buffers;
  for (size_t i = 0; i < places->count; ++i) {
    const int64_t offset = WordAt(*places, 2 * i), size = WordAt(*places, 2 * i + 1);
    if (offset < 0 || size < 0 || static_cast<uint64_t>(offset) > body.size() ||
        static_cast<uint64_t>(size) > body.size() - static_cast<uint64_t>(offset)) {
      return Wrong("buffer " + std::to_string(i) + " is not in its body");
    }
    buffers.push_back(body.substr(static_cast<size_t>(offset), static_cast<size_t>(size)));
  }
  return buffers;
}

}  // namespace

Result<IpcReader::Message> IpcReader::Describe(std::string_view metadata) {
  const std::optional<FlatTable> root = FlatTable::Root(metadata);
  if (!root) return Wrong("it is no table");
  const auto version = root->Number<int16_t>(message::kVersion, 0);
  if (version != kVersion4 && version != kVersion5) {
    return Status::NotSupported("messages of Arrow's metadata version " +
                                std::to_string(version + 1) + "; 4 and 5 are read");
  }
  const auto size = root->Number<int64_t>(message::kBodyLength, 0);
  if (size < 0) return Wrong("its body has a negative size");
  const auto type = root->Number<uint8_t>(message::kHeaderType, 0);
  return Message{.kind = type == kSchemaHeader  ? Message::Kind::kSchema
                         : type == kBatchHeader ? Message::Kind::kBatch
                                                : Message::Kind::kOther,
                 .body_size = static_cast<uint64_t>(size)};
}

Result<IpcReader::Field> IpcReader::ReadField(const FlatTable& table) const {
  const auto type = table.Number<uint8_t>(field::kTypeType, 0);
  // Many columns may have one text as their name: copies of it could need any amount of memory.
  const std::string_view name = table.Text(field::kName).value_or("");
  const auto wanted = std::find_if(wanted_.begin(), wanted_.end(),
                                   [&](const ColumnField& field) { return field.name == name; });
  Field read = {.name = AbbreviateForDisplay(name),
                .wanted = wanted == wanted_.end() ? nullptr : &wanted->name,
                .format = type < std::size(kTypeNames) ? kTypeNames[type] : "unknown",
                .buffers = 2,
                .has_dictionary = table.Table(field::kDictionary).has_value()};
  if (read.has_dictionary) return read;  // Then its buffers are those of indices.
  const auto readable = [&](std::string format, int64_t width, size_t buffers) {
    read.format = std::move(format);
    read.width = width;
    read.buffers = buffers;
    read.is_read = true;
    return read;
  };
  const std::optional<FlatTable> details = table.Table(field::kType);
  switch (static_cast<Type>(type)) {
    case Type::kInt: {
      const int32_t bits = details ? details->Number<int32_t>(integer::kBits, 0) : 0;
      const bool is_signed = details && details->Number<uint8_t>(integer::kSigned, 0) != 0;
      if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return Wrong("the size of a number");
      const ColumnType::Kind kind =
          is_signed ? ColumnType::Kind::kSigned : ColumnType::Kind::kUnsigned;
      return readable(ColumnType{kind, static_cast<uint32_t>(bits / 8)}.format(), bits / 8, 2);
    }
    case Type::kFloatingPoint: {
      const int16_t precision = details ? details->Number<int16_t>(0, 0) : 0;
      if (precision == kHalf) break;
      return precision == kSingle ? readable("f", sizeof(float), 2)
                                  : readable("g", sizeof(double), 2);
    }
    case Type::kBool:
      return readable("b", 0, 2);
    case Type::kBinary:
    case Type::kUtf8:
      return readable("z", sizeof(int32_t), 3);
    case Type::kLargeBinary:
    case Type::kLargeUtf8:
      return readable("Z", sizeof(int64_t), 3);
    case Type::kBinaryView:
    case Type::kUtf8View:
      read.is_view = true;
      return readable("vz", kViewSize, 2);
    case Type::kFixedSizeBinary: {
      const int64_t width = details ? details->Number<int32_t>(0, 0) : 0;
      if (width < 0) return Wrong("a column has a negative width");
      read.format = "binary without width";  // Any number of rows would fit into no bytes.
      return width == 0 ? read : readable("w:" + std::to_string(width), width, 2);
    }
    case Type::kNull:
      read.buffers = 0;
      return read;
    default:
      break;
  }
  // Numbers, times and the like have two buffers.
  if (type >= static_cast<uint8_t>(Type::kInt) && type <= static_cast<uint8_t>(Type::kInterval)) {
    return read;
  }
  if (static_cast<Type>(type) == Type::kDuration) return read;
  return Status::NotSupported("column \"" + read.name +
                              "\" has a nested type: write only the columns that are loaded");
}

Status IpcReader::ReadSchema(std::string_view metadata) {
  ASSIGN_OR_RETURN(const FlatTable header, HeaderOf(metadata));
  if (header.Number<int16_t>(schema::kEndianness, 0) != 0) {
    return Status::NotSupported("numbers with the high byte first");
  }
  const std::optional<FlatVector> fields = header.Vector(schema::kFields, sizeof(uint32_t));
  if (!fields) return Wrong("the schema has no columns");
  if (fields->count > kMaxColumns) {
    return Status::NotSupported("a schema of " + std::to_string(fields->count) + " columns");
  }
  fields_.clear();
  for (size_t i = 0; i < fields->count; ++i) {
    const std::optional<FlatTable> table = FlatTable::At(*fields, i);
    if (!table) return Wrong("column " + std::to_string(i) + " is no table");
    ASSIGN_OR_RETURN(Field read, ReadField(*table));
    fields_.push_back(std::move(read));
  }
  return FindColumns();
}

// As from a program that gives this schema through the C data interface.
Status IpcReader::FindColumns() {
  ArrowSchema table = {}, dictionary = {};
  std::vector<ArrowSchema> columns(fields_.size());
  std::vector<ArrowSchema*> pointers;
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].wanted != nullptr) columns[i].name = fields_[i].wanted->c_str();
    columns[i].format = fields_[i].format.c_str();
    if (fields_[i].has_dictionary) columns[i].dictionary = &dictionary;
    pointers.push_back(&columns[i]);
  }
  table.format = "+s";
  table.n_children = static_cast<int64_t>(columns.size());
  table.children = pointers.data();
  ASSIGN_OR_RETURN(RecordRows records, RecordRows::Find(table, shape_));
  records_.emplace(std::move(records));
  return Status::Ok();
}

Status IpcReader::SetBuffers(const Field& field, std::span<const std::string_view> parts,
                             int64_t nulls, Buffers* out) const {
  const auto too_small = [&] {
    return Wrong("a buffer of column \"" + field.name + "\" is too small");
  };
  CHECK_OP(parts.size(), >=, field.buffers);
  CHECK(field.is_read && field.buffers >= 2, "others have no elements");
  const std::string_view bits = parts[0], elements = parts[1];
  const auto rows = static_cast<uint64_t>(rows_);
  if (nulls != 0 && !bits.empty() && bits.size() < (rows + 7) / 8) return too_small();
  const bool has_ends = field.buffers == 3;  // Offsets: one more than there are rows.
  const uint64_t count = rows == 0 ? 0 : rows + (has_ends ? 1 : 0);
  const auto width = static_cast<uint64_t>(field.width);
  const bool fits =
      width == 0 ? elements.size() >= (count + 7) / 8 : elements.size() / width >= count;
  if (!fits) return too_small();
  for (const std::string_view part : parts) out->pointers.push_back(part.data());
  if (bits.empty()) out->pointers[0] = nullptr;
  if (has_ends) out->data_size = static_cast<int64_t>(parts[2].size());
  if (field.is_view) {
    for (size_t i = 2; i < parts.size(); ++i) {
      out->sizes.push_back(static_cast<int64_t>(parts[i].size()));
    }
    out->pointers.push_back(out->sizes.data());
  }
  out->array.length = rows_;
  out->array.null_count = nulls;
  out->array.n_buffers = static_cast<int64_t>(out->pointers.size());
  out->array.buffers = out->pointers.data();
  return Status::Ok();
}

Status IpcReader::ReadBatch(std::string_view metadata, std::string_view body) {
  CHECK(has_schema(), "a batch is read with the schema before it");
  ASSIGN_OR_RETURN(const FlatTable header, HeaderOf(metadata));
  ASSIGN_OR_RETURN(const BodyCodec codec, CodecOf(header));
  rows_ = header.Number<int64_t>(batch::kLength, 0);
  if (rows_ < 0 || rows_ > kMaxRows) return Wrong("its number of rows");
  const std::optional<FlatVector> nodes = header.Vector(batch::kNodes, 2 * sizeof(int64_t));
  if (!nodes || nodes->count != fields_.size())
    return Wrong("it has other columns than the schema");
  ASSIGN_OR_RETURN(const std::vector<std::string_view> parts, BuffersIn(header, body));
  const std::optional<FlatVector> variadic = header.Vector(batch::kVariadicCounts, sizeof(int64_t));

  buffers_ = std::vector<Buffers>(fields_.size());
  std::vector<ArrowArray*> children;
  size_t part = 0, view = 0;
  for (size_t i = 0; i < fields_.size(); ++i) {
    const Field& field = fields_[i];
    uint64_t count = field.buffers;
    if (field.is_view) {
      if (!variadic || view == variadic->count) return Wrong("it lacks numbers of buffers");
      const int64_t more = WordAt(*variadic, view++);
      if (more < 0 || static_cast<uint64_t>(more) > parts.size()) {
        return Wrong("its number of buffers");
      }
      count += static_cast<uint64_t>(more);
    }
    if (count > parts.size() - part) return Wrong("it has too few buffers");
    const auto mine = std::span(parts).subspan(part, static_cast<size_t>(count));
    part += count;
    if (WordAt(*nodes, 2 * i) != rows_) return Wrong("its columns have different lengths");
    if (field.is_read && field.wanted != nullptr) {
      ASSIGN_OR_RETURN(const auto decoded, DecodeAll(codec, mine, &buffers_[i].decoded));
      RETURN_IF_ERROR(SetBuffers(field, decoded, WordAt(*nodes, 2 * i + 1), &buffers_[i]));
    }
    children.push_back(&buffers_[i].array);
  }
  ArrowArray table = {};
  table.length = rows_;
  table.n_children = static_cast<int64_t>(children.size());
  table.children = children.data();
  RETURN_IF_ERROR(records_->Begin(table));
  records_->Limit([this](size_t column) { return buffers_[column].data_size; });
  return Status::Ok();
}

}  // namespace varve::arrow
