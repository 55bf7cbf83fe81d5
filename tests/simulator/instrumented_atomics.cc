// SPDX-License-Identifier: Apache-2.0
// In code that was compiled with -fsanitize=thread, each access to an atomic is a point of the
// scheduler, accesses to other memory are nothing. All accesses are sequentially consistent.
#include <cstddef>

#include "tests/simulator/scheduler.h"
#include "tests/tsan_calls.h"

namespace varve::simulator {
namespace {

void Point() {
  if (Scheduler* const scheduler = Scheduler::OfThisThread()) scheduler->Point();
}

// A weak exchange may fail without a reason.
bool FailsForNoReason() {
  Scheduler* const scheduler = Scheduler::OfThisThread();
  return scheduler != nullptr && scheduler->FailsForNoReason();
}

struct ScheduledAccesses {
  template <typename T>
  static T Load(const volatile T* place, int, const void*) {
    Point();
    return __atomic_load_n(place, __ATOMIC_SEQ_CST);
  }
  template <typename T>
  static void Store(volatile T* place, T value, int, const void*) {
    Point();
    __atomic_store_n(place, value, __ATOMIC_SEQ_CST);
  }
  template <typename T>
  static bool CompareExchange(volatile T* place, T* expected, T desired, int, int, bool weak,
                              const void*) {
    if (weak && FailsForNoReason()) {
      *expected = __atomic_load_n(place, __ATOMIC_SEQ_CST);
      return false;
    }
    Point();
    return __atomic_compare_exchange_n(place, expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }
  template <typename T>
  static T Modify(tsan::Change, volatile T* place, T value, int, const void*,
                  T (*really)(volatile T*, T)) {
    Point();
    return really(place, value);
  }
  static void Read(const void*, size_t, const void*) {}
  static void Write(const void*, size_t, const void*) {}
};

}  // namespace
}  // namespace varve::simulator

DEFINE_TSAN_CALLS(varve::simulator::ScheduledAccesses)

extern "C" {

void __tsan_atomic_thread_fence(int) { varve::simulator::Point(); }
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
