// SPDX-License-Identifier: Apache-2.0
#include "core/base/thread_pool.h"

#include <utility>

#include "core/base/check.h"

namespace varve {

ThreadPool::ThreadPool(int flush_threads, int compaction_threads) {
  CHECK(flush_threads > 0);
  CHECK(compaction_threads > 0);
  queues_[static_cast<size_t>(Lane::kFlush)].threads_max = flush_threads;
  queues_[static_cast<size_t>(Lane::kCompaction)].threads_max = compaction_threads;
}

ThreadPool::~ThreadPool() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(mu_);
    closing_ = true;
    for (Queue& queue : queues_) {
      queue.wake.NotifyAll();
      for (std::thread& thread : queue.threads) threads.push_back(std::move(thread));
    }
  }
  for (std::thread& thread : threads) thread.join();
}

void ThreadPool::Schedule(Lane lane, std::function<void()> job) {
  Queue& queue = queues_[static_cast<size_t>(lane)];
  MutexLock lock(mu_);
  queue.jobs.push_back(std::move(job));
  // An idle thread that was woken for an earlier job still counts as idle until it runs.
  const bool enough = queue.idle >= static_cast<int>(queue.jobs.size());
  if (!enough && !closing_ && static_cast<int>(queue.threads.size()) < queue.threads_max) {
    queue.threads.emplace_back([this, &queue] { Run(queue); });
  } else {
    queue.wake.NotifyOne();
  }
}

int ThreadPool::Parallelism(Lane lane) const {
  return queues_[static_cast<size_t>(lane)].threads_max;
}

void ThreadPool::Run(Queue& queue) {
  while (true) {
    std::function<void()> job;
    {
      MutexLock lock(mu_);
      ++queue.idle;
      while (queue.jobs.empty() && !closing_) queue.wake.Wait(mu_);
      --queue.idle;
      if (queue.jobs.empty()) return;
      job = std::move(queue.jobs.front());
      queue.jobs.pop_front();
    }
    job();
  }
}

}  // namespace varve
