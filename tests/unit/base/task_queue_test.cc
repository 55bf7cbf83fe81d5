// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/task_queue.h"

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "core/base/threads/mutex.h"
#include "core/base/threads/thread_pool.h"

namespace varve {
namespace {

using Lane = Executor::Lane;

// Has helpers, who come when the test says so.
class HelpersOnCall final : public Executor {
 public:
  void Schedule(Lane lane, std::function<void()> job) override {
    jobs_.Schedule(lane, std::move(job));
  }
  int Parallelism(Lane) const override { return 2; }
  bool RunOneWhileWaiting() override { return jobs_.RunOneWhileWaiting(); }

 private:
  InlineExecutor jobs_;
};

TEST_CASE("TaskQueue: without a thread to help, the owner does the tasks in order while it waits") {
  InlineExecutor nobody;
  TaskQueue queue(&nobody, Lane::kCompaction, 1);
  std::vector<int> done;
  for (int i = 0; i < 5; ++i) queue.Add([&done, i] { done.push_back(i); });
  CHECK(done.empty());
  queue.AwaitAtMost(3);
  CHECK_EQ(done, std::vector<int>{0, 1});
  queue.AwaitAtMost(3);
  CHECK_EQ(done.size(), 2);
  queue.AwaitAll();
  CHECK_EQ(done, std::vector<int>{0, 1, 2, 3, 4});
  CHECK_FALSE(nobody.RunOneWhileWaiting());  // Nobody was sent for.
}

TEST_CASE("TaskQueue: a helper that comes too late finds nothing to do") {
  HelpersOnCall late;
  int done = 0;
  {
    TaskQueue queue(&late, Lane::kCompaction, 2);
    queue.Add([&done] { ++done; });
    queue.Add([&done] { ++done; });
  }
  CHECK_EQ(done, 2);
  while (late.RunOneWhileWaiting()) {
  }
  CHECK_EQ(done, 2);
}

TEST_CASE("TaskQueue: a helper runs all waiting tasks, and is scheduled again for later ones") {
  HelpersOnCall helper;
  TaskQueue queue(&helper, Lane::kCompaction, 1);
  int done = 0;
  for (int round = 1; round <= 3; ++round) {
    queue.Add([&done] { ++done; });
    queue.Add([&done] { ++done; });
    CHECK(helper.RunOneWhileWaiting());
    CHECK_EQ(done, 2 * round);
    CHECK_FALSE(helper.RunOneWhileWaiting());  // One is enough for a queue that does one at once.
  }
}

TEST_CASE("TaskQueue: each task is done once, in order and one at a time if so wanted") {
  ThreadPool pool(1, 3);
  for (int round = 0; round < 50; ++round) {
    std::vector<int> done;  // Not synchronised but by the queue.
    TaskQueue queue(&pool, Lane::kCompaction, 1);
    for (int i = 0; i < 100; ++i) {
      queue.Add([&done, i] { done.push_back(i); });
      queue.AwaitAtMost(4);
    }
    queue.AwaitAll();
    REQUIRE_EQ(done.size(), 100);
    for (int i = 0; i < 100; ++i) REQUIRE_EQ(done[static_cast<size_t>(i)], i);
  }
}

TEST_CASE("TaskQueue: tasks run at once, on the owner's thread too") {
  ThreadPool pool(1, 2);
  Mutex mu;
  CondVar all;
  int missing = 3;  // Hangs unless three run at once.
  TaskQueue queue(&pool, Lane::kCompaction, 3);
  for (int i = 0; i < 3; ++i) {
    queue.Add([&] {
      MutexLock lock(mu);
      if (--missing == 0) all.NotifyAll();
      while (missing > 0) all.Wait(mu);
    });
  }
  queue.AwaitAll();
  CHECK_EQ(missing, 0);
}

TEST_CASE("TaskQueue: a busy executor does not delay the owner") {
  Mutex mu;
  CondVar changed;
  bool release = false;
  ThreadPool pool(1, 1);
  pool.Schedule(Lane::kCompaction, [&] {
    MutexLock lock(mu);
    while (!release) changed.Wait(mu);
  });
  std::atomic<int> done = 0;
  {
    TaskQueue queue(&pool, Lane::kCompaction, 2);
    for (int i = 0; i < 10; ++i) queue.Add([&done] { ++done; });
  }
  CHECK_EQ(done.load(), 10);
  MutexLock lock(mu);
  release = true;
  changed.NotifyAll();
}

}  // namespace
}  // namespace varve
