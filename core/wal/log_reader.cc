// SPDX-License-Identifier: Apache-2.0
#include "core/wal/log_reader.h"

#include <algorithm>
#include <utility>

#include "core/base/bytes/byte_reader.h"
#include "core/base/check.h"
#include "core/base/codec/compression.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/format/log/log_record.h"
#include "core/wal/zeros.h"

namespace varve {
namespace {

// Whole blocks, so that no physical record crosses the end of the window.
constexpr uint64_t kWindowSize = 8 * kLogBlockSize;

// The maximum decompressed size of a record.
uint64_t RawSizeLimit(uint64_t stored) {
  const uint64_t plausible = std::max(kBlockExpansionFree, stored * kBlockExpansionMax);
  return std::min(plausible, kWriteBatchSizeMax);
}

}  // namespace

struct LogReader::Impl {
  using Event = LogReader::Event;

  // An intact record of this file.
  struct Physical {
    uint64_t offset = 0;
    LogRecordType type = LogRecordType::kZero;  // As a legacy type.
    uint8_t stored_type = 0;
    std::string_view payload;
  };

  Impl(const RandomAccessFile& the_file, uint64_t size, uint64_t number)
      : file(the_file), file_size(size), log_number(static_cast<uint32_t>(number)) {}

  Event Next();

  // One step: returns an event, or nullopt to continue. With kRecord, `physical` is filled in.
  std::optional<Event> ReadPhysical(Physical* physical);
  std::optional<Event> AtBlockEnd(uint64_t block_end);
  std::optional<Event> TakeData(const Physical& physical);
  std::optional<Event> TakeMeta(const Physical& physical);
  Event Deliver(std::string_view stored);

  bool FillWindow(uint64_t block_end);
  bool HasShrunk(uint64_t size);
  bool IsTrailer(uint64_t offset, uint64_t block_end) const;
  Event AtZeros(uint64_t offset, uint64_t block_end);
  Result<uint64_t> FindData(uint64_t from);
  std::string_view Bytes(uint64_t from, uint64_t to) const {
    DCHECK(window_offset <= from && from <= to && to <= window_offset + window.size());
    return window.substr(from - window_offset, to - from);
  }

  // Results of Next(): the next call continues at `resume`.
  Event Drop(Event event, uint64_t offset, uint64_t resume, std::string why);
  Event Disorder(uint64_t offset, uint64_t resume, std::string why);
  Event Finish(Event event, uint64_t offset, std::string why);

  const RandomAccessFile& file;
  uint64_t file_size;
  const uint32_t log_number;

  std::string buffer;
  std::string_view
      window;  // Bytes of the file from window_offset on: in `buffer` or in the file's own memory.
  uint64_t window_offset = 0;
  uint64_t position = 0;

  // First nonzero byte after the last zeros found; file_size if there is none.
  std::optional<uint64_t> data_offset;

  // A logical record whose FIRST was read.
  bool in_fragment = false;
  uint64_t fragment_offset = 0;
  std::string fragment;
  uint64_t fragment_stored = 0;  // Its bytes in the file, including headers.

  bool claims_recyclable = false;  // Some record had a recyclable header.
  bool recyclable = false;         // An intact record had one.
  bool delivered = false;          // A logical record was returned.
  bool compressed = false;
  bool saw_compression = false;
  std::string inflated;

