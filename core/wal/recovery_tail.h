// SPDX-License-Identifier: Apache-2.0
// Decides what recovery does when the next record of a WAL is not valid. Pure functions.
//
// For one WAL (db-format 2.4). "stop" ends this WAL and makes WalSequence check those after it.
//
//   event                         | tolerate-tail | absolute | point-in-time | skip-any
//   ends between records          | end           | end      | end           | end
//   cut short                     | end *         | refuse   | stop *        | end *
//   bad, recyclable headers       | end *         | refuse   | stop *        | continue *
//   bad, legacy headers           | refuse        | refuse   | stop *        | continue *
//   records in impossible order   | refuse        | refuse   | stop *        | continue *
//   shorter than a batch's header | refuse        | refuse   | stop *        | continue *
//   old record                    | end           | end      | stop          | continue
//   old record in mid-fragment    | end *         | refuse   | stop *        | continue *
//   batch malformed               | refuse        | refuse   | refuse        | refuse
//   read failed                   | refuse        | refuse   | refuse        | end *
//
//   * data is lost, which the recovery report must list.
//
// Whether the WAL is the last one does not matter here: the sequence numbers of later WALs show
// whether anything is missing. A malformed batch with a correct checksum cannot result from a
// crash.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/check.h"
#include "core/wal/log_reader.h"
#include "varve/options.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

enum class TailEvent : uint8_t {
  kEnd,
  kCut,
  kBad,
  kDisorder,
  kShortRecord,
  kOld,
  kMalformedBatch,
  kReadFailed,
};

struct TailCircumstances {
  bool recyclable = false;       // LogReader::saw_recyclable().
  bool inside_fragment = false;  // LogReader::inside_fragment().
};

enum class TailAction : uint8_t {
  kContinue,  // With the next record of this WAL.
  kEndOfWal,  // With the next WAL.
  kStop,      // With the next WAL, if it continues the sequence: WalSequence::Stop().
  kRefuse,    // Refuse to open the database.
};

struct TailDecision {
  TailAction action = TailAction::kRefuse;
  bool loss = false;  // Bytes that may have been committed are dropped: report them.

  bool operator==(const TailDecision&) const = default;
};

// The event that `reader.Next()` returned, nullopt for a record. The caller detects short records
// and malformed batches.
std::optional<TailEvent> ClassifyTail(const LogReader& reader, LogReader::Event event);

TailDecision DecideTail(WalRecoveryMode mode, TailEvent event, TailCircumstances circumstances);

// What recovery needs to know about a column family at the end.
struct FamilyLogState {
  std::string_view name;
  uint64_t log_number = 0;
  bool has_tables = false;
};

// Follows the sequence numbers through all WALs, in ascending order of their numbers, and decides
// whether data after a stop may still be applied.
//
//   following --Stop()--> doubting --first sequence is the next one--> following
//                             \--any other--> this WAL is dropped, doubting
class WalSequence {
 public:
  enum class Verdict : uint8_t {
    kApply,
    kDropWal,    // Behind a gap: continue with the next WAL. A loss.
    kBackwards,  // Corruption in every mode: sequences only grow.
  };

  // Call for a batch that starts at `sequence`, before applying it.
  Verdict Admit(Sequence sequence);
  // The number after the last one that the admitted batch used.
  void Advance(Sequence next) {
    VARVE_CHECK(!next_ || next >= *next_, "Admit() rejected smaller ones");
    next_ = next;
  }
  // Reading `wal` ended at TailAction::kStop.
  void Stop(uint64_t wal);

  bool stopped() const { return stopped_at_.has_value(); }
  std::optional<Sequence> next() const { return next_; }

  // Call after the last WAL. A family whose tables have data from behind the damage would be ahead
  // of the others: such a database must not be opened.
  Status CheckFamilies(std::span<const FamilyLogState> families) const;

 private:
  std::optional<Sequence> next_;        // Unknown until a batch was applied.
  std::optional<uint64_t> stopped_at_;  // The damaged WAL while doubting.
};

}  // namespace varve
