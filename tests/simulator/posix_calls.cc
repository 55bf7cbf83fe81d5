// SPDX-License-Identifier: Apache-2.0
// Defines the calls by which threads start, wait and learn the time, for the whole program: what is
// defined in a program comes before the C library's. A simulated thread gets the scheduler's
// answer, any other the library's.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

#include "tests/simulator/real_calls.h"
#include "tests/simulator/scheduler.h"

// The library's definition of a function that is defined here.
#define LIBRARYS(name) reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

namespace varve::simulator {
namespace {

constexpr uint64_t kUnixNanos = 1'700'000'000'000'000'000;  // The virtual wall clock starts here.

uint64_t NanosOf(const timespec& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t DeadlineOf(clockid_t clock, const timespec& time) {
  const uint64_t nanos = NanosOf(time);
  if (clock != CLOCK_REALTIME) return nanos;
  return nanos < kUnixNanos ? 0 : nanos - kUnixNanos;
}

void Sleep(Scheduler* scheduler, uint64_t deadline) {
  char nobody_wakes;
  scheduler->Wait(&nobody_wakes, deadline);
}

int CondWait(Scheduler* scheduler, pthread_cond_t* cond, pthread_mutex_t* mutex,
             uint64_t deadline) {
  bool woken = true;
  if (scheduler->OneIn(50)) {  // POSIX allows to wake up without a reason.
    scheduler->Unlock(mutex);
  } else {
    // No other thread runs between the two calls, so no notification is lost: a condition variable
    // promises that.
    scheduler->Release(mutex);
    woken = scheduler->Wait(cond, deadline);
  }
  scheduler->Lock(mutex);
  return woken ? 0 : ETIMEDOUT;
}

long Futex(Scheduler* scheduler, uint32_t* word, int operation, uint32_t value,
           const timespec* timeout) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      scheduler->Point();
      if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
        errno = EAGAIN;
        return -1;
      }
      uint64_t deadline = Scheduler::kNever;
      if (timeout != nullptr) {
        const bool absolute = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
        const bool wall = (operation & FUTEX_CLOCK_REALTIME) != 0;
        deadline = absolute ? DeadlineOf(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, *timeout)
                            : scheduler->Nanos() + NanosOf(*timeout);
      }
      if (scheduler->Wait(word, deadline)) return 0;
      errno = ETIMEDOUT;
      return -1;
    }
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: {
      const int woken = scheduler->Wake(word, static_cast<int>(value));
      scheduler->Point();
      return woken;
    }
    default:
      errno = ENOSYS;
      return -1;
  }
}

}  // namespace

int RealCreate(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
               void* argument) {
  static auto* const real = LIBRARYS(pthread_create);
  return real(thread, attributes, start, argument);
}

int RealJoin(pthread_t thread, void** result) {
  static auto* const real = LIBRARYS(pthread_join);
  return real(thread, result);
}

long RealSyscall(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace varve::simulator

using varve::simulator::CondWait;
using varve::simulator::DeadlineOf;
using varve::simulator::NanosOf;
using varve::simulator::Scheduler;

// The function `name` of a simulated thread; others go on to the library's.
#define OTHERWISE_REAL(scheduler, name, ...)              \
  Scheduler* const scheduler = Scheduler::OfThisThread(); \
  if (scheduler == nullptr) {                             \
    static auto* const real = LIBRARYS(name);             \
    return real(__VA_ARGS__);                             \
  }

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  Scheduler* const scheduler = Scheduler::OfThisThread();
  if (scheduler == nullptr) {
    return varve::simulator::RealCreate(thread, attributes, start, argument);
  }
  return scheduler->Create(thread, start, argument);
}

int pthread_join(pthread_t thread, void** result) {
  Scheduler* const scheduler = Scheduler::OfThisThread();
  if (scheduler == nullptr) return varve::simulator::RealJoin(thread, result);
  return scheduler->Join(thread, result);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  OTHERWISE_REAL(scheduler, pthread_mutex_lock, mutex);
  scheduler->Lock(mutex);
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  OTHERWISE_REAL(scheduler, pthread_mutex_trylock, mutex);
  scheduler->Point();
  return scheduler->TryLock(mutex) ? 0 : EBUSY;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  OTHERWISE_REAL(scheduler, pthread_mutex_unlock, mutex);
  scheduler->Unlock(mutex);
  return 0;
}

