// SPDX-License-Identifier: Apache-2.0
// Snapshot fixes one state of the database for any number of reads.
//
// While it lives, compaction keeps every version it can see. Movable. Destroy it before the DB to
// release it. Thread-compatible.
#pragma once

#include <memory>

#include "varve/export.h"
#include "varve/types.h"

namespace varve {

class SnapshotList;

// A state to read at: ReadOptions::snapshot. Made by DB::GetSnapshot() and DB::GetSnapshotAt().
class VARVE_EXPORT Snapshot {
 public:
  Snapshot() = default;                 // Of no database: cannot be read at.
  Snapshot(Snapshot&& other) noexcept;  // Leaves `other` default-constructed.
  // Releases its old value first.
  Snapshot& operator=(Snapshot&& other) noexcept;
  ~Snapshot();  // Compaction may then drop what only this snapshot sees.

  // Sequence number of the newest write that it sees.
  Sequence sequence() const { return sequence_; }

 private:
  friend class SnapshotList;  // Creates all other snapshots.
  Snapshot(std::shared_ptr<SnapshotList> list, Sequence sequence);

  std::shared_ptr<SnapshotList> list_;
  Sequence sequence_ = 0;
};

}  // namespace varve
