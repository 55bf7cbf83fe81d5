// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/thread_pool.h"

#include <memory>
#include <utility>

#include "core/base/check.h"

namespace varve {

static_assert(static_cast<size_t>(Executor::Lane::kFlush) == 0);
static_assert(static_cast<size_t>(Executor::Lane::kCompaction) == 1);

ThreadPool::ThreadPool(int flush_threads, int compaction_threads)
    : threads_max_{flush_threads, compaction_threads} {
  CHECK(flush_threads > 0);
  CHECK(compaction_threads > 0);
}

ThreadPool::~ThreadPool() {
  std::vector<pthread_t> threads;
  {
    MutexLock lock(mu_);
    closing_ = true;
    for (Queue& queue : queues_) {
      queue.wake.NotifyAll();
      threads.insert(threads.end(), queue.threads.begin(), queue.threads.end());
    }
  }
  for (const pthread_t thread : threads) CHECK(pthread_join(thread, nullptr) == 0);
  while (RunOneWhileWaiting()) {
  }
}

void ThreadPool::Schedule(Lane lane, std::function<void()> job) {
  CHECK(job != nullptr);
  const auto index = static_cast<size_t>(lane);
  MutexLock lock(mu_);
  Queue& queue = queues_[index];
  queue.jobs.push_back(std::move(job));
  // An idle thread that was woken for an earlier job counts as idle until it runs.
  const bool enough = queue.idle >= static_cast<int>(queue.jobs.size());
  const bool wanted =
      !enough && !closing_ && static_cast<int>(queue.threads.size()) < threads_max_[index];
  if (!wanted || !StartThread(index)) queue.wake.NotifyOne();
  CountThreadless();
}

void ThreadPool::CountThreadless() {
  size_t jobs = 0;
  for (const Queue& queue : queues_) jobs += queue.threads.empty() ? queue.jobs.size() : 0;
  threadless_jobs_.store(jobs, std::memory_order_relaxed);
}

// Not std::thread, whose constructor throws.
bool ThreadPool::StartThread(size_t lane) {
  auto start = std::make_unique<Start>(Start{this, lane});
  pthread_t thread;
  if (pthread_create(&thread, nullptr, &Main, start.get()) != 0) return false;
  [[maybe_unused]] const Start* const owned_by_thread = start.release();
  queues_[lane].threads.push_back(thread);
  return true;
}

void* ThreadPool::Main(void* start) {
  const std::unique_ptr<const Start> own(static_cast<const Start*>(start));
  own->pool->Run(own->lane);
  return nullptr;
}

bool ThreadPool::RunOneWhileWaiting() {
  if (threadless_jobs_.load(std::memory_order_relaxed) == 0) return false;
  const std::function<void()> job = TakeOfThreadless();
  if (job) job();
  return job != nullptr;
}

std::function<void()> ThreadPool::TakeOfThreadless() {
  MutexLock lock(mu_);
  for (Queue& queue : queues_) {
    if (!queue.threads.empty() || queue.jobs.empty()) continue;
    std::function<void()> job = std::move(queue.jobs.front());
    queue.jobs.pop_front();
    CountThreadless();
    return job;
  }
  return nullptr;
}

int ThreadPool::Parallelism(Lane lane) const { return threads_max_[static_cast<size_t>(lane)]; }

void ThreadPool::Run(size_t lane) {
  while (true) {
    std::function<void()> job;
    {
      MutexLock lock(mu_);
      Queue& queue = queues_[lane];
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
