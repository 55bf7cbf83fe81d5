// SPDX-License-Identifier: Apache-2.0
#include "core/c/batch_records.h"

#include "core/base/bytes/byte_writer.h"

namespace varve::c {
namespace {

Status AppendChange(const BatchRecord& change, WriteBatch* batch) {
  switch (change.type) {
    case ValueType::kValue:
      batch->Put(change.key, change.value, change.family);
      return Status::Ok();
    case ValueType::kDeletion:
      batch->Delete(change.key, change.family);
      return Status::Ok();
    case ValueType::kSingleDeletion:
      batch->SingleDelete(change.key, change.family);
      return Status::Ok();
    case ValueType::kMerge:
      batch->Merge(change.key, change.value, change.family);
      return Status::Ok();
    case ValueType::kRangeDeletion:
      batch->DeleteRange(change.key, change.value, change.family);
      return Status::Ok();
    default:
      return Status::NotSupported("a batch with changes of another kind");
  }
}

}  // namespace

Status AppendRecord(const BatchRecord& record, WriteBatch* batch) {
  switch (record.kind) {
    case BatchRecordKind::kEntry:
      return AppendChange(record, batch);
    case BatchRecordKind::kLogData:
      AppendLogData(record.value, batch);
      return Status::Ok();
    case BatchRecordKind::kNoop:
      return Status::Ok();
    default:
      return Status::NotSupported("a batch with marks of transactions");
  }
}

void AppendLogData(std::string_view blob, WriteBatch* batch) {
  constexpr char kLogDataTag = 0x3;
  std::string& bytes = batch->mutable_bytes();
  bytes.push_back(kLogDataTag);
  AppendLengthPrefixed(&bytes, blob);
}

}  // namespace varve::c
