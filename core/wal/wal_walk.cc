// SPDX-License-Identifier: Apache-2.0
#include "core/wal/wal_walk.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/log/two_phase.h"
#include "core/format/value/stored_value.h"
#include "core/wal/log_end.h"

namespace varve {
namespace {

std::string PlaceOf(const WalFile& wal, const LogReader& log) {
  return FileOffset(wal.file->path(), log.record_offset());
}

// Whether the log may look like this because its writer died.
bool MayBeEnd(TailEvent event) {
  return event == TailEvent::kCut || event == TailEvent::kBad || event == TailEvent::kOld;
}

// The error of the first value in the batch that reads would reject.
Status CheckValues(std::string_view batch) {
  BatchReader in(batch);
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    const Status value = CheckStoredValue(record.key, record.type, record.value);
    if (value.code() == Code::kCorruption) return value.At("key " + EscapeForDisplay(record.key));
  }
  return Status::Ok();
}

Status WritePrepared() { return Status::NotSupported("a WAL of write-prepared transactions"); }

// Per file; further ones are added to the last.
constexpr size_t kLossesMax = 1000;

}  // namespace

Result<WalFile> OpenWal(FileSystem& fs, const std::string& directory, uint64_t number) {
  WalFile wal{.number = number};
  ASSIGN_OR_RETURN(wal.file, fs.OpenForRead(JoinPath(directory, WalFileName(number)),
                                            /*direct=*/false));
  ASSIGN_OR_RETURN(wal.size, wal.file->Size());
  return wal;
}

std::optional<Sequence> FirstSequence(const WalFile& wal) {
  LogReader log(*wal.file, wal.size, wal.number);
  if (log.Next() != LogReader::Event::kRecord) return std::nullopt;
  const Result<BatchHeader> header = ReadBatchHeader(log.record());
  return header.ok() ? std::optional(header->sequence) : std::nullopt;
}

WalWalk::WalWalk(WalRecoveryMode mode, RecoveryReport* report, std::vector<FamilyLogState> families,
                 Apply apply)
    : mode_(mode), report_(report), families_(std::move(families)), apply_(std::move(apply)) {
  const auto first = std::ranges::min_element(families_, {}, &FamilyLogState::log_number);
  if (first != families_.end()) first_needed_ = first->log_number;
}

Status WalWalk::Read(const WalFile& wal) {
  CHECK(wal.file != nullptr);
  LogReader log(*wal.file, wal.size, wal.number);
  ++report_->wal_files;
  report_->wal_bytes += wal.size;
  log_bytes_ += wal.size;
  for (;;) {
    event_ = log.Next();
    TailAction action = TailAction::kContinue;
    if (const std::optional<TailEvent> event = ClassifyTail(log, event_)) {
      ASSIGN_OR_RETURN(action, Decide(wal, log, *event, log.reason(), log.dropped_bytes()));
    } else {
      ASSIGN_OR_RETURN(action, TakeRecord(wal, log));
    }
    switch (action) {
      case TailAction::kContinue:
        break;
      case TailAction::kEndOfWal:
        return Status::Ok();
      case TailAction::kStop:
        if (wal.number >= first_needed_) {
          sequence_.Stop(wal.number);
        } else {
          torn_.reset();
        }
        return Status::Ok();
      case TailAction::kRefuse:
        CHECK(false, "Decide() returned a Status for such a record");
    }
  }
}

Result<TailAction> WalWalk::Decide(const WalFile& wal, const LogReader& log, TailEvent event,
                                   const std::string& reason, uint64_t bytes) {
  const TailDecision decision = DecideTail(
      mode_, event, {.recyclable = log.saw_recyclable(), .inside_fragment = log.inside_fragment()});
  if (decision.action == TailAction::kRefuse) {
    if (event == TailEvent::kReadFailed) return log.status();
    return Status::Corruption(PlaceOf(wal, log) + ": " + reason);
  }
  // Recovery that stops here leaves out everything that follows.
  const bool goes_on = decision.action == TailAction::kContinue;
  CHECK_OP(log.record_offset(), <=, wal.size);
  RecoveryLoss loss{.file = WalFileName(wal.number),
                    .offset = log.record_offset(),
                    .bytes = goes_on ? bytes : wal.size - log.record_offset(),
                    .reason = reason,
                    .damage = true};
  if (MayBeEnd(event)) {
    ASSIGN_OR_RETURN(const std::optional<std::string> behind,
                     FindDataBehind(*wal.file, wal.size, wal.number, log, event_));
    loss.damage = behind.has_value();
    if (behind) loss.reason += "; " + *behind;
    // A log that is appended to grows with its bytes; one that is overwritten does not, so a
    // partially written record may have a wrong checksum for the moment.
    loss.unfinished = !behind && (event == TailEvent::kCut || log.saw_recyclable());
    // If only records of the file's previous life follow, the log ends here.
    if (!behind && !decision.loss) return decision.action;
  } else if (!decision.loss) {
    return decision.action;
  }
  NoteLoss(std::move(loss));
  return decision.action;
}

void WalWalk::NoteLoss(RecoveryLoss loss) {
  std::vector<RecoveryLoss>& losses = report_->losses;
  if (losses.size() >= kLossesMax && losses.back().file == loss.file) {
    losses.back().bytes += loss.bytes;
    losses.back().damage |= loss.damage;
    losses.back().unfinished &= loss.unfinished;
    return;
  }
  losses.push_back(std::move(loss));
  if (!losses.back().damage) torn_ = losses.size() - 1;
}

