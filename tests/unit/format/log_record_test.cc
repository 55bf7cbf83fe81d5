// SPDX-License-Identifier: Apache-2.0
#include "core/format/log/log_record.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

using namespace std::string_literals;

const std::string kBatch =
    "\x05\0\0\0\0\0\0\0\x03\0\0\0\x01\x01k\x01v\0\x01"
    "d\x05\x02\x01x\x01y"s;

TEST_CASE("LogRecord: a legacy record is the published vector's") {
  std::string out = "in front";
  AppendLogRecord(&out, LogRecordType::kFull, kBatch);
  CHECK(out == "in front\x72\xe1\x03\x34\x1a\x00\x01"s + kBatch);
}

TEST_CASE("LogRecord: headers of both kinds and their checksums decode from the vectors") {
  const std::string recyclable = "\xa3\x5e\x74\x63\x1a\x00\x05\x0c\0\0\0"s + kBatch;
  const LogRecordHeader header = DecodeLogRecordHeader(recyclable);
  CHECK(header.type == 5);
  CHECK(header.length == kBatch.size());
  CHECK(header.size() == kRecyclableLogHeaderSize);
  CHECK(RecyclableLogNumber(recyclable) == 12);
  CHECK(ComputeLogRecordCrc(recyclable) == header.crc);
  for (const std::string& meta :
       {"\xe1\x2c\x08\xf8\x04\x00\x09\x07\0\0\0"s, "\x3a\x99\xa1\x6e\x06\x00\x0a\x01\0\0\0\x08\0"s,
        "\x92\x82\xde\x4d\x18\x00\x82\x04\0\0\0\0\0\0\0\x30\x01\0\0\0\0\0\0\x05\0\0\0\0\0\0\0"s}) {
    CHECK(ComputeLogRecordCrc(meta) == DecodeLogRecordHeader(meta).crc);
    CHECK(DecodeLogRecordHeader(meta).size() + DecodeLogRecordHeader(meta).length == meta.size());
  }
}

TEST_CASE("LogRecord: every legacy type is checked together with its payload") {
  for (const LogRecordType type : {LogRecordType::kFull, LogRecordType::kFirst,
                                   LogRecordType::kMiddle, LogRecordType::kLast}) {
    for (const size_t size : {size_t{0}, size_t{1}, size_t{kLogBlockSize - kLogHeaderSize}}) {
      std::string out;
      AppendLogRecord(&out, type, std::string(size, 'p'));
      const LogRecordHeader header = DecodeLogRecordHeader(out);
      CHECK(header.type == static_cast<uint8_t>(type));
      CHECK(header.length == size);
      CHECK(ComputeLogRecordCrc(out) == header.crc);
      out[6] ^= 7;
      CHECK(ComputeLogRecordCrc(out) != header.crc);
    }
  }
}

}  // namespace
}  // namespace varve
