// SPDX-License-Identifier: Apache-2.0
// ErrorState says whether the database accepts writes. It only moves in one direction (rule S8):
//
//   open --failed write or sync of WAL or MANIFEST--> writes closed --Close()--> shut
//     \________________________Close()_______________________________________/
//
// Writes closed: the contents of the failed file are unknown, so nothing is written until the
// database is reopened; reads still work. Shut: every call fails. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/base/threads/mutex.h"
#include "core/engine/locks.h"
#include "varve/status.h"

namespace varve {

class ErrorState {
 public:
  // Ok, the error that closed writes, or kShutdown. Costs one atomic load if ok.
  Status CheckWritable() const {
    return state_.load(std::memory_order_acquire) == State::kOpen ? Status::Ok() : Why();
  }
  Status CheckReadable() const {
    return state_.load(std::memory_order_acquire) == State::kShut ? Why() : Status::Ok();
  }
  bool writable() const { return state_.load(std::memory_order_acquire) == State::kOpen; }

  // The first error is kept.
  void CloseWrites(const Status& why) EXCLUDES(mutex_);
  void Shut() EXCLUDES(mutex_);

 private:
  enum class State : uint8_t { kOpen, kWritesClosed, kShut };
  Status Why() const EXCLUDES(mutex_);

  std::atomic<State> state_{State::kOpen};  // Stored with release after why_ is set.
  mutable Mutex mutex_ ACQUIRED_AFTER(engine_mutex);
  Status why_ GUARDED_BY(mutex_);
};

}  // namespace varve
