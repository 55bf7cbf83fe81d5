// SPDX-License-Identifier: Apache-2.0
// WalReplay applies the WALs that a crash (or a close) left behind to the families' memtables.
//
// What it does at damage is decided by wal/recovery_tail.h; every byte it leaves out is a
// RecoveryLoss. A batch is applied wholly or not at all: it is walked to its end first.
// Two-phase-commit sections and WALs of the write-prepared policies are refused by name.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/engine/context.h"
#include "core/version/column_families.h"
#include "core/wal/log_reader.h"
#include "core/wal/recovery_tail.h"
#include "varve/db.h"

namespace varve {

class WalReplay {
 public:
  // `after_batch` runs after each batch that was applied, e.g. to flush what grew too large.
  WalReplay(EngineContext& context, const DatabaseState& state, RecoveryReport* report,
            std::function<Status()> after_batch);

  // All of them, ascending.
  Status Run(const std::vector<uint64_t>& wals);

  // The newest sequence number used, 0 if none.
  Sequence last_sequence() const { return last_sequence_; }

 private:
  Status ReplayOne(uint64_t wal);
  // Applies the record; says how to go on.
  Result<TailAction> ApplyRecord(uint64_t wal, const LogReader& log);
  Status ApplyBatch(uint64_t wal, std::string_view batch);
  Result<TailAction> Decide(uint64_t wal, const LogReader& log, TailEvent event,
                            const std::string& reason, uint64_t bytes);
  Status CheckSupported(std::string_view batch) const;

  EngineContext& context_;
  const DatabaseState& state_;
  RecoveryReport* report_;
  const std::function<Status()> after_batch_;
  WalSequence sequence_;
  Sequence last_sequence_ = 0;
  uint64_t file_size_ = 0;  // Of the WAL being read.
};

}  // namespace varve
