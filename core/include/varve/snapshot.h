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

class VARVE_EXPORT Snapshot {
 public:
  Snapshot() = default;
  Snapshot(Snapshot&& other) noexcept;
  Snapshot& operator=(Snapshot&& other) noexcept;
  ~Snapshot();

  Sequence sequence() const { return sequence_; }

 private:
  friend class SnapshotList;  // The only maker of live snapshots.
  Snapshot(std::shared_ptr<SnapshotList> list, Sequence sequence);

  std::shared_ptr<SnapshotList> list_;
  Sequence sequence_ = 0;
};

}  // namespace varve
