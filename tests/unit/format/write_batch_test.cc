// SPDX-License-Identifier: Apache-2.0
#include "varve/write_batch.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/byte_writer.h"
#include "core/format/log/write_batch_format.h"

namespace varve {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kVector =
    "\x05\0\0\0\0\0\0\0\x03\0\0\0\x01\x01k\x01v\0\x01"
    "d\x05\x02\x01x\x01y"sv;

std::string Batch(uint32_t count, std::string_view records) {
  std::string batch;
  AppendFixed64(&batch, 5);
  AppendFixed32(&batch, count);
  return batch.append(records);
}

struct Walk {
  std::unique_ptr<const std::string> bytes;  // The records point into it.
  std::vector<BatchRecord> records;
  Status status;
};

Walk WalkThrough(std::string_view batch) {
  Walk walk;
  walk.bytes = std::make_unique<const std::string>(batch);
  BatchReader in(*walk.bytes);
  BatchRecord record;
  while (in.Next(&record)) walk.records.push_back(record);
  walk.status = in.status();
  return walk;
}

TEST_CASE("WriteBatch: its bytes are the published vector's") {
  WriteBatch batch;
  batch.Put("k", "v");
  batch.Delete("d");
  batch.Put(2, "x", "y");
  StampBatch(&batch.mutable_bytes(), 5);
  CHECK(batch.bytes() == kVector);
  CHECK(batch.count() == 3);
}

TEST_CASE("WriteBatch: every kind of change reads back, in both families, at any length") {
  for (const size_t size : {0u, 1u, 127u, 128u, 300u, 20000u}) {
    for (const ColumnFamilyId family : {0u, 1u, 127u, 128u, 0xFFFFFFFFu}) {
      const std::string key(size, 'k'), value(size + 1, 'v');
      WriteBatch batch;
      batch.Put(family, key, value);
      batch.Delete(family, key);
      batch.SingleDelete(family, key);
      batch.Merge(family, key, value);
      batch.DeleteRange(family, key, value);
      const Walk walk = WalkThrough(batch.bytes());
      REQUIRE(walk.status.ok());
      REQUIRE(walk.records.size() == 5);
      const ValueType types[] = {ValueType::kValue, ValueType::kDeletion,
                                 ValueType::kSingleDeletion, ValueType::kMerge,
                                 ValueType::kRangeDeletion};
      for (size_t i = 0; i < 5; ++i) {
        CHECK(walk.records[i].type == types[i]);
        CHECK(walk.records[i].family == family);
        CHECK(walk.records[i].key == key);
        CHECK(walk.records[i].value == (i == 1 || i == 2 ? "" : value));
      }
    }
  }
}

TEST_CASE("WriteBatch: appending joins changes and counts, also to itself") {
  WriteBatch a, b;
  a.Put("a", "1");
  b.Delete("b");
  a.Append(b);
  a.Append(a);
  CHECK(a.count() == 4);
  const Walk walk = WalkThrough(a.bytes());
  REQUIRE(walk.status.ok());
  CHECK(walk.records[3].key == "b");
  a.Clear();
  CHECK(a.empty());
  CHECK(a.bytes() == WriteBatch().bytes());
}

TEST_CASE("BatchReader: the vector cut anywhere is corruption") {
  for (size_t size = 0; size < kVector.size(); ++size) {
    CHECK(WalkThrough(kVector.substr(0, size)).status.code() == Code::kCorruption);
  }
  CHECK(WalkThrough(kVector).status.ok());
}

TEST_CASE("BatchReader: a count that is not the number of changes is corruption") {
  const std::string_view record = "\x01\x01k\x01v"sv;
  CHECK(WalkThrough(Batch(0, "")).status.ok());
  CHECK(WalkThrough(Batch(1, record)).status.ok());
  CHECK(WalkThrough(Batch(2, record)).status.message() ==
        "write batch has 1 changes, its header says 2");
  CHECK(WalkThrough(Batch(0, record)).status.code() == Code::kCorruption);
}

TEST_CASE("BatchReader: markers and log data are read and not counted") {
  const Walk walk = WalkThrough(
      Batch(0, "\x03\x02hi\x0D\x09\x12\x13\x0A\x01x\x0B\x01x\x0C\x01x\x15\x02ts\x01x"sv));
  REQUIRE(walk.status.ok());
  const BatchRecordKind kinds[] = {BatchRecordKind::kLogData,
                                   BatchRecordKind::kNoop,
                                   BatchRecordKind::kBeginPrepare,
                                   BatchRecordKind::kBeginPersistedPrepare,
                                   BatchRecordKind::kBeginUnprepare,
                                   BatchRecordKind::kEndPrepare,
                                   BatchRecordKind::kCommit,
                                   BatchRecordKind::kRollback,
                                   BatchRecordKind::kCommitWithTimestamp};
  REQUIRE(walk.records.size() == std::size(kinds));
  for (size_t i = 0; i < std::size(kinds); ++i) CHECK(walk.records[i].kind == kinds[i]);
  CHECK(walk.records[0].value == "hi");
  CHECK(walk.records[5].key == "x");
  CHECK(walk.records[8].key == "x");
  CHECK(walk.records[8].value == "ts");
}

TEST_CASE("BatchReader: entries that this engine does not write are read too") {
  const Walk walk = WalkThrough(Batch(3,
                                      "\x11\x01k\x01i\x17\x02\x01k\x01"
                                      "e\x18\x01k\x09v\x07\0\0\0\0\0\0\0"sv));
  REQUIRE(walk.status.ok());
  CHECK(walk.records[0].type == ValueType::kBlobIndex);
  CHECK(walk.records[1].type == ValueType::kWideColumnEntity);
  CHECK(walk.records[1].family == 2);
  CHECK(walk.records[2].type == ValueType::kValue);
  CHECK(walk.records[2].value == "v");
  CHECK(walk.records[2].write_time == 7);
  CHECK(!WalkThrough(Batch(1, "\x18\x01k\x07\0\0\0\0\0\0\0"sv)).status.ok());
}

TEST_CASE("BatchReader: every tag that is none is refused with its place") {
  for (int tag = 0; tag < 256; ++tag) {
    if (tag <= 0x13 || (tag >= 0x15 && tag <= 0x19)) continue;
    const Status status = WalkThrough(Batch(1, std::string(1, static_cast<char>(tag)))).status;
    CHECK(status.message() == "write batch@12: unknown tag " + std::to_string(tag));
  }
}

TEST_CASE("BatchReader: hostile lengths and sequences are corruption") {
  CHECK(!WalkThrough(Batch(1, "\x01\xff\xff\xff\xff\x0fk"sv)).status.ok());
  CHECK(!WalkThrough(Batch(1, "\x01\x81\x80\x80\x80\x80\x00k\x01v"sv)).status.ok());  // 6 bytes.
  CHECK(!WalkThrough(Batch(1, "\x05\xff\xff\xff\xff\x7f\x01k\x01v"sv)).status.ok());
  std::string batch = Batch(0, "");
  StoreFixed64(batch.data(), kMaxSequence + 1);
  CHECK(!WalkThrough(batch).status.ok());
}

TEST_CASE("a batch that was moved away is an empty one") {
  WriteBatch batch;
  batch.Put("a", "1");
  const WriteBatch given = std::move(batch);
  CHECK(batch.count() == 0);  // NOLINT: what is left is what is tested
  batch.Put("b", "2");
  batch.Delete("c");
  CHECK(WalkThrough(batch.bytes()).records.size() == 2);
  CHECK(batch.count() == 2);

  WriteBatch more = std::move(batch);
  more.Append(batch);  // NOLINT
  CHECK(more.count() == 2);
  batch.Append(given);  // NOLINT
  CHECK(batch.count() == 1);
  CHECK(batch.bytes() == given.bytes());
}

}  // namespace
}  // namespace varve
