// SPDX-License-Identifier: Apache-2.0
#include "core/wal/recovery_tail.h"

#include <string>

namespace varve {
namespace {

using Mode = WalRecoveryMode;

constexpr TailDecision kEndQuietly = {TailAction::kEndOfWal, false};
constexpr TailDecision kEndAndReport = {TailAction::kEndOfWal, true};
constexpr TailDecision kStopAndReport = {TailAction::kStop, true};
constexpr TailDecision kSkipAndReport = {TailAction::kContinue, true};
constexpr TailDecision kRefuse = {TailAction::kRefuse, false};

TailDecision DecideCut(Mode mode) {
  switch (mode) {
    case Mode::kTolerateCorruptedTail:
    case Mode::kSkipAnyCorrupted:
      return kEndAndReport;
    case Mode::kPointInTime:
      return kStopAndReport;
    case Mode::kAbsoluteConsistency:
      break;
  }
  return kRefuse;
}

// `tail`: damage as found at the end of a reused file.
TailDecision DecideDamage(Mode mode, bool tail) {
  switch (mode) {
    case Mode::kTolerateCorruptedTail:
      return tail ? kEndAndReport : kRefuse;
    case Mode::kPointInTime:
      return kStopAndReport;
    case Mode::kSkipAnyCorrupted:
      return kSkipAndReport;
    case Mode::kAbsoluteConsistency:
      break;
  }
  return kRefuse;
}

TailDecision DecideOld(Mode mode, bool loss) {
  switch (mode) {
    case Mode::kTolerateCorruptedTail:
      return {TailAction::kEndOfWal, loss};
    case Mode::kAbsoluteConsistency:
      return loss ? kRefuse : kEndQuietly;
    case Mode::kPointInTime:
      return {TailAction::kStop, loss};
    case Mode::kSkipAnyCorrupted:
      return {TailAction::kContinue, loss};
  }
  return kRefuse;
}

}  // namespace

std::optional<TailEvent> ClassifyTail(const LogReader& reader, LogReader::Event event) {
  switch (event) {
    case LogReader::Event::kRecord:
      return std::nullopt;
    case LogReader::Event::kEnd:
      return TailEvent::kEnd;
    case LogReader::Event::kTruncated:
      return TailEvent::kCut;
    case LogReader::Event::kBad:
      return reader.disorder() ? TailEvent::kDisorder : TailEvent::kBad;
    case LogReader::Event::kOld:
      return TailEvent::kOld;
    case LogReader::Event::kIoError:
      break;
  }
  return TailEvent::kReadFailed;
}

TailDecision DecideTail(WalRecoveryMode mode, TailEvent event, TailCircumstances circumstances) {
  switch (event) {
    case TailEvent::kEnd:
      return kEndQuietly;
    case TailEvent::kCut:
      return DecideCut(mode);
    case TailEvent::kBad:
      return DecideDamage(mode, circumstances.recyclable);
    case TailEvent::kDisorder:
    case TailEvent::kShortRecord:
      return DecideDamage(mode, false);
    case TailEvent::kOld:
      return DecideOld(mode, circumstances.inside_fragment);
    case TailEvent::kMalformedBatch:
      return kRefuse;
    case TailEvent::kReadFailed:  // Not corruption: the bytes may be fine.
      return mode == Mode::kSkipAnyCorrupted ? kEndAndReport : kRefuse;
  }
  return kRefuse;
}

WalSequence::Verdict WalSequence::Admit(Sequence sequence) {
  if (next_ == sequence) stopped_at_.reset();
  if (stopped()) return Verdict::kDropWal;
  if (next_ && sequence < *next_) return Verdict::kBackwards;
  return Verdict::kApply;
}

void WalSequence::Stop(uint64_t wal) { stopped_at_ = wal; }

Status WalSequence::CheckFamilies(std::span<const FamilyLogState> families) const {
  if (!stopped()) return {};
  for (const FamilyLogState& family : families) {
    if (!family.has_tables || family.log_number <= *stopped_at_) continue;
    return Status::Corruption("column family \"" + std::string(family.name) +
                              "\" is ahead of the damaged WAL " + std::to_string(*stopped_at_) +
                              ": its tables have data from behind the damage (log number " +
                              std::to_string(family.log_number) + ")");
  }
  return {};
}

}  // namespace varve
