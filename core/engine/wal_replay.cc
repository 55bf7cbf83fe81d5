// SPDX-License-Identifier: Apache-2.0
#include "core/engine/wal_replay.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/write_batch_format.h"

namespace varve {
namespace {

std::string Place(uint64_t wal, uint64_t offset) {
  return WalFileName(wal) + "@" + std::to_string(offset);
}

}  // namespace

WalReplay::WalReplay(EngineContext& context, const DatabaseState& state, RecoveryReport* report,
                     std::function<Status()> after_batch)
    : context_(context), state_(state), report_(report), after_batch_(std::move(after_batch)) {}

Status WalReplay::Run(const std::vector<uint64_t>& wals) {
  for (uint64_t wal : wals) RETURN_IF_ERROR(ReplayOne(wal));
  std::vector<FamilyLogState> families;
  for (const FamilyState& family : state_.families.all()) {
    families.push_back({family.name, family.log_number, family.version->TotalFiles() > 0});
  }
  return sequence_.CheckFamilies(families);
}

Status WalReplay::ReplayOne(uint64_t wal) {
  const std::string path = context_.PathOf(WalFileName(wal));
  ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file,
                   context_.fs().OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(file_size_, file->Size());
  LogReader log(*file, file_size_, wal);
  ++report_->wal_files;
  report_->wal_bytes += file_size_;
  for (;;) {
    const LogReader::Event read = log.Next();
    TailAction action = TailAction::kContinue;
    if (const std::optional<TailEvent> event = ClassifyTail(log, read)) {
      ASSIGN_OR_RETURN(action, Decide(wal, log, *event, log.reason(), log.dropped_bytes()));
    } else {
      ASSIGN_OR_RETURN(action, ApplyRecord(wal, log));
    }
    switch (action) {
      case TailAction::kContinue:
        break;
      case TailAction::kEndOfWal:
        return Status::Ok();
      case TailAction::kStop:
        sequence_.Stop(wal);
        return Status::Ok();
      case TailAction::kRefuse:
        CHECK(false);  // Decide() made a Status of it.
    }
  }
}

Result<TailAction> WalReplay::Decide(uint64_t wal, const LogReader& log, TailEvent event,
                                     const std::string& reason, uint64_t bytes) {
  const TailDecision decision =
      DecideTail(context_.options.wal_recovery_mode, event,
                 {.recyclable = log.saw_recyclable(), .inside_fragment = log.inside_fragment()});
  if (decision.action == TailAction::kRefuse) {
    if (event == TailEvent::kReadFailed) return log.status();
    return Status::Corruption(Place(wal, log.record_offset()) + ": " + reason);
  }
  if (decision.loss) {
    // Whoever stops here leaves out all that follows, whatever it is.
    const bool goes_on = decision.action == TailAction::kContinue;
    report_->losses.push_back({.file = WalFileName(wal),
                               .offset = log.record_offset(),
                               .bytes = goes_on ? bytes : file_size_ - log.record_offset(),
                               .reason = reason});
  }
  return decision.action;
}

Result<TailAction> WalReplay::ApplyRecord(uint64_t wal, const LogReader& log) {
  const std::string_view record = log.record();
  if (record.size() < kWriteBatchHeaderSize) {
    return Decide(wal, log, TailEvent::kShortRecord,
                  "a record of " + std::to_string(record.size()) + " bytes is no write batch",
                  log.end_offset() - log.record_offset());
  }
  if (Status supported = CheckSupported(record); !supported.ok()) {
    const Status placed = supported.At(Place(wal, log.record_offset()));
    if (placed.code() != Code::kCorruption) return placed;
    return Decide(wal, log, TailEvent::kMalformedBatch, std::string(supported.message()),
                  log.end_offset() - log.record_offset());
  }
  ASSIGN_OR_RETURN(const BatchHeader header, ReadBatchHeader(record));
  switch (sequence_.Admit(header.sequence)) {
    case WalSequence::Verdict::kApply:
      break;
    case WalSequence::Verdict::kDropWal:
      report_->losses.push_back(
          {.file = WalFileName(wal),
           .offset = 0,
           .bytes = file_size_,
           .reason = "sequence " + std::to_string(header.sequence) +
                     " does not continue what was recovered from the WALs before"});
      return TailAction::kEndOfWal;
    case WalSequence::Verdict::kBackwards:
      return Status::Corruption(Place(wal, log.record_offset()) + ": sequence " +
                                std::to_string(header.sequence) + " goes backwards");
  }
  if (header.sequence + header.count > kMaxSequence) {
    return Status::Corruption(Place(wal, log.record_offset()) + ": sequence out of range");
  }
  RETURN_IF_ERROR(ApplyBatch(wal, record));
  ++report_->wal_records;
  sequence_.Advance(header.sequence + header.count);
  if (header.count > 0) {
    last_sequence_ = std::max(last_sequence_, header.sequence + header.count - 1);
  }
  RETURN_IF_ERROR(after_batch_());
  return TailAction::kContinue;
}

Status WalReplay::CheckSupported(std::string_view batch) const {
  BatchReader in(batch);
  BatchRecord record;
  bool counted = false;
  while (in.Next(&record)) {
    switch (record.kind) {
      case BatchRecordKind::kEntry:
        counted = true;
        break;
      case BatchRecordKind::kLogData:
        break;
      case BatchRecordKind::kNoop:
        // One at the front is only a place holder; later ones end the sub-batches of a
        // write-prepared transaction, which number their entries differently.
        if (counted) return Status::NotSupported("a WAL of write-prepared transactions");
        break;
      case BatchRecordKind::kBeginPersistedPrepare:
        return Status::NotSupported("a WAL of write-prepared transactions");
      case BatchRecordKind::kBeginUnprepare:
        return Status::NotSupported("a WAL of write-unprepared transactions");
      case BatchRecordKind::kBeginPrepare:
      case BatchRecordKind::kEndPrepare:
      case BatchRecordKind::kCommit:
      case BatchRecordKind::kCommitWithTimestamp:
      case BatchRecordKind::kRollback:
        return Status::NotSupported("a WAL with two-phase-commit sections");
    }
  }
  return in.status();
}

Status WalReplay::ApplyBatch(uint64_t wal, std::string_view batch) {
  BatchReader in(batch);
  BatchRecord record;
  Sequence sequence = in.header().sequence;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    // Entries of dropped families, and those whose family has this WAL in its tables already, use
    // up their number all the same.
    const FamilyState* state = state_.families.Find(record.family);
    if (state != nullptr && wal >= state->log_number) {
      Family* family = context_.families.Find(record.family);
      if (family->memtable() != nullptr) {
        family->memtable()->Add(sequence, record.type, record.key, record.value);
      }
    }
    ++sequence;
  }
  return in.status();
}

}  // namespace varve
