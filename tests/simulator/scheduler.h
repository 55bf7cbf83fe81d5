// SPDX-License-Identifier: Apache-2.0
// Decides, from a seed, which thread runs: one at a time, in any number of threads that the engine
// and the test create as usual.
//
//   thread 1  ──lock──┐                ┌──...
//   thread 2          └──write──┐      │
//   thread 3                    └─wait─┘      one runs; at each point it may be another's turn
//
// The calls with which threads wait for each other come here by the linker: posix_calls.cc defines
// those of pthreads, futexes and clocks, so that no code is built otherwise for it. Where the code
// was compiled with -fsanitize=thread, each access to an atomic is a point, too:
// instrumented_atomics.cc stands in for that sanitizer's library. Memory is sequentially
// consistent; weaker orders are not simulated.
//
// Time is virtual: a look at a clock takes a microsecond, and when all threads wait, it is at once
// as late as the first of them waits for.
//
// Sources: probabilistic choice of priorities after S. Burckhardt et al., "A Randomized Scheduler
// with Probabilistic Guarantees of Finding Bugs" (ASPLOS 2010).
#pragma once

#include <pthread.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <unordered_map>
#include <vector>

namespace varve::simulator {

class Scheduler {
 public:
  static constexpr uint64_t kNever = UINT64_MAX;  // A deadline in nanoseconds.

  explicit Scheduler(uint64_t seed);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Runs `main` and the threads that it starts, all of which must have ended when it returns. Once.
  // Where all threads wait for each other, prints where each of them is and ends the process.
  void Run(const std::function<void()>& main);

  // The scheduler of the calling thread; null if it is not simulated.
  static Scheduler* OfThisThread();

  // --- what a simulated thread calls (posix_calls.cc)
  void Point();        // It may be another thread's turn.
  void LetOthersGo();  // As Point(), by a thread that waits for others in a loop.
  // Waits for Wake() of the same address. False: the deadline passed.
  bool Wait(const void* address, uint64_t deadline_nanos = kNever);
  // Of those that wait for the address; which ones is drawn. Returns their number.
  int Wake(const void* address, int count);
  bool OneIn(uint64_t n);
  // Of a compare-and-exchange that may.
  bool FailsForNoReason() { return !inside_ && alone_ == 0 && OneIn(20); }
  uint64_t Nanos() { return nanos_ += 1000; }
  int Create(pthread_t* thread, void* (*start)(void*), void* argument);
  int Join(pthread_t thread, void** result);

  void Lock(pthread_mutex_t* mutex);
  bool TryLock(pthread_mutex_t* mutex);
  void Unlock(pthread_mutex_t* mutex);
  void Release(pthread_mutex_t* mutex);  // As Unlock(), and it stays this thread's turn.

  // No other thread runs while one exists, for what the test itself keeps. The thread must not wait
  // for others.
  class Alone {
   public:
    Alone();
    ~Alone();
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;
  };

  uint64_t points() const { return points_; }
  uint64_t switches() const { return switches_; }
  // Of all decisions: the same for the same seed and program.
  uint64_t digest() const { return digest_; }

 private:
  struct Thread;
  struct Held {
    const Thread* owner = nullptr;
    int times = 0;
  };

  static void* Main(void* thread);
  static void ThreadEnds(void* thread);
  Thread& NewThread();
  void ReapEnded();
  Thread* Choose();
  void SwitchTo(Thread* next);
  void SwitchAway();
  void DrawNextChange();
  void Record(uint64_t what);
  [[noreturn]] void ReportDeadlock();

  std::mt19937_64 random_;
  pthread_key_t last_;  // Whose destructor is a thread's last.
  std::vector<std::unique_ptr<Thread>> threads_;
  std::unordered_map<const void*, Held> mutexes_;  // Those that are held.
  Thread* running_ = nullptr;
  Thread* ended_ = nullptr;  // Whose turn was the last one, and which may still be on its way out.
  bool inside_ = false;      // The scheduler itself is at work.
  int alone_ = 0;
  bool by_priority_;   // Otherwise any thread is as likely as another.
  uint64_t mean_run_;  // Points between changes, on average.
  uint64_t next_change_ = 0;
  uint64_t lowest_priority_ = 1'000'000;
  uint64_t since_switch_ = 0;
  uint64_t nanos_ = 1'000'000'000, points_ = 0, switches_ = 0, digest_ = 0;
};

}  // namespace varve::simulator
