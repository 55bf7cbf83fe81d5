// SPDX-License-Identifier: Apache-2.0
#include "core/wal/log_end.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/log/log_record.h"
#include "core/wal/zeros.h"

namespace varve {
namespace {

// The header kind of a log's records.
enum class Headers : uint8_t {
  kLegacy,
  kRecyclable,
  kUnknown,  // No valid record precedes the bad one, which has a recyclable header.
};

// The bytes of one block, or of its rest, and what a valid record of this log looks like.
struct Span {
  std::string_view bytes = {};
  uint64_t offset = 0;  // In the file.
  Headers headers = Headers::kLegacy;
  uint32_t log_number = 0;

  bool IsOwn(const LogRecordHeader& header, std::string_view from_header) const {
    if (headers == Headers::kLegacy) return true;
    if (!IsRecyclable(header.type)) return headers == Headers::kUnknown;
    return from_header.size() >= kRecyclableLogHeaderSize &&
           RecyclableLogNumber(from_header) == log_number;
  }
  // Whether a complete record begins at `at`; sets *size to the size in its header.
  bool HoldsRecordAt(uint64_t at, uint64_t* size) const {
    const std::string_view rest = bytes.substr(at);
    const LogRecordHeader header = DecodeLogRecordHeader(rest);
    *size = header.size() + header.length;
    if (header.type == 0 || header.length == 0 || *size > rest.size()) return false;
    return IsOwn(header, rest) && ComputeLogRecordCrc(rest.substr(0, *size)) == header.crc;
  }
};

struct Behind {
  uint64_t offset;
  std::string_view what;

  std::string text() const { return std::string(what) + " follows at " + std::to_string(offset); }
};

constexpr std::string_view kRecord = "a whole record of this log";
constexpr std::string_view kData = "data";

// Searches at every byte after the first of `span`.
std::optional<Behind> FindRecordAtAnyByte(const Span& span) {
  uint64_t size = 0;
  for (uint64_t at = 1; at + kLogHeaderSize <= span.bytes.size(); ++at) {
    if (span.HoldsRecordAt(at, &size)) return Behind{span.offset + at, kRecord};
  }
  return std::nullopt;
}

// Follows the chain of records from the beginning of a block.
std::optional<Behind> FindRecordInChain(const Span& span) {
  uint64_t size = 0;
  for (uint64_t at = 0; at + kLogHeaderSize <= span.bytes.size(); at += size) {
    if (span.HoldsRecordAt(at, &size)) return Behind{span.offset + at, kRecord};
  }
  return std::nullopt;
}

// For a legacy log: searches behind the bad record, if its length is plausible.
std::optional<Behind> FindDataBehindRecord(const Span& span) {
  if (span.bytes.size() < kLogHeaderSize) return std::nullopt;
  const LogRecordHeader header = DecodeLogRecordHeader(span.bytes);
  const uint64_t size = header.size() + header.length;
  if (size > span.bytes.size()) return std::nullopt;
  const size_t data = FindNotZero(span.bytes.substr(size));
  if (data == std::string_view::npos) return std::nullopt;
  return Behind{span.offset + size + data, kData};
}

Headers HeadersOf(const LogReader& log) {
  if (log.is_recyclable()) return Headers::kRecyclable;
  return log.saw_recyclable() ? Headers::kUnknown : Headers::kLegacy;
}

// Whether the bad record at `at` is a valid record by now. Only reused files are overwritten.
Result<bool> WasWrittenOver(const RandomAccessFile& file, uint64_t at, uint64_t block_end,
                            Span span, std::string* buffer) {
  if (span.headers == Headers::kLegacy) return false;
  ASSIGN_OR_RETURN(span.bytes, file.Read(at, block_end - at, buffer->data()));
  uint64_t size = 0;
  return span.bytes.size() >= kLogHeaderSize && span.HoldsRecordAt(0, &size);
}

}  // namespace

Result<std::optional<std::string>> FindDataBehind(const RandomAccessFile& file, uint64_t file_size,
                                                  uint64_t log_number, const LogReader& log,
                                                  LogReader::Event event, uint64_t* known) {
  using Found = std::optional<std::string>;
  CHECK(event != LogReader::Event::kRecord);
  if (event == LogReader::Event::kEnd || event == LogReader::Event::kIoError) return Found();
  // Each physical record is intact, including the bad one: no write was cut short.
  if (log.disorder()) return Found("its bytes are intact, their order is not");
  if (known != nullptr && *known > log.end_offset()) return Found(Behind{*known, kData}.text());
  const bool cut = event == LogReader::Event::kTruncated;
  uint64_t at = cut ? log.end_offset() : log.record_offset();
  const uint64_t bad = at;
  const uint64_t bad_block_end = std::min(bad - bad % kLogBlockSize + kLogBlockSize, file_size);
  Span span{.headers = HeadersOf(log), .log_number = static_cast<uint32_t>(log_number)};
  std::string buffer(kLogBlockSize, '\0');
  for (bool first = true; at < file_size; first = false) {
    const uint64_t block_end = std::min(at - at % kLogBlockSize + kLogBlockSize, file_size);
    ASSIGN_OR_RETURN(span.bytes, file.Read(at, block_end - at, buffer.data()));
    if (span.bytes.size() != block_end - at) break;  // The file has become shorter.
    span.offset = at;
    std::optional<Behind> found;
    if (first) {
      found = FindRecordAtAnyByte(span);
      if (!found && !cut && span.headers == Headers::kLegacy) found = FindDataBehindRecord(span);
    } else if (span.headers != Headers::kLegacy) {
      found = FindRecordInChain(span);
    } else if (const size_t data = FindNotZero(span.bytes); data != std::string_view::npos) {
      found = Behind{at + data, kData};
    }
    if (found) {
      ASSIGN_OR_RETURN(const bool grown, WasWrittenOver(file, bad, bad_block_end, span, &buffer));
      if (grown) return Found();
      if (known != nullptr) *known = found->offset;
      return Found(found->text());
    }
    at = block_end;
  }
  return Found();
}

}  // namespace varve
