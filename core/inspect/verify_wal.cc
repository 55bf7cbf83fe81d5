// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text.h"
#include "core/format/file_name.h"
#include "core/format/log_record.h"
#include "core/format/stored_value.h"
#include "core/format/write_batch_format.h"
#include "core/inspect/findings.h"

namespace varve {
namespace {

constexpr uint64_t kScanWindow = 2 * kLogBlockSize;

// Does a whole record begin anywhere in `tail`, behind its first byte? Then `tail` is no record cut
// short, but one whose length is wrong. `recycled_as`: only records of the log of this number.
bool HoldsWholeRecord(std::string_view tail, std::optional<FileNumber> recycled_as) {
  for (size_t at = 1; at + kLogHeaderSize <= tail.size(); ++at) {
    const std::string_view rest = tail.substr(at);
    const LogRecordHeader header = DecodeLogRecordHeader(rest);
    const uint64_t size = header.size() + header.length;
    if (header.type == 0 || header.length == 0 || size > rest.size()) continue;
    if (recycled_as && (!IsRecyclable(header.type) ||
                        RecyclableLogNumber(rest) != static_cast<uint32_t>(*recycled_as))) {
      continue;
    }
    if (ComputeLogRecordCrc(rest.substr(0, size)) == header.crc) return true;
  }
  return false;
}

}  // namespace

void WalVerifier::Verify(FileNumber number, bool last) {
  const std::string name = WalFileName(number);
  const auto file = fs_.OpenForRead(JoinPath(directory_, name), /*direct=*/false);
  if (!file.ok() && file.status().code() == Code::kNotFound) return;  // Flushed meanwhile.
  if (!file.ok()) return findings_.AddFailure("wal", name, file.status());
  const auto size = (*file)->Size();
  if (!size.ok()) return findings_.AddFailure("wal", name, size.status());
  ++findings_.report().files;
  findings_.report().bytes += *size;
  LogReader reader(**file, *size, number);
  transactional_ = false;
  while (findings_.Continue()) {
    switch (reader.Next()) {
      case LogReader::Event::kRecord:
        VerifyRecord(name, reader);
        break;
      case LogReader::Event::kEnd:
        return;
      case LogReader::Event::kOld:
        return ReportRecycledEnd(name, **file, reader, number, *size);
      case LogReader::Event::kTruncated:
        if (last) return ReportTornTail("wal", name, reader.record_offset(), *size);
        return findings_.Error("wal", name, reader.record_offset(),
                               "ends inside a record though later logs exist");
      case LogReader::Event::kBad:
        if (reader.saw_recyclable()) {
          return ReportRecycledEnd(name, **file, reader, number, *size);
        }
        findings_.Error("wal", name, reader.record_offset(), reader.reason());
        break;
      case LogReader::Event::kIoError:
        return findings_.AddFailure("wal", name, reader.status());
    }
  }
}

void WalVerifier::ReportTornTail(const char* layer, const std::string& name, uint64_t from,
                                 uint64_t to) {
  const std::string unused = std::to_string(to - from) + " bytes";
  const auto file = fs_.OpenForRead(JoinPath(directory_, name), /*direct=*/false);
  std::string tail(std::min(to - from, kScanWindow), '\0');
  const auto read = file.ok() ? (*file)->Read(from, tail.size(), tail.data())
                              : Result<std::string_view>(file.status());
  if (read.ok() && HoldsWholeRecord(*read, std::nullopt)) {
    return findings_.Error(
        layer, name, from,
        "a record's length is wrong: whole records follow in the " + unused + " that it claims");
  }
  findings_.Add({.severity = Finding::Severity::kWarning,
                 .layer = layer,
                 .file = name,
                 .offset = from,
                 .what = "ends in an unfinished record of " + unused});
}

// A file that is used again ends in what it held before, at any byte of it. Only records of its own
// behind that place tell damage from such an end.
void WalVerifier::ReportRecycledEnd(const std::string& name, const RandomAccessFile& file,
                                    const LogReader& reader, FileNumber number, uint64_t size) {
  const uint64_t end = reader.record_offset();
  std::string buffer(kScanWindow, '\0');
  for (uint64_t at = end; at < size; at += kLogBlockSize) {
    const auto window = file.Read(at, std::min(kScanWindow, size - at), buffer.data());
    if (!window.ok()) return findings_.AddFailure("wal", name, window.status());
    if (HoldsWholeRecord(*window, number)) {
      return findings_.Error("wal", name, end,
                             reader.reason() + "; whole records of this log follow");
    }
  }
  findings_.Add({.severity = Finding::Severity::kWarning,
                 .layer = "wal",
                 .file = name,
                 .offset = end,
                 .what = "ends here: the other " + std::to_string(size - end) +
                         " bytes are of the file's previous life (" + reader.reason() + ")"});
}

void WalVerifier::VerifyRecord(const std::string& name, const LogReader& reader) {
  ++findings_.report().wal_records;
  BatchReader batch(reader.record());
  BatchRecord record;
  uint64_t counted = 0;
  while (batch.Next(&record)) {
    // A Noop behind counted records ends a sub-batch of a write-prepared transaction.
    const bool plain = record.kind == BatchRecordKind::kEntry ||
                       record.kind == BatchRecordKind::kLogData ||
                       (record.kind == BatchRecordKind::kNoop && counted == 0);
    if (!plain) NoteTransaction(name);
    if (record.kind != BatchRecordKind::kEntry) continue;
    ++counted;
    const Status value = CheckStoredValue(record.key, record.type, record.value);
    if (!value.ok()) {
      findings_.AddFailure(
          "wal", name,
          value.At("key " + EscapeForDisplay(record.key)).At(FileOffset(name, reader.record_offset())));
    }
  }
  if (!batch.status().ok()) {
    return findings_.Error("wal", name, reader.record_offset(),
                           std::string(batch.status().message()));
  }
  const Sequence first = batch.header().sequence;
  if (first + counted > kMaxSequence) {
    return findings_.Error("wal", name, reader.record_offset(),
                           "sequence " + std::to_string(first) + " and the " +
                               std::to_string(counted) + " changes from it on are out of range");
  }
  if (first < next_ && !transactional_) {
    findings_.Error(
        "wal", name, reader.record_offset(),
        "sequence " + std::to_string(first) + " goes back: " + std::to_string(next_) + " was next");
  } else if (next_ != 0 && first > next_ && !transactional_) {
    findings_.Add({.severity = Finding::Severity::kWarning,
                   .layer = "wal",
                   .file = name,
                   .offset = reader.record_offset(),
                   .what = "sequences " + std::to_string(next_) + " to " +
                           std::to_string(first - 1) + " are in none of the logs"});
  }
  next_ = first + counted;
}

// Transactions number their records in ways of their own.
void WalVerifier::NoteTransaction(const std::string& name) {
  if (transactional_) return;
  transactional_ = true;
  findings_.NotChecked("wal", name, "holds transactions: their sequence numbers are not checked");
}

}  // namespace varve
