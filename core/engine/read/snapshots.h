// SPDX-License-Identifier: Apache-2.0
// SnapshotList holds the sequence numbers of live snapshots. Flushes and compactions keep every
// version that one of them sees.
// A snapshot takes the current sequence number and joins the list in one step, under the mutex that
// Live() takes: a job that did not see the snapshot had started before, and everything it may drop
// was already hidden when the snapshot was taken. Thread-safe.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <set>
#include <vector>

#include "core/base/threads/mutex.h"
#include "core/engine/locks.h"
#include "varve/result.h"
#include "varve/snapshot.h"
#include "varve/types.h"

namespace varve {

class SnapshotList : public std::enable_shared_from_this<SnapshotList> {
 public:
  // `visible` is the newest sequence number that readers may see; it must outlive the snapshots.
  // Always owned by a shared_ptr, which each Snapshot shares.
  explicit SnapshotList(const std::atomic<Sequence>& visible) : visible_(visible) {}
  static std::shared_ptr<SnapshotList> Create(const std::atomic<Sequence>& visible) {
    return std::make_shared<SnapshotList>(visible);
  }

  Snapshot Take() EXCLUDES(mutex_);
  // A past state, as far as compaction has kept it. InvalidArgument if `sequence` is larger than
  // the current one.
  Result<Snapshot> TakeAt(Sequence sequence) EXCLUDES(mutex_);

  // The live sequence numbers, ascending, without duplicates: the input of compaction's visibility
  // rules.
  std::vector<Sequence> Live() const EXCLUDES(mutex_);
  size_t count() const EXCLUDES(mutex_);
  // Whether it belongs to this list. False for a moved-from snapshot.
  bool Has(const Snapshot& snapshot) const { return snapshot.list_.get() == this; }

  // For ~Snapshot only.
  void Release(Sequence sequence) EXCLUDES(mutex_);

 private:
  Sequence JoinNow() EXCLUDES(mutex_);
  void Join(Sequence sequence) EXCLUDES(mutex_);

  const std::atomic<Sequence>& visible_;
  mutable Mutex mutex_ ACQUIRED_AFTER(engine_mutex);
  std::multiset<Sequence> live_ GUARDED_BY(mutex_);
};

}  // namespace varve