Result<TailAction> WalWalk::TakeRecord(const WalFile& wal, const LogReader& log) {
  const std::string_view record = log.record();
  const uint64_t bytes = log.end_offset() - log.record_offset();
  if (record.size() < kWriteBatchHeaderSize) {
    return Decide(wal, log, TailEvent::kShortRecord,
                  "a record of " + std::to_string(record.size()) + " bytes is no write batch",
                  bytes);
  }
  const std::string place = PlaceOf(wal, log);
  BatchMarks marks;
  if (const Status usable = CheckReplayable(record, &marks); !usable.ok()) {
    if (usable.code() != Code::kCorruption) return usable.At(place);
    return Decide(wal, log, TailEvent::kMalformedBatch, std::string(usable.message()), bytes);
  }
  saw_sub_batches_ |= marks.sub_batches;
  ASSIGN_OR_RETURN(BatchHeader header, ReadBatchHeader(record));
  // No writer makes such a record, nor one that is too short: the records before it are valid.
  if (const Status numbered = CheckNumbered(header); !numbered.ok()) {
    return Decide(wal, log, TailEvent::kShortRecord, std::string(numbered.message()), bytes);
  }
  const std::optional<Sequence> expected = sequence_.next();
  switch (sequence_.Admit(header.sequence)) {
    case WalSequence::Verdict::kApply:
      break;
    case WalSequence::Verdict::kDropWal:
      if (torn_) report_->losses[*torn_].damage = true;
      NoteLoss({.file = WalFileName(wal.number),
                .offset = 0,
                .bytes = wal.size,
                .reason = "sequence " + std::to_string(header.sequence) +
                          " does not continue what was recovered from the WALs before",
                .damage = true});
      return TailAction::kEndOfWal;
    case WalSequence::Verdict::kBackwards:
      if (saw_sub_batches_) return WritePrepared().At(place);
      return Status::Corruption(place + ": sequence " + std::to_string(header.sequence) +
                                " goes backwards");
  }
  std::string_view batch = record;
  if (marks.two_phase) {
    batch = prepared_.Resolve(wal.number, record);
    if (const Status fits = prepared_.CheckSize(log_bytes_); !fits.ok()) return fits.At(place);
    ASSIGN_OR_RETURN(header, ReadBatchHeader(batch));
  }
  if (header.sequence + header.count > kMaxSequence) {
    return Status::Corruption(
        place + (marks.two_phase ? ": what is committed has sequences" : ": sequence") +
        " out of range");
  }
  // An interrupted write used no sequence numbers.
  CHECK(!torn_ || *torn_ < report_->losses.size());
  if (torn_ && header.sequence != expected) report_->losses[*torn_].damage = true;
  torn_.reset();
  // Other modes keep acknowledged data, and report the error when the value is read.
  const Status values =
      mode_ == WalRecoveryMode::kSkipAnyCorrupted ? CheckValues(batch) : Status::Ok();
  if (values.ok()) {
    RETURN_IF_ERROR(apply_(wal.number, header, batch));
    ++report_->wal_records;
  } else {
    NoteLoss({.file = WalFileName(wal.number),
              .offset = log.record_offset(),
              .bytes = bytes,
              .reason = std::string(values.message()),
              .damage = true});
  }
  sequence_.Advance(header.sequence + header.count);
  if (header.count > 0) {
    last_sequence_ = std::max(last_sequence_, header.sequence + header.count - 1);
  }
  return TailAction::kContinue;
}

Status CheckNumbered(const BatchHeader& header) {
  if (header.sequence > 0 || header.count == 0) return Status::Ok();
  return Status::Corruption("a batch with sequence 0, which no write is given");
}

Status CheckReplayable(std::string_view batch, BatchMarks* marks) {
  BatchReader in(batch);
  BatchRecord record;
  bool counted = false, in_section = false;
  BatchMarks found;
  while (in.Next(&record)) {
    switch (record.kind) {
      case BatchRecordKind::kEntry:
        counted = true;
        break;
      case BatchRecordKind::kLogData:
        break;
      case BatchRecordKind::kNoop:
        found.sub_batches |= counted;
        break;
      case BatchRecordKind::kBeginPersistedPrepare:
        return WritePrepared();
      case BatchRecordKind::kBeginUnprepare:
        return Status::NotSupported("a WAL of write-unprepared transactions");
      case BatchRecordKind::kCommitWithTimestamp:
        return Status::NotSupported("a WAL of transactions with timestamps");
      case BatchRecordKind::kBeginPrepare:
      case BatchRecordKind::kEndPrepare:
      case BatchRecordKind::kCommit:
      case BatchRecordKind::kRollback:
        found.two_phase = true;
        // A section is within a batch, and nothing but changes is within a section.
        if (in_section != (record.kind == BatchRecordKind::kEndPrepare)) {
          return Status::Corruption("write batch@" + std::to_string(record.offset) +
                                    ": prepared sections that do not begin and end in turn");
        }
        in_section = record.kind == BatchRecordKind::kBeginPrepare;
        if (!in_section && (record.key.empty() || record.key.size() > kTransactionNameSizeMax)) {
          return Status::Corruption("write batch@" + std::to_string(record.offset) +
                                    ": a transaction's name of " +
                                    std::to_string(record.key.size()) + " bytes");
        }
        break;
    }
  }
  RETURN_IF_ERROR(in.status());
  if (in_section) return Status::Corruption("a write batch with a prepared section without end");
  if (marks != nullptr) *marks = found;
  return Status::Ok();
}

}  // namespace varve
