// SPDX-License-Identifier: Apache-2.0
#include "core/format/log/write_batch_format.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "tests/unit/format/batch_walk.h"

namespace varve {
namespace {

using namespace std::string_view_literals;

std::string Batch(uint32_t count, std::string_view records) {
  std::string batch;
  AppendFixed64(&batch, 5);
  AppendFixed32(&batch, count);
  return batch.append(records);
}

TEST_CASE("ReadBatchHeader: twelve bytes, whatever follows; fewer are corruption") {
  const Result<BatchHeader> header = ReadBatchHeader(kVectorBatch);
  REQUIRE(header.ok());
  CHECK_EQ(header->sequence, 5u);
  CHECK_EQ(header->count, 3u);
  CHECK(ReadBatchHeader(kVectorBatch.substr(0, 12)).ok());
  for (size_t size = 0; size < 12; ++size) {
    CHECK_EQ(ReadBatchHeader(kVectorBatch.substr(0, size)).status().message(),
             "write batch of " + std::to_string(size) + " bytes; its header alone has 12");
  }
}

TEST_CASE("StampBatch: changes the sequence and nothing else") {
  for (const Sequence sequence : {Sequence{0}, Sequence{1}, kMaxSequence}) {
    std::string batch(kVectorBatch);
    StampBatch(&batch, sequence);
    CHECK_EQ(ReadBatchHeader(batch)->sequence, sequence);
    CHECK_EQ(std::string_view(batch).substr(8), kVectorBatch.substr(8));
    CHECK(WalkThrough(batch).status.ok());
  }
}

TEST_CASE("BatchReader: each record says where it begins, and its tag as stored") {
  const BatchWalk walk = WalkThrough(kVectorBatch);
  REQUIRE(walk.records.size() == 3);
  CHECK_EQ(walk.records[0].offset, 12u);
  CHECK_EQ(walk.records[1].offset, 17u);
  CHECK_EQ(walk.records[2].offset, 20u);
  CHECK_EQ(walk.records[2].tag, 5);
  CHECK_EQ(walk.records[2].key.data(), walk.bytes->data() + 23);  // A view, not a copy.
}

TEST_CASE("BatchReader: the vector cut anywhere is corruption") {
  for (size_t size = 0; size < kVectorBatch.size(); ++size) {
    CHECK(WalkThrough(kVectorBatch.substr(0, size)).status.code() == Code::kCorruption);
  }
  CHECK(WalkThrough(kVectorBatch).status.ok());
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
  const BatchWalk walk = WalkThrough(
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
  const BatchWalk walk = WalkThrough(Batch(3,
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

TEST_CASE("BatchReader: a walk that failed stays failed") {
  const std::string batch = Batch(2, "\x01\x01k\x01v\x63\x01\x01k\x01v"sv);
  BatchReader in(batch);
  BatchRecord record;
  CHECK(in.Next(&record));
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(in.Next(&record));
    CHECK_EQ(in.status().message(), "write batch@17: unknown tag 99");
  }
}

TEST_CASE("BatchReader: damaged batches end, and what was read lies within them") {
  uint32_t state = 7;
  const auto random = [&state] { return (state = state * 1664525 + 1013904223) >> 8; };
  for (int i = 0; i < 50'000; ++i) {
    std::string batch(kVectorBatch);
    for (uint32_t n = random() % 3 + 1; n > 0; --n) {
      batch[random() % batch.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) batch.resize(random() % batch.size());
    const BatchWalk walk = WalkThrough(batch);
    REQUIRE((walk.status.ok() || walk.status.code() == Code::kCorruption));
    for (const BatchRecord& record : walk.records) {
      REQUIRE(record.offset < batch.size());
      REQUIRE(record.key.size() + record.value.size() < batch.size());
    }
  }
}

}  // namespace
}  // namespace varve