int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  OTHERWISE_REAL(scheduler, pthread_cond_wait, cond, mutex);
  return CondWait(scheduler, cond, mutex, Scheduler::kNever);
}

int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const timespec* until) {
  OTHERWISE_REAL(scheduler, pthread_cond_timedwait, cond, mutex, until);
  return CondWait(scheduler, cond, mutex, DeadlineOf(CLOCK_REALTIME, *until));
}

int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  OTHERWISE_REAL(scheduler, pthread_cond_clockwait, cond, mutex, clock, until);
  return CondWait(scheduler, cond, mutex, DeadlineOf(clock, *until));
}

int pthread_cond_signal(pthread_cond_t* cond) noexcept {
  OTHERWISE_REAL(scheduler, pthread_cond_signal, cond);
  scheduler->Wake(cond, 1);
  scheduler->Point();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* cond) noexcept {
  OTHERWISE_REAL(scheduler, pthread_cond_broadcast, cond);
  scheduler->Wake(cond, INT_MAX);
  scheduler->Point();
  return 0;
}

// The library's own function would wait until no thread waits on it. It does not know which threads
// do: the scheduler does.
int pthread_cond_destroy(pthread_cond_t* cond) noexcept {
  OTHERWISE_REAL(scheduler, pthread_cond_destroy, cond);
  return 0;
}

int sched_yield(void) noexcept {
  OTHERWISE_REAL(scheduler, sched_yield);
  scheduler->LetOthersGo();
  return 0;
}

int nanosleep(const timespec* time, timespec* left) {
  OTHERWISE_REAL(scheduler, nanosleep, time, left);
  varve::simulator::Sleep(scheduler, scheduler->Nanos() + NanosOf(*time));
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  OTHERWISE_REAL(scheduler, clock_nanosleep, clock, flags, time, left);
  const uint64_t deadline =
      (flags & TIMER_ABSTIME) != 0 ? DeadlineOf(clock, *time) : scheduler->Nanos() + NanosOf(*time);
  varve::simulator::Sleep(scheduler, deadline);
  return 0;
}

int usleep(useconds_t micros) {
  OTHERWISE_REAL(scheduler, usleep, micros);
  varve::simulator::Sleep(scheduler, scheduler->Nanos() + uint64_t{micros} * 1000);
  return 0;
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  OTHERWISE_REAL(scheduler, clock_gettime, clock, time);
  const uint64_t nanos =
      scheduler->Nanos() + (clock == CLOCK_REALTIME ? varve::simulator::kUnixNanos : 0);
  time->tv_sec = static_cast<time_t>(nanos / 1'000'000'000);
  time->tv_nsec = static_cast<long>(nanos % 1'000'000'000);
  return 0;
}

int gettimeofday(timeval* __restrict time, void* __restrict zone) noexcept {
  OTHERWISE_REAL(scheduler, gettimeofday, time, zone);
  const uint64_t nanos = scheduler->Nanos() + varve::simulator::kUnixNanos;
  time->tv_sec = static_cast<time_t>(nanos / 1'000'000'000);
  time->tv_usec = static_cast<suseconds_t>(nanos % 1'000'000'000 / 1000);
  return 0;
}

// std::atomic::wait() and the guards of static variables wait by SYS_futex.
long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  Scheduler* const scheduler = Scheduler::OfThisThread();
  if (scheduler == nullptr || number != SYS_futex) {
    return varve::simulator::RealSyscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  return varve::simulator::Futex(scheduler, reinterpret_cast<uint32_t*>(a[0]),
                                 static_cast<int>(a[1]), static_cast<uint32_t>(a[2]),
                                 reinterpret_cast<const timespec*>(a[3]));
}

}  // extern "C"
