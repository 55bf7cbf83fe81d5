// SPDX-License-Identifier: Apache-2.0
// A write batch, the payload of a log record: what is read of it, written again, is read again; the
// layout and the reader accept the same.
#include <string>
#include <string_view>
#include <vector>

#include "core/format/log/write_batch_format.h"
#include "core/format/value/stored_value.h"
#include "core/inspect/wal/log_layout.h"
#include "core/wal/wal_walk.h"
#include "tests/fuzz/targets.h"
#include "varve/write_batch.h"

namespace varve::fuzz {
namespace {

// False: not what a WriteBatch can be made of.
bool Add(const BatchRecord& record, WriteBatch* batch) {
  if (record.kind != BatchRecordKind::kEntry || record.write_time != 0) return false;
  switch (record.type) {
    case ValueType::kValue:
      batch->Put(record.key, record.value, record.family);
      return true;
    case ValueType::kDeletion:
      batch->Delete(record.key, record.family);
      return true;
    case ValueType::kSingleDeletion:
      batch->SingleDelete(record.key, record.family);
      return true;
    case ValueType::kMerge:
      batch->Merge(record.key, record.value, record.family);
      return true;
    case ValueType::kRangeDeletion:
      batch->DeleteRange(record.key, record.value, record.family);
      return true;
    default:
      return false;
  }
}

bool Same(const BatchRecord& a, const BatchRecord& b) {
  return a.kind == b.kind && a.type == b.type && a.family == b.family && a.key == b.key &&
         a.value == b.value;
}

void WriteAgain(const std::vector<BatchRecord>& records) {
  WriteBatch batch;
  std::vector<BatchRecord> added;
  for (const BatchRecord& record : records) {
    if (Add(record, &batch)) added.push_back(record);
  }
  BatchReader in(batch.bytes());
  BatchRecord record;
  size_t next = 0;
  while (in.Next(&record)) {
    Must(next < added.size() && Same(record, added[next]), "a change is written as it was read");
    ++next;
  }
  MustBeOk(in.status(), "a batch that was written");
  Must(next == added.size() && batch.count() == added.size(), "no change is left out");
}

void LayOut(std::string_view bytes) {
  LayoutNode whole{.name = "batch", .size = bytes.size()};
  LayOutBatch(bytes, 0, &whole);
  std::string again;
  EncodeLayout(whole, &again);
  Must(again == bytes, "the layout of a batch has all bytes");
}

void Run(std::string_view bytes) {
  if (!bytes.empty()) LayOut(bytes);
  BatchReader in(bytes);
  std::vector<BatchRecord> records;
  BatchRecord record;
  while (in.Next(&record)) {
    Must(record.offset < bytes.size(), "a record is within its batch");
    if (record.kind == BatchRecordKind::kEntry) {
      CheckStoredValue(record.key, record.type, record.value).Ignore("any bytes");
    }
    records.push_back(record);
  }
  if (CheckReplayable(bytes).ok()) MustBeOk(in.status(), "a batch that may be replayed");
  if (in.status().ok()) WriteAgain(records);
}

}  // namespace

const Target batch = {"batch", Run};

}  // namespace varve::fuzz
