// SPDX-License-Identifier: Apache-2.0
#include "core/format/log/log_record.h"

#include <array>
#include <cstring>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"

namespace varve {
namespace {

constexpr size_t kLengthOffset = sizeof(uint32_t);
constexpr size_t kTypeOffset = kLengthOffset + sizeof(uint16_t);
static_assert(kLogHeaderSize == kTypeOffset + 1);
static_assert(kRecyclableLogHeaderSize == kLogHeaderSize + sizeof(uint32_t));
static_assert(kLogBlockSize - kLogHeaderSize <= 0xFFFF, "a payload's length has 16 bits");

// The crc of a one-byte string: the initial value for the crc of records of that type.
constexpr Crc32c CrcOfByte(uint8_t byte) {
  constexpr uint32_t kPolynomial = 0x82F63B78;
  uint32_t crc = 0xFFFFFFFFu ^ byte;
  for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
  return {~crc};
}
constexpr std::array<Crc32c, 5> kTypeCrcs = {CrcOfByte(0), CrcOfByte(1), CrcOfByte(2), CrcOfByte(3),
                                             CrcOfByte(4)};

}  // namespace

LogRecordHeader DecodeLogRecordHeader(std::string_view bytes) {
  CHECK(bytes.size() >= kLogHeaderSize);
  LogRecordHeader header;
  header.crc = {LoadFixed32(bytes.data())};
  std::memcpy(&header.length, bytes.data() + kLengthOffset, sizeof(header.length));
  header.type = static_cast<uint8_t>(bytes[kTypeOffset]);
  return header;
}

uint32_t RecyclableLogNumber(std::string_view bytes) {
  CHECK(bytes.size() >= kRecyclableLogHeaderSize);
  return LoadFixed32(bytes.data() + kLogHeaderSize);
}

MaskedCrc ComputeLogRecordCrc(std::string_view record) {
  CHECK(record.size() >= kLogHeaderSize);
  return Mask(ComputeCrc32c(record.substr(kTypeOffset)));
}

void AppendLogRecord(std::string* out, LogRecordType type, std::string_view payload) {
  CHECK(payload.size() <= kLogBlockSize - kLogHeaderSize);
  CHECK(type >= LogRecordType::kFull);
  CHECK(type <= LogRecordType::kLast);
  const Crc32c crc = ExtendCrc32c(kTypeCrcs[static_cast<uint8_t>(type)], payload);
  char header[kLogHeaderSize];
  StoreFixed32(header, Mask(crc).value);
  const auto length = static_cast<uint16_t>(payload.size());
  std::memcpy(header + kLengthOffset, &length, sizeof(length));
  header[kTypeOffset] = static_cast<char>(type);
  out->append(header, sizeof(header)).append(payload);
}

}  // namespace varve
