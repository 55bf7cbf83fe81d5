// SPDX-License-Identifier: Apache-2.0
// Mutex and CondVar, with clang's thread-safety annotations, which the preset `clang` checks. The
// order of two locks is checked if both have ACQUIRED_AFTER (engine/locks.h).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#if defined(__clang__)
#define VARVE_TSA(x) __attribute__((x))
#else
#define VARVE_TSA(x)
#endif
#define CAPABILITY(x) VARVE_TSA(capability(x))
#define SCOPED_CAPABILITY VARVE_TSA(scoped_lockable)
#define GUARDED_BY(x) VARVE_TSA(guarded_by(x))
#define PT_GUARDED_BY(x) VARVE_TSA(pt_guarded_by(x))
#define ACQUIRED_AFTER(...) VARVE_TSA(acquired_after(__VA_ARGS__))
#define REQUIRES(...) VARVE_TSA(requires_capability(__VA_ARGS__))
#define REQUIRES_SHARED(...) VARVE_TSA(requires_shared_capability(__VA_ARGS__))
#define EXCLUDES(...) VARVE_TSA(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) VARVE_TSA(acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) VARVE_TSA(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) VARVE_TSA(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) VARVE_TSA(release_shared_capability(__VA_ARGS__))
#define ASSERT_CAPABILITY(...) VARVE_TSA(assert_capability(__VA_ARGS__))
#define ASSERT_SHARED_CAPABILITY(...) VARVE_TSA(assert_shared_capability(__VA_ARGS__))
#define RETURN_CAPABILITY(x) VARVE_TSA(lock_returned(x))
#define NO_THREAD_SAFETY_ANALYSIS VARVE_TSA(no_thread_safety_analysis)

namespace varve {

class CAPABILITY("mutex") Mutex {
 public:
  void Lock() ACQUIRE() { mu_.lock(); }
  bool TryLock() TRY_ACQUIRE(true) { return mu_.try_lock(); }
  void Unlock() RELEASE() { mu_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mu_;
};

class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mu) ACQUIRE(mu) : mu_(mu) { mu_.Lock(); }
  ~MutexLock() RELEASE() { mu_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mu_;
};

class CondVar {
 public:
  // Releases `mu`, waits for a notification, takes `mu` again. Spurious wake-ups happen.
  void Wait(Mutex& mu) REQUIRES(mu) {
    std::unique_lock<std::mutex> lock(mu.mu_, std::adopt_lock);
    cv_.wait(lock);
    lock.release();
  }
  // As Wait(), but returns after `micros` at the latest.
  void WaitFor(Mutex& mu, uint64_t micros) REQUIRES(mu) {
    std::unique_lock<std::mutex> lock(mu.mu_, std::adopt_lock);
    cv_.wait_for(lock, std::chrono::microseconds(micros));
    lock.release();
  }
  void NotifyOne() { cv_.notify_one(); }
  void NotifyAll() { cv_.notify_all(); }

 private:
  std::condition_variable cv_;
};

}  // namespace varve
