// SPDX-License-Identifier: Apache-2.0
// What code that was compiled with -fsanitize=thread calls, in place of that sanitizer's library:
// each access to an atomic is a point of the scheduler, accesses to other memory are nothing. All
// accesses are sequentially consistent. The names and arguments are gcc's and clang's
// (compiler-rt/include/sanitizer/tsan_interface_atomic.h).
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tests/simulator/scheduler.h"

namespace {

using varve::simulator::Scheduler;

void Point() {
  if (Scheduler* const scheduler = Scheduler::OfThisThread()) scheduler->Point();
}

// A weak exchange may fail without a reason.
bool FailsForNoReason() {
  Scheduler* const scheduler = Scheduler::OfThisThread();
  return scheduler != nullptr && scheduler->FailsForNoReason();
}

template <typename T>
int Exchange(volatile T* place, T* expected, T desired) {
  Point();
  return __atomic_compare_exchange_n(place, expected, desired, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

}  // namespace

extern "C" {

#define READS_AND_WRITES(bits, type)                                                      \
  type __tsan_atomic##bits##_load(const volatile type* place, int) {                      \
    Point();                                                                              \
    return __atomic_load_n(place, __ATOMIC_SEQ_CST);                                      \
  }                                                                                       \
  void __tsan_atomic##bits##_store(volatile type* place, type value, int) {               \
    Point();                                                                              \
    __atomic_store_n(place, value, __ATOMIC_SEQ_CST);                                     \
  }                                                                                       \
  type __tsan_atomic##bits##_exchange(volatile type* place, type value, int) {            \
    Point();                                                                              \
    return __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST);                           \
  }                                                                                       \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type* place, type* expected, \
                                                    type desired, int, int) {             \
    return Exchange(place, expected, desired);                                            \
  }                                                                                       \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type* place, type* expected,   \
                                                  type desired, int, int) {               \
    if (!FailsForNoReason()) return Exchange(place, expected, desired);                   \
    *expected = __atomic_load_n(place, __ATOMIC_SEQ_CST);                                 \
    return 0;                                                                             \
  }                                                                                       \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* place, type expected,    \
                                                  type desired, int, int) {               \
    Exchange(place, &expected, desired);                                                  \
    return expected;                                                                      \
  }
#define CHANGE(bits, type, operation)                                                   \
  type __tsan_atomic##bits##_fetch_##operation(volatile type* place, type value, int) { \
    Point();                                                                            \
    return __atomic_fetch_##operation(place, value, __ATOMIC_SEQ_CST);                  \
  }
#define ALL(bits, type)        \
  READS_AND_WRITES(bits, type) \
  CHANGE(bits, type, add)      \
  CHANGE(bits, type, sub)      \
  CHANGE(bits, type, and)      \
  CHANGE(bits, type, or)       \
  CHANGE(bits, type, xor)      \
  CHANGE(bits, type, nand)
ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)

void __tsan_atomic_thread_fence(int) { Point(); }
void __tsan_atomic_signal_fence(int) {}

#define PLAIN(bytes)                           \
  void __tsan_read##bytes(void*) {}            \
  void __tsan_write##bytes(void*) {}           \
  void __tsan_unaligned_read##bytes(void*) {}  \
  void __tsan_unaligned_write##bytes(void*) {} \
  void __tsan_volatile_read##bytes(void*) {}   \
  void __tsan_volatile_write##bytes(void*) {}
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_read_range(void*, unsigned long) {}
void __tsan_write_range(void*, unsigned long) {}
void __tsan_vptr_read(void**) {}
void __tsan_vptr_update(void**, void*) {}

}  // extern "C"