  // The last result of Next(), if the log has ended.
  std::optional<Event> final_event;
  std::string_view record;
  uint64_t record_offset = 0;
  uint64_t dropped = 0;
  bool was_in_fragment = false;
  bool disorder = false;
  std::string reason;
  Status status;
};

LogReader::Event LogReader::Impl::Drop(Event event, uint64_t offset, uint64_t resume,
                                       std::string why) {
  CHECK(offset <= resume && resume <= file_size);
  record_offset = offset;
  was_in_fragment = in_fragment;
  dropped = resume - offset + (in_fragment ? fragment_stored : 0);
  reason = std::move(why);
  position = resume;
  in_fragment = false;
  return event;
}

LogReader::Event LogReader::Impl::Disorder(uint64_t offset, uint64_t resume, std::string why) {
  disorder = true;
  return Drop(Event::kBad, offset, resume, std::move(why));
}

LogReader::Event LogReader::Impl::Finish(Event event, uint64_t offset, std::string why) {
  CHECK(!final_event && offset <= file_size);
  final_event = event;
  record_offset = in_fragment ? fragment_offset : offset;
  was_in_fragment = in_fragment;
  dropped = event == Event::kTruncated ? file_size - record_offset : 0;
  reason = std::move(why);
  return event;
}

LogReader::Event LogReader::Impl::Next() {
  if (final_event) return *final_event;
  record = {};
  dropped = 0;
  was_in_fragment = false;
  disorder = false;
  reason.clear();
  while (true) {
    Physical physical;
    std::optional<Event> event = ReadPhysical(&physical);
    if (event == Event::kRecord) {
      event = physical.type <= LogRecordType::kLast ? TakeData(physical) : TakeMeta(physical);
    }
    if (event) return *event;
  }
}

// The rest of the block is too small for a header.
std::optional<LogReader::Event> LogReader::Impl::AtBlockEnd(uint64_t block_end) {
  if (block_end < file_size) {
    position = block_end;
    return std::nullopt;
  }
  const uint64_t left = block_end - position;
  if (left > 0 && file_size % kLogBlockSize != 0) {
    return Finish(Event::kTruncated, position,
                  "the file ends " + std::to_string(left) + " bytes into a record's header");
  }
  if (in_fragment) {
    return Finish(Event::kTruncated, position, "the file ends between the fragments of a record");
  }
  return Finish(Event::kEnd, position, "");
}

bool LogReader::Impl::FillWindow(uint64_t block_end) {
  if (position >= window_offset && block_end <= window_offset + window.size()) return true;
  const uint64_t start = position - position % kLogBlockSize;
  const uint64_t size = std::min(kWindowSize, file_size - start);
  if (buffer.size() < size) buffer.resize(size);
  Result<std::string_view> read = file.Read(start, size, buffer.data());
  if (!read.ok()) {
    status = read.status();
    return false;
  }
  window = *read;
  window_offset = start;
  if (window.size() >= size || HasShrunk(size)) return true;
  status = Status::IoError(FileOffset(file.path(), start + window.size()) +
                           ": the file ends here, it had " + std::to_string(file_size) + " bytes");
  return false;
}

// The writer of a reused file truncates it when closing: the rest was of its previous life. A
// reader that got the size before sees a larger one. The window has what was read of `size` bytes.
bool LogReader::Impl::HasShrunk(uint64_t size) {
  const bool reused =
      recyclable || (window_offset == 0 && window.size() >= kRecyclableLogHeaderSize &&
                     IsRecyclable(DecodeLogRecordHeader(window).type));
  if (!reused || window_offset + window.size() < position) return false;
  CHECK(window.size() < size);
  file_size = window_offset + window.size();
  return true;
}

// A log with recyclable headers leaves up to 10 bytes at the end of a block unused.
bool LogReader::Impl::IsTrailer(uint64_t offset, uint64_t block_end) const {
  return recyclable && block_end % kLogBlockSize == 0 &&
         block_end - offset < kRecyclableLogHeaderSize &&
         FindNotZero(Bytes(offset, block_end)) == std::string_view::npos;
}

// The offset of the first nonzero byte from `from` on, file_size if there is none. Repeated calls
// read each byte only once.
Result<uint64_t> LogReader::Impl::FindData(uint64_t from) {
  if (data_offset && *data_offset >= from) return *data_offset;
  std::string bytes(std::min(kWindowSize, file_size), '\0');
  for (uint64_t at = from; at < file_size;) {
    ASSIGN_OR_RETURN(const std::string_view read,
                     file.Read(at, std::min(kWindowSize, file_size - at), bytes.data()));
    if (read.empty()) break;
    const size_t found = FindNotZero(read);
    if (found != std::string_view::npos) return *(data_offset = at + found);
    at += read.size();
  }
  return *(data_offset = file_size);
}

// Preallocated space is zero up to the end of the file. Zeros with data behind them are damaged
// records.
LogReader::Event LogReader::Impl::AtZeros(uint64_t offset, uint64_t block_end) {
  const Result<uint64_t> data = FindData(offset);
  if (!data.ok()) {
    status = data.status();
    return Finish(Event::kIoError, offset, std::string(status.message()));
  }
  if (*data < file_size) {
    return Drop(Event::kBad, offset, block_end,
                "zeros, though data follows at " + std::to_string(*data));
  }
  return Finish(Event::kEnd, offset, "");
}

std::optional<LogReader::Event> LogReader::Impl::ReadPhysical(Physical* physical) {
  const uint64_t offset = position;
  const uint64_t block_end = std::min(offset - offset % kLogBlockSize + kLogBlockSize, file_size);
  const uint64_t left = block_end - offset;
  if (left < kLogHeaderSize) return AtBlockEnd(block_end);
  if (!FillWindow(block_end)) return Finish(Event::kIoError, offset, std::string(status.message()));
  if (block_end > file_size) return std::nullopt;  // The file has become shorter: read again.

  const LogRecordHeader header = DecodeLogRecordHeader(Bytes(offset, block_end));
  if (IsTrailer(offset, block_end)) return AtBlockEnd(block_end);
  if (IsRecyclable(header.type)) {
    if (delivered && !recyclable) {
      return Drop(Event::kBad, offset, block_end,
                  "a record with a recyclable header in a log with legacy ones");
    }
    claims_recyclable = true;
    if (left < kRecyclableLogHeaderSize) {
      if (block_end % kLogBlockSize != 0) return AtBlockEnd(block_end);
      return Drop(Event::kBad, offset, block_end, "a recyclable header does not fit the block");
    }
  }
  const uint64_t end = offset + header.size() + header.length;
  if (end > block_end) {
    if (block_end == file_size && file_size % kLogBlockSize != 0) {
      return Finish(Event::kTruncated, offset,
                    "the record needs " + std::to_string(end - offset) + " bytes, the file has " +
                        std::to_string(left));
    }
    return Drop(Event::kBad, offset, block_end,
                "a payload of " + std::to_string(header.length) + " bytes does not fit the block");
  }
  const std::string_view bytes = Bytes(offset, end);
  if (header.type == static_cast<uint8_t>(LogRecordType::kZero) && header.length == 0 &&
      header.crc.value == 0) {
    if (in_fragment) {
      return Drop(Event::kBad, offset, block_end, "zeros between the fragments of a record");
    }
    return AtZeros(offset, block_end);
  }
  if (const MaskedCrc computed = ComputeLogRecordCrc(bytes); computed != header.crc) {
    return Drop(
        Event::kBad, offset, block_end,
        "checksum is " + Hex(computed.value, 8) + ", record says " + Hex(header.crc.value, 8));
  }
  if (IsRecyclable(header.type)) {
    recyclable = true;
    if (RecyclableLogNumber(bytes) != log_number) {
      return Drop(Event::kOld, offset, end,
                  "the record belongs to log " + std::to_string(RecyclableLogNumber(bytes)));
    }
  }
  physical->offset = offset;
  physical->stored_type = header.type;
  physical->payload = bytes.substr(header.size());
  const bool recyclable_data =
      header.type >= static_cast<uint8_t>(LogRecordType::kRecyclableFull) &&
      header.type <= static_cast<uint8_t>(LogRecordType::kRecyclableLast);
  physical->type = static_cast<LogRecordType>(recyclable_data ? header.type - 4 : header.type);
  position = end;
  return Event::kRecord;
}

std::optional<LogReader::Event> LogReader::Impl::TakeData(const Physical& physical) {
  const bool starts =
      physical.type == LogRecordType::kFull || physical.type == LogRecordType::kFirst;
  if (physical.type == LogRecordType::kZero) {
    return Disorder(physical.offset, position, "a record of type 0 that has a payload");
  }
  if (starts && in_fragment && !fragment.empty()) {
    return Disorder(physical.offset, physical.offset,  // This record itself is valid.
                    "the record at " + std::to_string(fragment_offset) + " has no end");
  }
  if (!starts && !in_fragment) {
    return Disorder(physical.offset, position, "a later fragment of a record without its first");
  }
  if (physical.type == LogRecordType::kFull) {
    in_fragment = false;
    record_offset = physical.offset;
    return Deliver(physical.payload);
  }
  if (starts) {
    in_fragment = true;
    fragment_offset = physical.offset;
    fragment.clear();
    fragment_stored = 0;
  }
  if (physical.payload.size() > kWriteBatchSizeMax - fragment.size()) {
    return Disorder(physical.offset, position, "the record is larger than any may be");
  }
  fragment += physical.payload;
  fragment_stored += position - physical.offset;
  if (physical.type != LogRecordType::kLast) return std::nullopt;
  in_fragment = false;
  record_offset = fragment_offset;
  return Deliver(fragment);
}

LogReader::Event LogReader::Impl::Deliver(std::string_view stored) {
  DCHECK(!in_fragment && record_offset < position);
  delivered = true;
  if (!compressed) {
    record = stored;
    return Event::kRecord;
  }
  const Status done = ZstdDecompressStream(stored, RawSizeLimit(stored.size()), &inflated);
  if (done.code() == Code::kNotSupported) {  // Intact, as far as one can tell.
    status = done.At(FileOffset(file.path(), record_offset));
    return Finish(Event::kIoError, record_offset, std::string(status.message()));
  }
  if (!done.ok()) return Disorder(record_offset, position, std::string(done.message()));
  record = inflated;
  return Event::kRecord;
}

std::optional<LogReader::Event> LogReader::Impl::TakeMeta(const Physical& physical) {
  switch (physical.type) {
    case LogRecordType::kTimestampSizes:
    case LogRecordType::kRecyclableTimestampSizes:
    case LogRecordType::kPredecessor:
    case LogRecordType::kRecyclablePredecessor:
      return std::nullopt;  // Timestamp sizes and verification data: neither is used here.
    case LogRecordType::kCompression: {
      if (delivered || in_fragment || saw_compression) {
        return Disorder(physical.offset, position, "a compression record that is not the first");
      }
      uint32_t id = 0;
      if (ByteReader in(physical.payload); !in.ReadFixed32(&id)) {
        return Disorder(physical.offset, position, "a compression record of fewer than 4 bytes");
      }
      saw_compression = true;
      compressed = id == static_cast<uint32_t>(CompressionType::kZstd);
      if (compressed || id == static_cast<uint32_t>(CompressionType::kNone)) return std::nullopt;
      status = Status::NotSupported(FileOffset(file.path(), physical.offset) +
                                    ": log compression " + std::to_string(id));
      return Finish(Event::kIoError, physical.offset, std::string(status.message()));
    }
    default:
      break;
  }
  if ((physical.stored_type & kIgnorableLogRecordBit) != 0 && !in_fragment) return std::nullopt;
  return Disorder(physical.offset, position,
                  "unknown record type " + std::to_string(physical.stored_type));
}

LogReader::LogReader(const RandomAccessFile& file, uint64_t file_size, uint64_t log_number)
    : impl_(std::make_unique<Impl>(file, file_size, log_number)) {}

LogReader::~LogReader() = default;

LogReader::Event LogReader::Next() { return impl_->Next(); }
std::string_view LogReader::record() const { return impl_->record; }
uint64_t LogReader::record_offset() const { return impl_->record_offset; }
uint64_t LogReader::end_offset() const { return impl_->position; }
uint64_t LogReader::dropped_bytes() const { return impl_->dropped; }
const std::string& LogReader::reason() const { return impl_->reason; }
bool LogReader::inside_fragment() const { return impl_->was_in_fragment; }
bool LogReader::disorder() const { return impl_->disorder; }
bool LogReader::saw_recyclable() const { return impl_->claims_recyclable; }
bool LogReader::is_recyclable() const { return impl_->recyclable; }
const Status& LogReader::status() const { return impl_->status; }

}  // namespace varve
