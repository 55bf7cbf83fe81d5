// SPDX-License-Identifier: Apache-2.0
// Snapshot freezes one moment of the database for as many reads as you like.
//
// While it lives, compaction keeps every version it can see. Movable; release it by destroying it,
// before the DB is. Thread-compatible.
#pragma once

#include <memory>

#include "varve/export.h"
#include "varve/types.h"

namespace varve {

class SnapshotList;

// A moment to read at: ReadOptions::snapshot. Made by DB::GetSnapshot() and DB::GetSnapshotAt().
class VARVE_EXPORT Snapshot {
 public:
  Snapshot() = default;                 // Of no database: not to be read at.
  Snapshot(Snapshot&& other) noexcept;  // `other` is then as one made without arguments.
  // Releases what it was before; else as the constructor.
  Snapshot& operator=(Snapshot&& other) noexcept;
  ~Snapshot();  // Releases it: compaction need no longer keep what it sees.

  // The newest write that it sees.
  Sequence sequence() const { return sequence_; }

 private:
  friend class SnapshotList;  // The only maker of live snapshots.
  Snapshot(std::shared_ptr<SnapshotList> list, Sequence sequence);

  std::shared_ptr<SnapshotList> list_;
  Sequence sequence_ = 0;
};

}  // namespace varve
