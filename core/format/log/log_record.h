// SPDX-License-Identifier: Apache-2.0
// The physical records of WALs and MANIFESTs (db-format section 2).
//
// The file is a sequence of 32 KiB blocks. A physical record never crosses a block boundary: longer
// records are split into FIRST, MIDDLE* and LAST, and a rest of a block too small for a header is
// zero-filled.
//
//   | block 0                                  | block 1                        | ...
//   | FULL ...... | FULL ... | FIRST ......... | LAST .... | FULL .... | zeros |
//
//   legacy header (7)      | crc, LE u32 | length, LE u16 | type |               payload
//   recyclable header (11) | crc, LE u32 | length, LE u16 | type | log, LE u32 | payload
//
// `crc` is masked and covers everything from the type on; `length` is the payload's; `log` is the
// low half of the file's number, which identifies old records in a reused file. Written by:
// wal/log_writer.cc. Read by: wal/log_reader.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/hash/crc32c.h"

namespace varve {

inline constexpr uint64_t kLogBlockSize = 32768;
inline constexpr uint64_t kLogHeaderSize = 7;
inline constexpr uint64_t kRecyclableLogHeaderSize = 11;

enum class LogRecordType : uint8_t {
  kZero = 0,  // With length 0: preallocated space, the rest of the block is empty.
  kFull = 1,
  kFirst = 2,
  kMiddle = 3,
  kLast = 4,
  kRecyclableFull = 5,
  kRecyclableFirst = 6,
  kRecyclableMiddle = 7,
  kRecyclableLast = 8,
  // File metadata: single records that are never part of a logical one.
  kCompression = 9,      // Payload: compression id, LE u32. The file's first record.
  kTimestampSizes = 10,  // Payload: (family, LE u32 | size, LE u16)*
  kRecyclableTimestampSizes = 11,
  kPredecessor = 130,  // Payload: log number, size, last sequence: LE u64 each.
  kRecyclablePredecessor = 131,
};

// Readers skip unknown types with this bit set.
inline constexpr uint8_t kIgnorableLogRecordBit = 0x80;

constexpr bool IsRecyclable(uint8_t type) {
  return (type >= static_cast<uint8_t>(LogRecordType::kRecyclableFull) &&
          type <= static_cast<uint8_t>(LogRecordType::kRecyclableLast)) ||
         type == static_cast<uint8_t>(LogRecordType::kRecyclableTimestampSizes) ||
         type == static_cast<uint8_t>(LogRecordType::kRecyclablePredecessor);
}

struct LogRecordHeader {
  MaskedCrc crc;
  uint16_t length = 0;  // Of the payload.
  uint8_t type = 0;     // As stored: not necessarily a LogRecordType.

  uint64_t size() const { return IsRecyclable(type) ? kRecyclableLogHeaderSize : kLogHeaderSize; }
};

// `bytes` starts with a header; requires at least kLogHeaderSize bytes. For the log number of a
// recyclable header use RecyclableLogNumber().
LogRecordHeader DecodeLogRecordHeader(std::string_view bytes);
uint32_t RecyclableLogNumber(std::string_view bytes);  // Requires kRecyclableLogHeaderSize bytes.

// The crc that the header should have. `record` is the whole physical record.
MaskedCrc ComputeLogRecordCrc(std::string_view record);

// Appends the header and the payload of one legacy record: kFull, kFirst, kMiddle or kLast.
// Requires payload.size() < kLogBlockSize.
void AppendLogRecord(std::string* out, LogRecordType type, std::string_view payload);

}  // namespace varve
