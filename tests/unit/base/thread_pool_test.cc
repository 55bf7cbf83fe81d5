// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/thread_pool.h"

#include <doctest/doctest.h>
#include <pthread.h>

#include <atomic>
#include <deque>

#include "core/base/threads/inline_executor.h"

namespace varve {
namespace {

using Lane = Executor::Lane;

// Threads meet here: Arrive() returns once `expected` have come.
class Meeting {
 public:
  explicit Meeting(int expected) : missing_(expected) {}
  void Arrive() {
    MutexLock lock(mu_);
    if (--missing_ == 0) all_.NotifyAll();
    while (missing_ > 0) all_.Wait(mu_);
  }

 private:
  Mutex mu_;
  CondVar all_;
  int missing_;
};

TEST_CASE("ThreadPool: runs every job once before it is gone") {
  std::atomic<int> runs = 0;
  {
    ThreadPool pool(1, 3);
    for (int i = 0; i < 2000; ++i) {
      pool.Schedule(i % 2 == 0 ? Lane::kFlush : Lane::kCompaction, [&] { ++runs; });
    }
  }
  CHECK_EQ(runs.load(), 2000);
}

TEST_CASE("ThreadPool: a lane runs as many jobs at once as it has threads") {
  std::deque<Meeting> meetings;  // Outlive the pool: the last to leave may still be inside.
  ThreadPool pool(1, 3);
  CHECK_EQ(pool.Parallelism(Lane::kFlush), 1);
  CHECK_EQ(pool.Parallelism(Lane::kCompaction), 3);
  for (int round = 0; round < 50; ++round) {
    Meeting& meeting = meetings.emplace_back(4);  // Hangs with fewer than three threads.
    for (int i = 0; i < 3; ++i) pool.Schedule(Lane::kCompaction, [&] { meeting.Arrive(); });
    meeting.Arrive();
  }
}

// No thread can be started while this lives: none has room for its stack.
class NoThreads {
 public:
  NoThreads() {
    pthread_attr_t huge;
    REQUIRE_EQ(pthread_getattr_default_np(&usual_), 0);
    REQUIRE_EQ(pthread_attr_init(&huge), 0);
    REQUIRE_EQ(pthread_attr_setstacksize(&huge, size_t{1} << 46), 0);
    REQUIRE_EQ(pthread_setattr_default_np(&huge), 0);
    pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }

 private:
  pthread_attr_t usual_;
};

TEST_CASE("ThreadPool: if no thread can be started, waiting callers run the jobs") {
  int runs = 0;
  {
    const NoThreads none;
    ThreadPool pool(1, 2);
    pool.Schedule(Lane::kCompaction, [&] { ++runs; });
    pool.Schedule(Lane::kFlush, [&] { runs += 10; });
    CHECK_EQ(runs, 0);  // Whoever schedules may hold locks that the job needs.
    CHECK(pool.RunOneWhileWaiting());
    CHECK_EQ(runs, 10);
    CHECK(pool.RunOneWhileWaiting());
    CHECK_EQ(runs, 11);
    CHECK_FALSE(pool.RunOneWhileWaiting());
    pool.Schedule(Lane::kFlush, [&] { runs += 100; });
  }
  CHECK_EQ(runs, 111);  // What nobody waited for is done in the end.
}

TEST_CASE("ThreadPool: a thread that starts later takes the remaining jobs") {
  std::atomic<int> runs = 0;
  Meeting done(2);
  ThreadPool pool(1, 2);
  {
    const NoThreads none;
    pool.Schedule(Lane::kFlush, [&] { ++runs; });
  }
  pool.Schedule(Lane::kFlush, [&] {
    ++runs;
    done.Arrive();
  });
  done.Arrive();
  CHECK_EQ(runs.load(), 2);
  CHECK_FALSE(pool.RunOneWhileWaiting());
}

TEST_CASE("ThreadPool: a flush does not wait for compactions") {
  Meeting flushed(3);
  ThreadPool pool(1, 2);
  for (int i = 0; i < 2; ++i) pool.Schedule(Lane::kCompaction, [&] { flushed.Arrive(); });
  pool.Schedule(Lane::kFlush, [&] { flushed.Arrive(); });  // Both compactions wait for it.
}

TEST_CASE("ThreadPool: a job may schedule another, and never runs inside a waiting caller") {
  std::atomic<bool> second = false;
  {
    Meeting scheduled(2);
    ThreadPool pool(1, 1);
    pool.Schedule(Lane::kFlush, [&] {
      pool.Schedule(Lane::kCompaction, [&] { second = true; });
      scheduled.Arrive();
    });
    CHECK_FALSE(pool.RunOneWhileWaiting());
    scheduled.Arrive();
  }
  CHECK(second.load());
}

TEST_CASE("InlineExecutor: runs when a caller waits, flushes first") {
  InlineExecutor executor;
  std::string order;
  executor.Schedule(Lane::kCompaction, [&] { order += 'c'; });
  executor.Schedule(Lane::kFlush, [&] { order += '1'; });
  executor.Schedule(Lane::kFlush, [&] {
    order += '2';
    executor.Schedule(Lane::kFlush, [&] { order += '3'; });
  });
  CHECK_EQ(order, "");
  while (executor.RunOneWhileWaiting()) {
  }
  CHECK_EQ(order, "123c");
}

}  // namespace
}  // namespace varve
