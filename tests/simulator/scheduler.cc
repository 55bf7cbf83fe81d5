// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/scheduler.h"

#include <execinfo.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "tests/simulator/real_calls.h"

namespace varve::simulator {
namespace {

// A thread that makes others wait for this many points is given a lower priority: it may be waiting
// for them in a loop.
constexpr uint64_t kPatience = 20'000;

class Flag {
 public:
  explicit Flag(bool* flag) : flag_(*flag) { flag_ = true; }
  ~Flag() { flag_ = false; }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

 private:
  bool& flag_;
};

[[noreturn]] void Fail(const char* why) {
  std::fprintf(stderr, "simulator: %s\n", why);
  std::fflush(nullptr);
  _exit(3);
}

}  // namespace

struct Scheduler::Thread {
  Scheduler* scheduler = nullptr;
  int number = 0;
  enum class State : uint8_t { kReady, kWaits, kEnded } state = State::kReady;
  const void* waits_for = nullptr;
  uint64_t deadline = kNever;
  bool timed_out = false, reports = false;
  uint64_t priority = 0;
  int last_rounds = 0;
  pthread_t real = {};
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  uint32_t turn = 0;  // A futex: 1 if it is this thread's turn.

  void GiveTurn() {
    __atomic_store_n(&turn, 1, __ATOMIC_RELEASE);
    RealSyscall(SYS_futex, reinterpret_cast<long>(&turn), FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  }
  void AwaitTurn() {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) == 0) {
      RealSyscall(SYS_futex, reinterpret_cast<long>(&turn), FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    }
    __atomic_store_n(&turn, 0, __ATOMIC_RELAXED);
  }
};

namespace {
// Of the calling thread. A plain pointer: it is there until the thread's end.
thread_local void* this_thread = nullptr;
}  // namespace

Scheduler* Scheduler::OfThisThread() {
  return this_thread == nullptr ? nullptr : static_cast<Thread*>(this_thread)->scheduler;
}

Scheduler::Scheduler(uint64_t seed) : random_(seed) {
  by_priority_ = random_() % 2 == 0;
  constexpr uint64_t kMeans[] = {2, 5, 20, 100, 1000};
  mean_run_ = kMeans[random_() % std::size(kMeans)];
  if (pthread_key_create(&last_, ThreadEnds) != 0) Fail("no thread key");
}

Scheduler::~Scheduler() { pthread_key_delete(last_); }

Scheduler::Alone::Alone() {
  if (Scheduler* scheduler = OfThisThread()) ++scheduler->alone_;
}

Scheduler::Alone::~Alone() {
  if (Scheduler* scheduler = OfThisThread()) --scheduler->alone_;
}

void Scheduler::Run(const std::function<void()>& main) {
  Thread& first = NewThread();
  running_ = &first;
  DrawNextChange();
  this_thread = &first;
  main();
  this_thread = nullptr;
  first.state = Thread::State::kEnded;
  for (const auto& thread : threads_) {
    if (thread->state != Thread::State::kEnded) Fail("a thread is left when all should have ended");
  }
}

Scheduler::Thread& Scheduler::NewThread() {
  auto thread = std::make_unique<Thread>();
  thread->scheduler = this;
  thread->number = static_cast<int>(threads_.size());
  thread->priority = 2'000'000 + random_() % 1'000'000;
  threads_.push_back(std::move(thread));
  return *threads_.back();
}

// As soon as a thread has ended, the next one waits until it is gone from the machine, too. The
// memory that its end gives back would otherwise be free a moment sooner or later, and addresses
// decide about some orders.
void Scheduler::ReapEnded() {
  Thread* const thread = std::exchange(ended_, nullptr);
  if (thread != nullptr && RealJoin(thread->real, nullptr) != 0) Fail("a thread cannot be joined");
}

// A thread is known by the address of what is kept about it: the library's identifiers are used
// again once a thread is reaped.
int Scheduler::Create(pthread_t* identifier, void* (*start)(void*), void* argument) {
  {
    const Flag inside(&inside_);
    Thread& thread = NewThread();
    thread.start = start;
    thread.argument = argument;
    const int error = RealCreate(&thread.real, nullptr, &Main, &thread);
    if (error != 0) {
      threads_.pop_back();
      return error;
    }
    *identifier = reinterpret_cast<pthread_t>(&thread);
  }
  Point();
  return 0;
}

void* Scheduler::Main(void* argument) {
  Thread& thread = *static_cast<Thread*>(argument);
  thread.AwaitTurn();
  thread.scheduler->ReapEnded();
  this_thread = &thread;
  if (pthread_setspecific(thread.scheduler->last_, &thread) != 0) Fail("no thread-specific data");
  thread.result = thread.start(thread.argument);
  return nullptr;  // Then thread_local objects and keys go, still simulated, and then ThreadEnds().
}

// Destructors of other keys may set values again, for up to PTHREAD_DESTRUCTOR_ITERATIONS rounds.
void Scheduler::ThreadEnds(void* argument) {
  Thread& thread = *static_cast<Thread*>(argument);
  Scheduler& scheduler = *thread.scheduler;
  if (++thread.last_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(scheduler.last_, &thread);
    return;
  }
  scheduler.Wake(&thread, INT_MAX);
  thread.state = Thread::State::kEnded;
  this_thread = nullptr;
  Thread* next;
  {
    const Flag inside(&scheduler.inside_);
    next = scheduler.Choose();
    if (next == nullptr) Fail("no thread is left");
    scheduler.Record(next->number);
    scheduler.running_ = next;
    scheduler.ended_ = &thread;
    ++scheduler.switches_;
  }
  next->GiveTurn();
}

int Scheduler::Join(pthread_t identifier, void** result) {
  Thread* const thread = reinterpret_cast<Thread*>(identifier);
  Point();
  while (thread->state != Thread::State::kEnded) Wait(thread);
  if (result != nullptr) *result = thread->result;
  return 0;
}

void Scheduler::Record(uint64_t what) {
  digest_ = (digest_ ^ (what + 0x9E3779B97F4A7C15)) * 0xFF51AFD7ED558CCD;
  digest_ ^= digest_ >> 32;
}

void Scheduler::DrawNextChange() { next_change_ = points_ + 1 + random_() % (2 * mean_run_); }

bool Scheduler::OneIn(uint64_t n) {
  const Flag inside(&inside_);
  return random_() % n == 0;
}

void Scheduler::Point() {
  if (inside_ || alone_ > 0) return;
  ++points_;
  const bool impatient = ++since_switch_ > kPatience;
  if (points_ < next_change_ && !impatient) return;
  Thread* next;
  {
    const Flag inside(&inside_);
    DrawNextChange();
    if (by_priority_ || impatient) running_->priority = --lowest_priority_;
    next = Choose();
  }
  if (next != running_) SwitchTo(next);
}

void Scheduler::LetOthersGo() {
  if (inside_ || alone_ > 0) return;
  ++points_;
  running_->priority = --lowest_priority_;
  Thread* next;
  {
    const Flag inside(&inside_);
    next = Choose();
  }
  if (next != running_) SwitchTo(next);
}

// Of those that are ready, the running thread among them. Null: all wait for each other.
Scheduler::Thread* Scheduler::Choose() {
  while (true) {
    std::vector<Thread*> ready;
    Thread* first_due = nullptr;
    for (const auto& thread : threads_) {
      if (thread->state == Thread::State::kReady) ready.push_back(thread.get());
      const bool due = thread->state == Thread::State::kWaits && thread->deadline != kNever;
      if (due && thread->deadline <= nanos_) {
        thread->state = Thread::State::kReady;
        thread->timed_out = true;
        ready.push_back(thread.get());
      } else if (due && (first_due == nullptr || thread->deadline < first_due->deadline)) {
        first_due = thread.get();
      }
    }
    if (!ready.empty()) {
      if (!by_priority_) return ready[random_() % ready.size()];
      return *std::max_element(ready.begin(), ready.end(), [](const Thread* a, const Thread* b) {
        return a->priority < b->priority;
      });
    }
    if (first_due == nullptr) return nullptr;
    nanos_ = first_due->deadline;
  }
}

void Scheduler::SwitchTo(Thread* next) {
  Thread* const me = running_;
  Record(next->number);
  Record(points_);
  ++switches_;
  since_switch_ = 0;
  running_ = next;
  next->GiveTurn();
  me->AwaitTurn();
  ReapEnded();
  if (me->reports) ReportDeadlock();
}

void Scheduler::SwitchAway() {
  Thread* next;
  {
    const Flag inside(&inside_);
    next = Choose();
  }
  if (next == nullptr) ReportDeadlock();
  if (next != running_) SwitchTo(next);
}

bool Scheduler::Wait(const void* address, uint64_t deadline_nanos) {
  if (alone_ > 0) Fail("a thread that runs alone waits for others");
  Thread& me = *running_;
  me.state = Thread::State::kWaits;
  me.waits_for = address;
  me.deadline = deadline_nanos;
  me.timed_out = false;
  SwitchAway();
  me.waits_for = nullptr;
  me.deadline = kNever;
  return !me.timed_out;
}

int Scheduler::Wake(const void* address, int count) {
  const Flag inside(&inside_);
  std::vector<Thread*> waiting;
  for (const auto& thread : threads_) {
    if (thread->state == Thread::State::kWaits && thread->waits_for == address) {
      waiting.push_back(thread.get());
    }
  }
  int woken = 0;
  for (; woken < count && !waiting.empty(); ++woken) {
    const size_t which = random_() % waiting.size();
    waiting[which]->state = Thread::State::kReady;
    waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(which));
  }
  return woken;
}

