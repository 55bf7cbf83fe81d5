// SPDX-License-Identifier: Apache-2.0
// WalReplay applies the WALs that a crash (or a close, or a live writer) left behind to the families'
// memtables. Which batches apply and what is left out is WalWalk's to say.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/engine/context.h"
#include "core/engine/locks.h"
#include "core/version/column_families.h"
#include "core/wal/wal_walk.h"
#include "varve/db.h"

namespace varve {

class WalReplay {
 public:
  // Runs after each batch that was applied, with its size, e.g. to flush what grew too large.
  using AfterBatch = std::function<Status(uint64_t bytes)>;

  WalReplay(EngineContext& context, const DatabaseState& state, RecoveryReport* report,
            AfterBatch after_batch);

  // All of them, ascending. Opens those that are not, and closes each when it was read.
  Status Run(std::vector<WalFile> wals);

  // The newest sequence number used, 0 if none.
  Sequence last_sequence() const { return walk_.last_sequence(); }
  // The highest id of a family that records were for, whether it is there or not: a new family of
  // that id would get what a dropped one left behind. Ids that are never given out do not count.
  ColumnFamilyId highest_family() const { return highest_family_; }

 private:
  Status ApplyBatch(uint64_t wal, Sequence sequence, std::string_view batch)
      REQUIRES(write_lead, engine_mutex);

  EngineContext& context_;
  const DatabaseState& state_;
  const AfterBatch after_batch_;
  WalWalk walk_;
  ColumnFamilyId highest_family_ = 0;
};

}  // namespace varve
