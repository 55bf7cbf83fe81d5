// SPDX-License-Identifier: Apache-2.0
// The scheduler finds, among the orders of threads that it draws, those that break a program.
#include "tests/simulator/scheduler.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>

namespace varve::simulator {
namespace {

// In a process of its own, whose messages are not shown: its exit status.
int StatusOf(const std::function<void()>& program) {
  std::fflush(nullptr);  // What is buffered is not to be printed by both.
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    program();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// How many of 200 seeds end with this status.
int CountOf(int wanted, const std::function<void(Scheduler*)>& program) {
  int count = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    count += wanted == StatusOf([&] {
               Scheduler scheduler(seed);
               scheduler.Run([&] { program(&scheduler); });
             });
  }
  return count;
}

TEST_CASE("Scheduler: two locks in two orders end in a deadlock, now and then") {
  const auto program = [](Scheduler*) {
    std::mutex a, b;
    std::thread other([&] {
      const std::lock_guard<std::mutex> first(a);
      const std::lock_guard<std::mutex> second(b);
    });
    {
      const std::lock_guard<std::mutex> first(b);
      const std::lock_guard<std::mutex> second(a);
    }
    other.join();
  };
  const int found = CountOf(3, program);
  CHECK(found > 0);
  CHECK(found < 200);
  CHECK(CountOf(0, program) == 200 - found);
}

TEST_CASE("Scheduler: a notification that nobody waits for yet is lost") {
  CHECK(CountOf(3, [](Scheduler*) {
          std::mutex mu;
          std::condition_variable wake;
          std::thread waits([&] {
            std::unique_lock<std::mutex> lock(mu);
            wake.wait(lock);
          });
          wake.notify_one();
          waits.join();
        }) > 0);
}

TEST_CASE(
    "Scheduler: a correct program ends in every order, and a seed always gives the same order") {
  const auto run = [](uint64_t seed) {
    Scheduler scheduler(seed);
    int sum = 0;
    scheduler.Run([&] {
      std::mutex mu;
      std::condition_variable changed;
      std::thread threads[3];
      for (int i = 0; i < 3; ++i) {
        threads[i] = std::thread([&, i] {
          std::unique_lock<std::mutex> lock(mu);
          changed.wait(lock, [&] { return sum == i; });
          ++sum;
          changed.notify_all();
        });
      }
      for (std::thread& thread : threads) thread.join();
    });
    CHECK(sum == 3);
    return scheduler.digest();
  };
  int differ = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    CHECK(run(seed) == run(seed));
    differ += run(seed) != run(seed + 1);
  }
  CHECK(differ > 10);
}

TEST_CASE("Scheduler: nobody sleeps longer than it takes until the next event") {
  Scheduler scheduler(1);
  const auto before = std::chrono::steady_clock::now();
  scheduler.Run([] {
    const auto start = std::chrono::steady_clock::now();
    std::mutex mu;
    std::condition_variable never;
    std::unique_lock<std::mutex> lock(mu);
    while (never.wait_for(lock, std::chrono::hours(1)) == std::cv_status::no_timeout) {
    }
    CHECK(std::chrono::steady_clock::now() - start >= std::chrono::hours(1));
  });
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::minutes(1));
}

}  // namespace
}  // namespace varve::simulator
