// SPDX-License-Identifier: Apache-2.0
// The bytes of a WriteBatch, which are also the payload of every WAL record (db-format section 3):
//
//   | sequence, LE u64 | count, LE u32 | record* |
//   record = tag (1) | [family varint32] | key lp | [value lp]
//
// There is one tag per kind of change, and another one for records with a family field (tables in
// the .cc; lp = varint32 length, bytes). The n-th counted record has sequence number sequence + n.
//
// Written by: varve/write_batch.h, engine/write/write_path.cc (sequence).
// Read by: engine/open/wal_replay.cc, engine/write/batch_insert.cc, inspect/wal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/bytes/byte_reader.h"
#include "core/format/internal_key.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

inline constexpr uint64_t kWriteBatchHeaderSize = 12;

struct BatchHeader {
  Sequence sequence = 0;
  uint32_t count = 0;
};

enum class BatchRecordKind : uint8_t {
  kEntry,    // `type`, `family`, `key` and `value` are valid; uses up a sequence number.
  kLogData,  // `value` is valid; not applied.
  kNoop,
  kBeginPrepare,
  kBeginPersistedPrepare,
  kBeginUnprepare,
  kEndPrepare,
  kCommit,
  kCommitWithTimestamp,
  kRollback,  // `key` = xid.
};

struct BatchRecord {
  BatchRecordKind kind = BatchRecordKind::kEntry;
  ValueType type = ValueType::kValue;  // kRangeDeletion: key = begin, value = end.
  ColumnFamilyId family = kDefaultColumnFamilyId;
  std::string_view key;  // Views into the batch.
  std::string_view value;
  uint64_t offset = 0;  // Of the record's tag within the batch.
  uint8_t tag = 0;      // As stored.
  // A TimedPut (tags 0x18, 0x19) is returned as kValue: this is the Unix time stored behind its
  // value.
  uint64_t write_time = 0;
};

Result<BatchHeader> ReadBatchHeader(std::string_view batch);
void StampBatch(std::string* batch, Sequence sequence);  // Requires a whole header.

// Walks the records of a batch:
//   BatchReader in(batch);
//   BatchRecord record;
//   while (in.Next(&record)) use(record);
//   RETURN_IF_ERROR(in.status());   // Corruption: bad tag or field, or count != counted records.
class BatchReader {
 public:
  explicit BatchReader(std::string_view batch);
  bool Next(BatchRecord* record);
  const Status& status() const { return status_; }
  const BatchHeader& header() const { return header_; }

 private:
  bool Fail(std::string why);  // Stores the error and ends the walk.
  bool ReadFields(uint8_t tag, BatchRecord* record);

  ByteReader in_;
  BatchHeader header_;
  uint64_t counted_ = 0;
  Status status_;
};

}  // namespace varve
