// SPDX-License-Identifier: Apache-2.0
// WalReplay applies existing WALs to the families' memtables. WalWalk decides which batches apply
// and what is left out.
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
  // Called after each applied batch, with its size, e.g. to flush memtables that grew too large.
  using AfterBatch = std::function<Status(uint64_t bytes)>;

  WalReplay(EngineContext& context, const DatabaseState& state, RecoveryReport* report,
            AfterBatch after_batch);

  // Replays all of them, in ascending order. Opens those that are not open, and closes each after
  // reading.
  Status Run(std::vector<WalFile> wals);

  // The number that the next batch would have, 0 if there was no batch.
  Sequence next() const { return walk_.next(); }
  // The highest family id of any record, whether the family exists or not: a new family with that
  // id would inherit the records of a dropped one. Ids that cannot be assigned do not count.
  ColumnFamilyId highest_family() const { return highest_family_; }
  // Transactions that are prepared at the end.
  const PreparedSections& prepared() const { return walk_.prepared(); }

 private:
  void NoteFamilies(const WriteBatch& batch);
  Status ApplyBatch(uint64_t wal, Sequence sequence, std::string_view batch)
      REQUIRES(write_lead, engine_mutex);

  EngineContext& context_;
  const DatabaseState& state_;
  const AfterBatch after_batch_;
  WalWalk walk_;
  ColumnFamilyId highest_family_ = 0;
};

}  // namespace varve
