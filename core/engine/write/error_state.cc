// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write/error_state.h"

#include "core/base/check.h"

namespace varve {

void ErrorState::CloseWrites(const Status& why) {
  CHECK(!why.ok());
  MutexLock lock(mutex_);
  if (state_.load(std::memory_order_relaxed) != State::kOpen) return;
  why_ = why.At("writes are closed until the database is reopened");
  state_.store(State::kWritesClosed, std::memory_order_release);
}

void ErrorState::Shut() {
  MutexLock lock(mutex_);
  why_ = Status::Shutdown("the database is closed");
  state_.store(State::kShut, std::memory_order_release);
}

Status ErrorState::Why() const {
  MutexLock lock(mutex_);
  CHECK(!why_.ok(), "without an error, a refused write would be acknowledged");
  return why_;
}

}  // namespace varve
