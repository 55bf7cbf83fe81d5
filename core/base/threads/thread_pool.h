// SPDX-License-Identifier: Apache-2.0
// Executor with threads. Each lane has its own queue and threads, so a flush never waits behind a
// compaction. Threads are started on demand and stay.
//
// If the system refuses a new thread, the lane's existing threads do the work; the jobs of a lane
// without threads are run by callers about to wait, as without threads at all, until a later job
// gets a thread.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "core/base/threads/mutex.h"
#include "varve/environment.h"

namespace varve {

// Thread-safe. The destructor runs queued jobs and waits for them.
class ThreadPool final : public Executor {
 public:
  ThreadPool(int flush_threads, int compaction_threads);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Schedule(Lane lane, std::function<void()> job) override;
  int Parallelism(Lane lane) const override;
  bool RunOneWhileWaiting() override;

 private:
  struct Queue {
    int idle = 0;  // Threads waiting for a job.
    std::deque<std::function<void()>> jobs;
    std::vector<pthread_t> threads;
    CondVar wake;
  };

  // The argument of a new thread.
  struct Start {
    ThreadPool* pool;
    size_t lane;
  };
  static void* Main(void* start);
  bool StartThread(size_t lane) REQUIRES(mu_);
  void Run(size_t lane) EXCLUDES(mu_);
  std::function<void()> TakeOfThreadless() EXCLUDES(mu_);
  void CountThreadless() REQUIRES(mu_);

  const std::array<int, 2> threads_max_;  // By lane.
  Mutex mu_;
  std::array<Queue, 2> queues_ GUARDED_BY(mu_);  // By lane.
  // Jobs of lanes without threads; an atomic, so that callers can check it without the mutex.
  std::atomic<size_t> threadless_jobs_{0};
  bool closing_ GUARDED_BY(mu_) = false;
};

}  // namespace varve