bool Scheduler::TryLock(pthread_mutex_t* mutex) {
  const Flag inside(&inside_);
  Record(reinterpret_cast<uint64_t>(mutex));  // Addresses are the same each time, too.
  Held& held = mutexes_[mutex];
  const bool recursive = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
  if (held.owner != nullptr && !(recursive && held.owner == running_)) return false;
  held.owner = running_;
  ++held.times;
  return true;
}

void Scheduler::Lock(pthread_mutex_t* mutex) {
  Point();
  while (!TryLock(mutex)) Wait(mutex);
}

void Scheduler::Release(pthread_mutex_t* mutex) {
  {
    const Flag inside(&inside_);
    const auto held = mutexes_.find(mutex);
    if (held == mutexes_.end() || held->second.owner != running_) {
      Fail("a mutex is released by a thread that does not hold it");
    }
    if (--held->second.times > 0) return;
    mutexes_.erase(held);
  }
  Wake(mutex, 1);
}

void Scheduler::Unlock(pthread_mutex_t* mutex) {
  Release(mutex);
  Point();
}

// Each thread prints its own stack, one after the other.
void Scheduler::ReportDeadlock() {
  const Flag inside(&inside_);
  if (!running_->reports) {
    std::fprintf(stderr, "simulator: all threads wait for each other\n");
    for (const auto& thread : threads_) thread->reports = thread->state == Thread::State::kWaits;
  }
  std::fprintf(stderr, "thread %d waits for %p\n", running_->number, running_->waits_for);
  std::fflush(stderr);
  void* stack[48];
  backtrace_symbols_fd(stack, backtrace(stack, 48), STDERR_FILENO);
  running_->reports = false;
  for (const auto& thread : threads_) {
    if (!thread->reports) continue;
    running_ = thread.get();
    running_->GiveTurn();
    while (true) pause();
  }
  Fail("no thread can go on");
}

}  // namespace varve::simulator
