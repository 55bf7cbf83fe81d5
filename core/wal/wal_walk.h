// SPDX-License-Identifier: Apache-2.0
// WalWalk goes through the WALs of a database, oldest first, as recovery does: which batches apply,
// where it stops, and what is left out. What a batch is applied to is the caller's: the engine fills
// memtables, the inspectors collect entries, or nothing but the report is wanted.
//
//   WalFile --LogReader--> record --recovery_tail--> batch --WalSequence--> apply
//                             \--> RecoveryLoss: torn or damage (wal/log_end.h)
//
// A loss is damage unless it is the end of a log as a crash leaves it, and no later log shows that
// more was written: behind such an end, sequences go on where it broke off, or there is nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/log/write_batch_format.h"
#include "core/wal/log_reader.h"
#include "core/wal/recovery_tail.h"
#include "varve/db.h"
#include "varve/file_system.h"

namespace varve {

// An open WAL and the size that it is read to, whatever is appended meanwhile.
struct WalFile {
  uint64_t number = 0;
  std::unique_ptr<RandomAccessFile> file = {};
  uint64_t size = 0;
};

Result<WalFile> OpenWal(FileSystem& fs, const std::string& directory, uint64_t number);

class WalWalk {
 public:
  // Of a batch that applies, whose records were checked; its header's sequence is its first.
  using Apply =
      std::function<Status(uint64_t wal, const BatchHeader& header, std::string_view batch)>;

  // `report` is added to, and outlives the walk.
  WalWalk(WalRecoveryMode mode, RecoveryReport* report, Apply apply)
      : mode_(mode), report_(report), apply_(std::move(apply)) {}

  // In ascending order of their numbers.
  Status Read(const WalFile& wal);
  // After the last one: see WalSequence::CheckFamilies.
  Status CheckFamilies(std::span<const FamilyLogState> families) const {
    return sequence_.CheckFamilies(families);
  }

  // The newest sequence number that an applied batch used, 0 if none.
  Sequence last_sequence() const { return last_sequence_; }

 private:
  Result<TailAction> TakeRecord(const WalFile& wal, const LogReader& log);
  Result<TailAction> Decide(const WalFile& wal, const LogReader& log, TailEvent event,
                            const std::string& reason, uint64_t bytes);
  void NoteLoss(RecoveryLoss loss);

  const WalRecoveryMode mode_;
  RecoveryReport* const report_;
  const Apply apply_;
  WalSequence sequence_;
  Sequence last_sequence_ = 0;
  LogReader::Event event_ = LogReader::Event::kEnd;  // What the log returned last.
  std::optional<size_t> torn_;  // The loss at the end of the WAL before, unless it is damage.
};

// NotSupported for what this engine does not replay (two-phase commit, the write-prepared policies),
// Corruption if the batch is malformed.
Status CheckReplayable(std::string_view batch);

// Corruption if its changes have the sequence 0, that of keys which compaction has made the oldest
// of all: a Get would find them in a memtable, a scan behind whatever the tables hold.
Status CheckNumbered(const BatchHeader& header);

}  // namespace varve
