// SPDX-License-Identifier: Apache-2.0
// Executor on threads. Each lane has a queue and threads of its own, so a flush never waits behind
// a compaction. Threads start when there is work for them and stay.
//
// Where the system gives no thread, those that a lane has do its work; a lane without any is worked
// off by whoever is about to wait, as without threads at all, until a later job finds a thread.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
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
  bool RunOneWhileWaiting() override;

 private:
  struct Queue {
    int threads_max = 0;
    int idle = 0;  // Threads waiting for a job.
    std::deque<std::function<void()>> jobs;
    std::vector<pthread_t> threads;
    CondVar wake;
  };

  // What a thread is started with.
  struct Start {
    ThreadPool* pool;
    Queue* queue;
  };
  static void* Main(void* start);
  bool StartThread(Queue* queue) REQUIRES(mu_);
  void Run(Queue& queue) EXCLUDES(mu_);
  std::function<void()> TakeOfThreadless() EXCLUDES(mu_);
  void CountThreadless() REQUIRES(mu_);

  Mutex mu_;
  std::array<Queue, 2> queues_;  // By lane; all but threads_max guarded by mu_.
  // Jobs of lanes that have no thread, for whoever asks all the time and without the mutex.
  std::atomic<size_t> threadless_jobs_{0};
  bool closing_ GUARDED_BY(mu_) = false;
};

}  // namespace varve
