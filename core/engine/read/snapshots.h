// SPDX-License-Identifier: Apache-2.0
// SnapshotList knows the sequence numbers that live snapshots read at. Flushes and compactions
// keep every version that one of them sees.
//
// A snapshot takes the present sequence number and joins the list in one step, under the mutex
// that Live() takes too: a job that did not see the snapshot began before it, so all that the job
// may drop was hidden at the snapshot's moment already.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <set>
#include <vector>

#include "core/base/mutex.h"
#include "core/engine/locks.h"
#include "varve/result.h"
#include "varve/snapshot.h"
#include "varve/types.h"

namespace varve {

class SnapshotList : public std::enable_shared_from_this<SnapshotList> {
 public:
  // `visible` is the newest sequence number readers may see; it must outlive the snapshots. Always
  // owned by a shared_ptr: each Snapshot shares its list.
  explicit SnapshotList(const std::atomic<Sequence>& visible) : visible_(visible) {}
  static std::shared_ptr<SnapshotList> Create(const std::atomic<Sequence>& visible) {
    return std::make_shared<SnapshotList>(visible);
  }

  Snapshot Take() EXCLUDES(mutex_);
  // The past, as far as compaction has kept it. InvalidArgument if `sequence` is yet to come.
  Result<Snapshot> TakeAt(Sequence sequence) EXCLUDES(mutex_);

  // The live sequence numbers, ascending, each once: what compaction's visibility rules take.
  std::vector<Sequence> Live() const EXCLUDES(mutex_);
  // The oldest live one, or `otherwise` if there is none.
  Sequence Oldest(Sequence otherwise) const EXCLUDES(mutex_);
  size_t count() const EXCLUDES(mutex_);
  // Is it one of this list's? Not one that was moved from.
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
