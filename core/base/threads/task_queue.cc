// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/task_queue.h"

#include <deque>
#include <utility>

#include "core/base/check.h"
#include "core/base/threads/mutex.h"

namespace varve {

class TaskQueue::State {
 public:
  State(size_t at_once, size_t helpers_max) : at_once_(at_once), helpers_max_(helpers_max) {
    CHECK(at_once_ > 0);
  }

  // True if a helper must be scheduled.
  bool Add(std::function<void()> task) EXCLUDES(mu_) {
    CHECK(task != nullptr, "null says that there is no task");
    MutexLock lock(mu_);
    tasks_.push_back(std::move(task));
    if (helpers_ >= helpers_max_) return false;
    ++helpers_;
    return true;
  }

  void Help() {
    while (const std::function<void()> task = TakeOrLeave()) Run(task);
  }

  // The next task, once one may start; null when at most `left` are unfinished.
  std::function<void()> TakeOrWait(size_t left) EXCLUDES(mu_) {
    MutexLock lock(mu_);
    while (tasks_.size() + running_ > left) {
      if (MayBegin()) return Take();
      changed_.Wait(mu_);
    }
    return nullptr;
  }

  void Run(const std::function<void()>& task) {
    task();
    MutexLock lock(mu_);
    CHECK_OP(running_, >, 0);
    --running_;
    changed_.NotifyAll();
  }

 private:
  bool MayBegin() const REQUIRES(mu_) { return !tasks_.empty() && running_ < at_once_; }
  std::function<void()> Take() REQUIRES(mu_) {
    CHECK(MayBegin());
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    ++running_;
    return task;
  }
  std::function<void()> TakeOrLeave() EXCLUDES(mu_) {
    MutexLock lock(mu_);
    if (MayBegin()) return Take();
    CHECK_OP(helpers_, >, 0);
    --helpers_;
    return nullptr;
  }

  const size_t at_once_;
  const size_t helpers_max_;
  Mutex mu_;
  CondVar changed_;  // A task is done.
  std::deque<std::function<void()>> tasks_ GUARDED_BY(mu_);
  size_t running_ GUARDED_BY(mu_) = 0;
  size_t helpers_ GUARDED_BY(mu_) = 0;  // Scheduled and not yet finished.
};

// With one thread the job may occupy it: a helper would only run after it.
TaskQueue::TaskQueue(Executor* executor, Executor::Lane lane, size_t at_once)
    : executor_(executor),
      lane_(lane),
      state_(std::make_shared<State>(at_once, executor->Parallelism(lane) < 2 ? 0 : at_once)) {}

TaskQueue::~TaskQueue() { AwaitAll(); }

void TaskQueue::Add(std::function<void()> task) {
  if (state_->Add(std::move(task))) {
    executor_->Schedule(lane_, [state = state_] { state->Help(); });
  }
}

void TaskQueue::AwaitAtMost(size_t left) {
  while (const std::function<void()> task = state_->TakeOrWait(left)) state_->Run(task);
}

}  // namespace varve
