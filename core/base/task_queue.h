// SPDX-License-Identifier: Apache-2.0
// TaskQueue shares the work of one job with the executor's threads. Tasks begin in the order in
// which they were added, on a thread of the executor's or on the owner's while it waits:
//
//   Add --> | waiting, in order | --helper or waiting owner--> running (at_once at most) --> done
//
// Nothing depends on a helper: the owner takes part while it waits, and waits only for tasks that
// somebody has begun. So a job finishes even if no other thread is ever free, or there are none. An
// executor that runs one job of a lane at a time is not even asked.
//
// Add() and Await*() are the owner's: one thread. Tasks may run on any; one sees what those done
// before it began have written.
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
  // Shared with the helpers, who may come to run when the queue is long gone, and find it empty.
  const std::shared_ptr<State> state_;
};

}  // namespace varve
