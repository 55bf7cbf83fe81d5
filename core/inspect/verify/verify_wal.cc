// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/format/file_name.h"
#include "core/format/log/log_record.h"
#include "core/format/log/write_batch_format.h"
#include "core/format/value/stored_value.h"
#include "core/inspect/verify/findings.h"
#include "core/inspect/wal/recovery_report.h"
#include "core/version/manifest_reader.h"
#include "core/wal/log_end.h"
#include "core/wal/wal_walk.h"

namespace varve {
namespace {

// The sequences of tables with a single one: ingestion gives a table the next sequence, which is
// then in no log. Compactions may zero it, so all edits of the MANIFEST are read. Empty if they
// cannot be read, which is reported elsewhere.
std::vector<Sequence> SequencesOfTables(FileSystem& fs, const std::string& directory) {
  std::vector<Sequence> sequences;
  const auto number = ReadCurrent(fs, directory);
  if (!number.ok()) return sequences;
  const auto scanner = ManifestScanner::Open(fs, JoinPath(directory, ManifestFileName(*number)));
  if (!scanner.ok()) return sequences;
  for (auto record = (*scanner)->Next(); record.ok() && record->has_value();
       record = (*scanner)->Next()) {
    for (const VersionEdit::NewFile& added : (*record)->edit.new_files) {
      const FileDescription& file = added.file;
      if (file.smallest_sequence == file.largest_sequence)
        sequences.push_back(file.largest_sequence);
    }
  }
  std::ranges::sort(sequences);
  const auto same = std::ranges::unique(sequences);
  sequences.erase(same.begin(), same.end());
  return sequences;
}

}  // namespace

// Whether the directory lists the name, even if it is a broken link.
bool WalVerifier::IsListed(const std::string& name) const {
  const auto entries = fs_.List(directory_);
  return !entries.ok() || std::any_of(entries->begin(), entries->end(),
                                      [&](const auto& entry) { return entry.name == name; });
}

void WalVerifier::Verify(FileNumber number, bool last) {
  CHECK_OP(number, >=, number_);
  number_ = number;
  const std::string name = WalFileName(number);
  const auto file = fs_.OpenForRead(JoinPath(directory_, name), /*direct=*/false);
  if (!file.ok() && file.status().code() == Code::kNotFound && !IsListed(name)) return;  // Flushed.
  if (!file.ok()) return findings_.AddFailure("wal", name, file.status());
  const auto size = (*file)->Size();
  if (!size.ok()) return findings_.AddFailure("wal", name, size.status());
  ++findings_.report().files;
  findings_.report().bytes += *size;
  size_ = *size;
  data_behind_ = 0;
  LogReader reader(**file, *size, number);
  transactional_ = false;
  while (findings_.Continue()) {
    const LogReader::Event event = reader.Next();
    switch (event) {
      case LogReader::Event::kRecord:
        VerifyRecord(name, reader);
        break;
      case LogReader::Event::kEnd:
        return;
      case LogReader::Event::kOld:
      case LogReader::Event::kTruncated:
      case LogReader::Event::kBad:
        if (ReportBadPlace(name, **file, reader, number, event, last)) return;
        break;
      case LogReader::Event::kIoError:
        return findings_.AddFailure("wal", name, reader.status());
    }
  }
}

// True: recovery considers this the end of the log.
bool WalVerifier::ReportBadPlace(const std::string& name, const RandomAccessFile& file,
                                 const LogReader& reader, FileNumber number, LogReader::Event event,
                                 bool last) {
  const uint64_t from = reader.record_offset();
  const uint64_t size = size_;
  const auto behind = FindDataBehind(file, size, number, reader, event, &data_behind_);
  if (!behind.ok()) {
    findings_.AddFailure("wal", name, behind.status());
    return true;
  }
  if (*behind) {
    findings_.Error("wal", name, from, reader.reason() + "; " + **behind);
    return event == LogReader::Event::kTruncated;
  }
  const bool recycled = reader.is_recyclable();
  if (!last && IsLost(name, from)) {
    findings_.Error("wal", name, from,
                    "ends here (" + reader.reason() + "), and later logs do not continue it");
    return true;
  }
  const std::string unused = std::to_string(size - from) + " bytes";
  findings_.Add({.severity = Finding::Severity::kWarning,
                 .layer = "wal",
                 .file = name,
                 .offset = from,
                 .what = recycled ? "ends here: the other " + unused +
                                        " are of the file's previous life (" + reader.reason() + ")"
                                  : "ends in an unfinished record of " + unused + " (" +
                                        reader.reason() + ")"});
  return true;
}

// Later logs show whether more was written, so recovery decides.
bool WalVerifier::IsLost(const std::string& name, uint64_t offset) {
  if (!recovery_) recovery_ = ReportRecovery(fs_, directory_);
  return recovery_->ok() && std::ranges::any_of((*recovery_)->losses, [&](const RecoveryLoss& l) {
           return l.damage && l.file == name && l.offset == offset;
         });
}

void WalVerifier::VerifyRecovery(bool tracked) {
  if (tracked && !recovery_) recovery_ = ReportRecovery(fs_, directory_);
  if (!recovery_ || !recovery_->ok()) return;  // Unreadable logs are in the findings already.
  for (const RecoveryLoss& loss : (*recovery_)->losses) {
    const bool known = std::ranges::any_of(findings_.report().findings, [&](const Finding& found) {
      return found.severity != Finding::Severity::kWarning && found.file == loss.file;
    });
    if (loss.damage && !known) findings_.Error("wal", loss.file, loss.offset, loss.reason);
  }
}

void WalVerifier::ReportTornTail(const char* layer, const std::string& name, uint64_t from,
                                 uint64_t to) {
  findings_.Add(
      {.severity = Finding::Severity::kWarning,
       .layer = layer,
       .file = name,
       .offset = from,
       .what = "ends in an unfinished record of " + std::to_string(to - from) + " bytes"});
}

void WalVerifier::VerifyRecord(const std::string& name, const LogReader& reader) {
  ++findings_.report().wal_records;
  BatchMarks marks;
  const Status replayable = CheckReplayable(reader.record(), &marks);
  if (replayable.code() == Code::kNotSupported || marks.sub_batches) NoteTransaction(name);
  BatchReader batch(reader.record());
  BatchRecord record;
  uint64_t counted = 0;
  while (batch.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    ++counted;
    const Status value = CheckStoredValue(record.key, record.type, record.value);
    if (!value.ok()) {
      findings_.AddFailure("wal", name,
                           value.At("key " + EscapeForDisplay(record.key))
                               .At(FileOffset(name, reader.record_offset())));
    }
  }
  const Status& valid = batch.status().ok() ? replayable : batch.status();
  if (valid.code() == Code::kCorruption) {
    return findings_.Error("wal", name, reader.record_offset(), std::string(valid.message()));
  }
  if (marks.two_phase) {
    counted = ChangesThatApply(reader.record());
    if (const Status fits = prepared_.CheckSize(findings_.report().bytes); !fits.ok()) {
      findings_.AddFailure("wal", name, fits.At(FileOffset(name, reader.record_offset())));
      prepared_ = {};
      return NoteTransaction(name);
    }
  }
  if (const Status numbered = CheckNumbered(batch.header()); !numbered.ok()) {
    return findings_.Error("wal", name, reader.record_offset(), std::string(numbered.message()));
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
  } else if (next_ != 0 && first > next_ && !transactional_ && !AreIngested(next_, first)) {
    findings_.Add({.severity = Finding::Severity::kWarning,
                   .layer = "wal",
                   .file = name,
                   .offset = reader.record_offset(),
                   .what = "sequences " + std::to_string(next_) + " to " +
                           std::to_string(first - 1) + " are in none of the logs"});
  }
  // Unknown, if some were committed that only tables have.
  next_ = marks.two_phase && prepared_.met_unknown() ? 0 : first + counted;
}

// Those of prepared transactions use numbers where they are committed.
uint64_t WalVerifier::ChangesThatApply(std::string_view record) {
  const auto header = ReadBatchHeader(prepared_.Resolve(number_, record));
  CHECK(header.ok());
  return header->count;
}

// All from `first` up to `end`.
bool WalVerifier::AreIngested(Sequence first, Sequence end) {
  if (!sequences_of_tables_) sequences_of_tables_ = SequencesOfTables(fs_, directory_);
  const auto from = std::ranges::lower_bound(*sequences_of_tables_, first);
  const auto to = std::ranges::lower_bound(*sequences_of_tables_, end);
  return static_cast<uint64_t>(to - from) == end - first;
}

// Write-prepared transactions number their records differently.
void WalVerifier::NoteTransaction(const std::string& name) {
  if (transactional_) return;
  transactional_ = true;
  findings_.NotChecked("wal", name, "holds transactions: their sequence numbers are not checked");
}

}  // namespace varve
