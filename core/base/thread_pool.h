// SPDX-License-Identifier: Apache-2.0
// Executor on threads. Each lane has a queue and threads of its own, so a flush never waits behind
// a compaction. Threads start when there is work for them and stay.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "varve/environment.h"

namespace varve {

// Thread-safe. The destructor runs what is queued and waits for it.
class ThreadPool final : public Executor {
 public:
  ThreadPool(int flush_threads, int compaction_threads);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Schedule(Lane lane, std::function<void()> job) override;
  int Parallelism(Lane lane) const override;

 private:
  struct Queue {
    int threads_max = 0;
    int idle = 0;  // Threads waiting for a job.
    std::deque<std::function<void()>> jobs;
    std::vector<std::thread> threads;
    CondVar wake;
  };

  void Run(Queue& queue) EXCLUDES(mu_);

  Mutex mu_;
  std::array<Queue, 2> queues_;  // By lane; all but threads_max guarded by mu_.
  bool closing_ GUARDED_BY(mu_) = false;
};

}  // namespace varve
