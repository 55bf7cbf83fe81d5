// SPDX-License-Identifier: Apache-2.0
// WalWalk reads the WALs of a database, oldest first, as recovery does, and decides which batches
// apply, where recovery stops and what is left out. The caller applies the batches: the engine
// fills memtables, inspectors collect entries or only want the report.
//
//   WalFile --LogReader--> record --recovery_tail--> batch --WalSequence--> apply
//                             \--> RecoveryLoss: torn or damage (wal/log_end.h)
//
// Of two-phase commits, what was prepared applies where it is committed (prepared_sections.h).
//
// WALs that all families are past are only read for what was prepared in them: however one of them
// ends, those after it apply.
//
// A loss is damage unless it is the end of a log as a crash leaves it and no later log shows that
// more was written: after such an end, sequence numbers continue without a gap, or there are no
// more batches.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/log/write_batch_format.h"
#include "core/wal/log_reader.h"
#include "core/wal/prepared_sections.h"
#include "core/wal/recovery_tail.h"
#include "varve/db.h"
#include "varve/file_system.h"

namespace varve {

// An open WAL and the size up to which it is read, even if it grows meanwhile.
struct WalFile {
  uint64_t number = 0;
  std::unique_ptr<RandomAccessFile> file = {};
  uint64_t size = 0;
};

Result<WalFile> OpenWal(FileSystem& fs, const std::string& directory, uint64_t number);
// The sequence number of its first batch; nullopt if it has none, or that cannot be read.
std::optional<Sequence> FirstSequence(const WalFile& wal);

class WalWalk {
 public:
  // Called for each batch that applies, with validated records and without marks of two-phase
  // commits; its header has the first sequence number. `wal` is the log that has its commit.
  using Apply =
      std::function<Status(uint64_t wal, const BatchHeader& header, std::string_view batch)>;

  // `report` is added to. It and the names of `families` must outlive the walk. Without families,
  // every WAL is needed.
  WalWalk(WalRecoveryMode mode, RecoveryReport* report, std::vector<FamilyLogState> families,
          Apply apply);

  // In ascending order of their numbers.
  Status Read(const WalFile& wal);
  // After the last one: see WalSequence::CheckFamilies.
  Status CheckFamilies() const { return sequence_.CheckFamilies(families_); }

  // The newest sequence number of an applied batch, 0 if there is none.
  Sequence last_sequence() const { return last_sequence_; }
  // The number that the next batch would have, 0 if no batch was applied.
  Sequence next() const { return sequence_.next().value_or(0); }
  // What was prepared and neither committed nor rolled back so far.
  const PreparedSections& prepared() const { return prepared_; }

 private:
  Result<TailAction> TakeRecord(const WalFile& wal, const LogReader& log);
  Result<TailAction> Decide(const WalFile& wal, const LogReader& log, TailEvent event,
                            const std::string& reason, uint64_t bytes);
  void NoteLoss(RecoveryLoss loss);

  const WalRecoveryMode mode_;
  RecoveryReport* const report_;
  const std::vector<FamilyLogState> families_;
  uint64_t first_needed_ = 0;  // By families.
  const Apply apply_;
  WalSequence sequence_;
  PreparedSections prepared_;
  uint64_t log_bytes_ = 0;  // Of the logs so far.
  bool saw_sub_batches_ = false;
  Sequence last_sequence_ = 0;
  LogReader::Event event_ = LogReader::Event::kEnd;  // The last event of the log.
  std::optional<size_t> torn_;  // The loss at the end of the previous WAL, unless it is damage.
};

// What a batch has beside changes.
struct BatchMarks {
  bool two_phase = false;  // Prepared sections, commits or rollbacks.
  // A Noop behind a change. Each transaction that is committed without being prepared begins with
  // one, and a write group is one batch; but so end the sub-batches of write-prepared transactions,
  // whose changes are numbered differently.
  bool sub_batches = false;
};

// NotSupported for batches that this engine does not replay (write-prepared and write-unprepared
// transactions, commits with timestamps), Corruption if the batch is malformed.
Status CheckReplayable(std::string_view batch, BatchMarks* marks = nullptr);

// Corruption if its changes have sequence number 0, which marks the oldest version of a key after
// compaction: a Get would find it in a memtable, but a scan would sort it behind the tables'
// versions.
Status CheckNumbered(const BatchHeader& header);

}  // namespace varve
