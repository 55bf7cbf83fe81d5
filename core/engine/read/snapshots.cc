// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/snapshots.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/threads/yet_to_come.h"

namespace varve {

Snapshot::Snapshot(std::shared_ptr<SnapshotList> list, Sequence sequence)
    : list_(std::move(list)), sequence_(sequence) {}

Snapshot::Snapshot(Snapshot&& other) noexcept
    : list_(std::move(other.list_)), sequence_(std::exchange(other.sequence_, 0)) {}

Snapshot& Snapshot::operator=(Snapshot&& other) noexcept {
  if (this == &other) return *this;
  if (list_ != nullptr) list_->Release(sequence_);
  list_ = std::move(other.list_);
  sequence_ = std::exchange(other.sequence_, 0);
  return *this;
}

Snapshot::~Snapshot() {
  if (list_ != nullptr) list_->Release(sequence_);
}

Snapshot SnapshotList::Take() { return Snapshot(shared_from_this(), JoinNow()); }

Result<Snapshot> SnapshotList::TakeAt(Sequence sequence) {
  const Sequence now = visible_.load(std::memory_order_acquire);
  if (sequence > now) return YetToCome(sequence, now);
  Join(sequence);
  return Snapshot(shared_from_this(), sequence);
}

Sequence SnapshotList::JoinNow() {
  MutexLock lock(mutex_);
  // Acquire: pairs with the release that published the writes up to it.
  const Sequence now = visible_.load(std::memory_order_acquire);
  live_.insert(now);
  return now;
}

void SnapshotList::Join(Sequence sequence) {
  MutexLock lock(mutex_);
  live_.insert(sequence);
}

void SnapshotList::Release(Sequence sequence) {
  MutexLock lock(mutex_);
  const auto found = live_.find(sequence);
  CHECK(found != live_.end());
  live_.erase(found);
}

std::vector<Sequence> SnapshotList::Live() const {
  MutexLock lock(mutex_);
  std::vector<Sequence> sequences;
  for (const Sequence sequence : live_) {
    if (sequences.empty() || sequences.back() != sequence) sequences.push_back(sequence);
  }
  return sequences;
}

size_t SnapshotList::count() const {
  MutexLock lock(mutex_);
  return live_.size();
}

}  // namespace varve
