// SPDX-License-Identifier: Apache-2.0
#include "core/format/log/write_batch_format.h"

#include <array>
#include <utility>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/format/length_prefixed.h"

namespace varve {
namespace {

static_assert(kWriteBatchHeaderSize == sizeof(uint64_t) + sizeof(uint32_t));

constexpr uint8_t kTagTimedPut = 0x18;
constexpr uint8_t kTagTimedPutWithFamily = 0x19;

enum class Fields : uint8_t { kInvalid, kNone, kKey, kValueOnly, kKeyAndValue, kValueAndKey };

// Which fields follow a tag.
struct TagShape {
  Fields fields = Fields::kInvalid;
  BatchRecordKind kind = BatchRecordKind::kEntry;
  ValueType type = ValueType::kValue;
  bool has_family = false;
};

constexpr std::array<TagShape, 0x1A> MakeShapes() {
  std::array<TagShape, 0x1A> shapes{};
  const auto entry = [&](int tag, int tag_with_family, Fields fields, ValueType type) {
    shapes[tag] = {fields, BatchRecordKind::kEntry, type, false};
    shapes[tag_with_family] = {fields, BatchRecordKind::kEntry, type, true};
  };
  entry(0x01, 0x05, Fields::kKeyAndValue, ValueType::kValue);
  entry(0x00, 0x04, Fields::kKey, ValueType::kDeletion);
  entry(0x07, 0x08, Fields::kKey, ValueType::kSingleDeletion);
  entry(0x02, 0x06, Fields::kKeyAndValue, ValueType::kMerge);
  entry(0x0F, 0x0E, Fields::kKeyAndValue, ValueType::kRangeDeletion);
  entry(0x11, 0x10, Fields::kKeyAndValue, ValueType::kBlobIndex);
  entry(0x16, 0x17, Fields::kKeyAndValue, ValueType::kWideColumnEntity);
  entry(kTagTimedPut, kTagTimedPutWithFamily, Fields::kKeyAndValue, ValueType::kValue);

  const auto marker = [&](int tag, Fields fields, BatchRecordKind kind) {
    shapes[tag] = {fields, kind, ValueType::kValue, false};
  };
  marker(0x03, Fields::kValueOnly, BatchRecordKind::kLogData);
  marker(0x0D, Fields::kNone, BatchRecordKind::kNoop);
  marker(0x09, Fields::kNone, BatchRecordKind::kBeginPrepare);
  marker(0x12, Fields::kNone, BatchRecordKind::kBeginPersistedPrepare);
  marker(0x13, Fields::kNone, BatchRecordKind::kBeginUnprepare);
  marker(0x0A, Fields::kKey, BatchRecordKind::kEndPrepare);
  marker(0x0B, Fields::kKey, BatchRecordKind::kCommit);
  marker(0x15, Fields::kValueAndKey, BatchRecordKind::kCommitWithTimestamp);
  marker(0x0C, Fields::kKey, BatchRecordKind::kRollback);
  return shapes;
}

constexpr std::array<TagShape, 0x1A> kShapes = MakeShapes();

bool ReadHeader(ByteReader* in, BatchHeader* header) {
  return in->ReadFixed64(&header->sequence) && in->ReadFixed32(&header->count);
}

Status NoHeader(size_t size) {
  return Status::Corruption("write batch of " + std::to_string(size) +
                            " bytes; its header alone has 12");
}

std::string At(uint64_t offset) { return "write batch@" + std::to_string(offset) + ": "; }

}  // namespace

Result<BatchHeader> ReadBatchHeader(std::string_view batch) {
  ByteReader in(batch);
  BatchHeader header;
  if (!ReadHeader(&in, &header)) return NoHeader(batch.size());
  return header;
}

void StampBatch(std::string* batch, Sequence sequence) {
  CHECK(batch->size() >= kWriteBatchHeaderSize);
  CHECK(sequence <= kMaxSequence);
  StoreFixed64(batch->data(), sequence);
}

BatchReader::BatchReader(std::string_view batch) : in_(batch) {
  if (!ReadHeader(&in_, &header_)) {
    status_ = NoHeader(batch.size());
    return;
  }
  if (header_.sequence > kMaxSequence) {
    status_ = Status::Corruption(At(0) + "sequence " + std::to_string(header_.sequence) +
                                 " has more than 56 bits");
  }
}

bool BatchReader::Next(BatchRecord* record) {
  if (!status_.ok()) return false;
  if (in_.empty()) {
    if (counted_ == header_.count) return false;
    return Fail("write batch has " + std::to_string(counted_) + " changes, its header says " +
                std::to_string(header_.count));
  }
  *record = {};
  record->offset = in_.offset();
  in_.ReadByte(&record->tag);
  if (record->tag >= kShapes.size() || kShapes[record->tag].fields == Fields::kInvalid) {
    return Fail(At(record->offset) + "unknown tag " + std::to_string(record->tag));
  }
  if (!ReadFields(record->tag, record)) {
    return Fail(At(record->offset) + "a field of the record with tag " +
                std::to_string(record->tag) + " does not fit into the batch");
  }
  if (record->kind == BatchRecordKind::kEntry) ++counted_;
  return true;
}

bool BatchReader::ReadFields(uint8_t tag, BatchRecord* record) {
  const TagShape& shape = kShapes[tag];
  record->kind = shape.kind;
  record->type = shape.type;
  if (shape.has_family && !in_.ReadVarint32(&record->family)) return false;
  switch (shape.fields) {
    case Fields::kInvalid:
      return false;
    case Fields::kNone:
      return true;
    case Fields::kKey:
      return ReadLengthPrefixed32(in_, &record->key);
    case Fields::kValueOnly:
      return ReadLengthPrefixed32(in_, &record->value);
    case Fields::kValueAndKey:
      return ReadLengthPrefixed32(in_, &record->value) && ReadLengthPrefixed32(in_, &record->key);
    case Fields::kKeyAndValue:
      break;
  }
  if (!ReadLengthPrefixed32(in_, &record->key) || !ReadLengthPrefixed32(in_, &record->value)) {
    return false;
  }
  if (tag != kTagTimedPut && tag != kTagTimedPutWithFamily) return true;
  if (record->value.size() < sizeof(record->write_time)) return false;
  const size_t value_size = record->value.size() - sizeof(record->write_time);
  record->write_time = LoadFixed64(record->value.data() + value_size);
  record->value = record->value.substr(0, value_size);
  return true;
}

bool BatchReader::Fail(std::string why) {
  status_ = Status::Corruption(std::move(why));
  return false;
}

}  // namespace varve
