// SPDX-License-Identifier: Apache-2.0
// Pipe connects two concurrent halves of a job: the owner fills buffers, and the executor's threads
// (or the owner, see task_queue.h) consume them, one at a time and in order.
//
//   buffer() --HandOver--> | waiting, kWaitingMax at most | --> consume --> spare --> buffer()
//
// The state used by `consume` belongs to it until Drain() has returned. After its first failure
// buffers are dropped unread, and every later call returns that failure. One thread, except
// `consume`.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/threads/mutex.h"
#include "core/base/threads/task_queue.h"
#include "varve/environment.h"
#include "varve/status.h"

namespace varve {

// A Buffer is default-constructible and has clear(), which keeps its memory.
template <typename Buffer>
class Pipe {
 public:
  static constexpr size_t kWaitingMax = 2;

  Pipe(Executor* executor, Executor::Lane lane, std::function<Status(const Buffer&)> consume)
      : consume_(std::move(consume)),
        filling_(std::make_unique<Buffer>()),
        queue_(executor, lane, /*at_once=*/1) {}

  Buffer& buffer() { return *filling_; }

  // buffer() is empty afterwards.
  Status HandOver() {
    {
      MutexLock lock(mu_);
      full_.push_back(std::move(filling_));
      VARVE_CHECK(full_.size() <= kWaitingMax + 1);
    }
    queue_.Add([this] { ConsumeNext(); });
    queue_.AwaitAtMost(kWaitingMax);
    MutexLock lock(mu_);
    if (spare_.empty()) spare_.push_back(std::make_unique<Buffer>());
    filling_ = std::move(spare_.back());
    DCHECK(filling_->empty());
    spare_.pop_back();
    return failure_;
  }

  // Returns when everything handed over is consumed.
  Status Drain() {
    queue_.AwaitAll();
    MutexLock lock(mu_);
    return failure_;
  }

 private:
  void ConsumeNext() EXCLUDES(mu_) {
    bool failed = false;
    std::unique_ptr<Buffer> buffer = TakeFull(&failed);
    Status consumed = failed ? Status::Ok() : consume_(*buffer);
    buffer->clear();
    DCHECK(buffer->empty());
    MutexLock lock(mu_);
    if (!consumed.ok()) failure_ = std::move(consumed);
    spare_.push_back(std::move(buffer));
  }
  std::unique_ptr<Buffer> TakeFull(bool* failed) EXCLUDES(mu_) {
    MutexLock lock(mu_);
    VARVE_CHECK(!full_.empty(), "there is a task for each buffer");
    *failed = !failure_.ok();
    std::unique_ptr<Buffer> buffer = std::move(full_.front());
    full_.pop_front();
    return buffer;
  }

  const std::function<Status(const Buffer&)> consume_;
  std::unique_ptr<Buffer> filling_;
  Mutex mu_;
  Status failure_ GUARDED_BY(mu_);
  std::deque<std::unique_ptr<Buffer>> full_ GUARDED_BY(mu_);
  std::vector<std::unique_ptr<Buffer>> spare_ GUARDED_BY(mu_);
  TaskQueue queue_;  // Declared last: destroyed before what its tasks use.
};

}  // namespace varve
