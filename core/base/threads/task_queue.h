// SPDX-License-Identifier: Apache-2.0
// TaskQueue shares the work of one job with the executor's threads. Tasks start in the order in
// which they were added, on an executor thread or on the owner's while it waits:
//
//   Add --> | waiting, in order | --helper or waiting owner--> running (at_once at most) --> done
//
// Progress does not depend on helpers: the owner runs tasks while it waits, and only waits for
// tasks that have started. So a job finishes even if no other thread is ever free, or there are
// none. An executor that runs one job of a lane at a time is not used for helpers.
//
// Only the owner, one thread, calls Add() and Await*(). Tasks may run on any thread; a task sees
// what tasks finished before it started have written.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "varve/environment.h"

namespace varve {

class TaskQueue {
 public:
  TaskQueue(Executor* executor, Executor::Lane lane, size_t at_once);
  ~TaskQueue();  // Waits for all tasks.
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  void Add(std::function<void()> task);
  // Returns when no more than `left` tasks are waiting or running.
  void AwaitAtMost(size_t left);
  void AwaitAll() { AwaitAtMost(0); }

 private:
  class State;

  Executor* const executor_;
  const Executor::Lane lane_;
  // Shared with the helpers, which may run after the queue is destroyed, and then find it empty.
  const std::shared_ptr<State> state_;
};

}  // namespace varve
